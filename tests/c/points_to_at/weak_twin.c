/* One of two objects is behind the pointer: what stood there may still do. */
#include <stdlib.h>

int x, y;

int main(void) {
    int *cell = &x, *other = &x;
    int **p = rand() ? &cell : &other;
    int *a = *p; // GIVES: main::a -> {x}
    *p = &y; // WEAK: main::cell, main::other
    int *b = *p; // GIVES: main::b -> {x, y}
    return *a + *b;
}
