/* Designated initializers: order, overriding, nesting, ranges, unions, partial. */
#include <stdio.h>

struct inner { int a, b[3]; };
struct outer { char tag; struct inner in[2]; union { int i; float f; } u; const char *s; };

static int sparse[10] = {[7] = 7, 8, [2] = 2, [2] = 22, [4 ... 5] = 45};
static struct outer global = {.s = "global", .in[1].b = {1, [2] = 3}, .u.f = 1.5f};

int main(void) {
    for (int i = 0; i < 10; i++)
        printf("%d ", sparse[i]);
    printf("\n%s %d %d %d %g %d\n", global.s, global.in[1].b[0], global.in[1].b[1], global.in[1].b[2], global.u.f, global.tag);
    struct outer l = {'x', {{1, {2}}, [1] = {.b[1] = 9}}, .u = {.i = 4}};
    printf("%c %d %d %d %d %d %s\n", l.tag, l.in[0].a, l.in[0].b[0], l.in[0].b[1], l.in[1].b[1], l.u.i, l.s ? l.s : "null");
    int matrix[][3] = {{1}, {4, 5, 6}, [3][1] = 8};
    printf("%zu %d %d %d\n", sizeof matrix / sizeof *matrix, matrix[0][2], matrix[1][1], matrix[3][1]);
    char text[] = {[3] = 'd', [0] = 'a'};
    printf("%zu %d\n", sizeof text, text[1]);
    char words[][6] = {"one", "three", ""};
    printf("%s %s %zu\n", words[0], words[1], sizeof words);
    int n = 4;
    int dynamic[] = {n, n * n, n ? 1 : 2};
    printf("%d %d %d\n", dynamic[0], dynamic[1], dynamic[2]);
    return 0;
}
