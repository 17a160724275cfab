/* realloc takes over what stood in the old block: what stands there at that point. */
#include <stdlib.h>

int x, y;

int main(void) {
    int **p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = &x; // STRONG: malloc
    int **q = realloc(p, 2 * sizeof *q);
    if (!q)
        return 1;
    int *a = *q; // GIVES: main::a -> {x}
    *q = &y; // STRONG: realloc
    int *b = *q; // GIVES: main::b -> {y}
    return *a + *b;
}
