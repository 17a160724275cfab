/* See: 000, Sect. 3. The block allocated last is one block. */
#include <stdlib.h>

int x, y;

int main(void) {
    for (int i = 0; i < 5; i++) {
        int **p = malloc(sizeof *p); // STATE: {both, none, recent}
        if (!p)
            return 1;
        *p = &x; // STRONG: malloc
        *p = &y; // STRONG: malloc
        int *a = *p; // GIVES: main::a -> {y}
        *a = i;
    }
    return 0;
}
