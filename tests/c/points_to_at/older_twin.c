/* What was allocated before the last block is one of many. */
#include <stdlib.h>

int x, y;

int main(void) {
    int **old = NULL;
    for (int i = 0; i < 5; i++) {
        int **p = malloc(sizeof *p);
        if (!p)
            return 1;
        *p = &x; // STRONG: malloc
        if (old) {
            *old = &y; // WEAK: malloc
            int *a = *old; // GIVES: main::a -> {x, y}
            *a = i;
        }
        int *b = *p; // GIVES: main::b -> {x, y}
        *b = i;
        old = p;
    }
    return 0;
}
