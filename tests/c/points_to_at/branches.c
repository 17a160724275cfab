/* Branches join; a loop keeps what it began with until it writes. */
#include <stdlib.h>

int x, y, z;

int main(void) {
    int *p = &x;
    if (rand())
        p = &y;
    int *a = p; // GIVES: main::a -> {x, y}
    p = NULL;
    int *b = p; // GIVES: main::b -> {}
    while (rand()) {
        int *c = p; // GIVES: main::c -> {z}
        p = &z;
        if (c)
            *c = 1;
    }
    int *d = p; // GIVES: main::d -> {z}
    return a == b || d == &z;
}
