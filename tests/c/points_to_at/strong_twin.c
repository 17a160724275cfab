/* One object is behind the pointer: what is written replaces what stood there. */
#include <stdlib.h>

int x, y;

int main(void) {
    int *cell = &x;
    int **p = &cell;
    int *a = *p; // GIVES: main::a -> {x}
    *p = &y; // STRONG: main::cell
    int *b = *p; // GIVES: main::b -> {y}
    return *a + *b;
}
