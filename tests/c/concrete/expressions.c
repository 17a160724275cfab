/* Order of effects, comma, conditional, short circuit, compound assignment, statement expressions. */
#include <stdio.h>

static int calls;
static int note(int x) { calls = calls * 10 + x; return x; }
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

int main(void) {
    int a = 5, b = 0;
    b = (note(1), note(2)) + note(3);
    printf("%d %d\n", b, calls);
    calls = 0;
    int r = (note(0) && note(1)) || note(2) || note(3);
    printf("%d %d\n", r, calls);
    printf("%d\n", a > 0);
    a = 7;
    a <<= 2;
    a %= 5;
    a ^= 0xf;
    a |= 0x100;
    printf("%d\n", a);
    printf("%d %d\n", MAX(3, 9), MAX(2.5, 1.5) > 2);
    int x = 3, y = x > 2 ? x < 4 ? 1 : 2 : 3;
    printf("%d %d %d\n", y, !x, !!x);
    int arr[5] = {1, 2, 3, 4, 5}, *p = arr;
    printf("%d", *p++);
    printf(" %d", *++p);
    printf(" %d", (*p)++);
    printf(" %d %d\n", arr[2], p[-1]);
    unsigned char c = 250;
    c += 10;
    c *= 3;
    printf("%d\n", c);
    const char *s = a ? "yes" : (void *)0;
    printf("%s %zu\n", s, sizeof(a++));
    for (int i = 0, j = 10; i < j; i += 3, j--)
        if (i == 3)
            continue;
        else
            printf("%d,%d ", i, j);
    int n = 3;
    do
        printf("%d", n);
    while (n-- > 0 && n != 1);
    printf("\n%d\n", ({ int t = 4; t * t; }));
    return a & 0x7f;
}
