/* Records as arguments and results, nested, copied, modified in the callee. */
#include <stdio.h>

struct point { int x, y; };
struct box { struct point corner[2]; const char *name; };

static struct point add(struct point a, struct point b) {
    a.x += b.x;
    a.y += b.y;
    return a;
}

static struct box make(const char *name, int n) {
    struct box b = {{{n, n}, {n + 1, n + 2}}, name};
    if (n > 0) {
        struct box inner = make(name, n - 1);
        b.corner[0] = add(inner.corner[0], b.corner[1]);
    }
    return b;
}

int main(void) {
    struct point p = add((struct point){1, 2}, (struct point){.y = 5});
    printf("%d %d\n", p.x, p.y);
    struct box b = make("box", 3);
    printf("%s %d %d %d %d\n", b.name, b.corner[0].x, b.corner[0].y, b.corner[1].x, b.corner[1].y);
    printf("%d\n", make("field", 2).corner[1].y);
    struct box many[3] = {b, make("x", 0)};
    many[2] = many[0];
    many[0].corner[0].x = -1;
    printf("%d %d %s\n", many[2].corner[0].x, many[1].corner[1].x, many[2].name);
    struct point *q = &many[2].corner[1];
    *q = add(*q, *q);
    printf("%d\n", many[2].corner[1].y);
    return 0;
}
