// What is known of two numbers goes when a call changes one of them, and nothing of the new one is taken for the old.
#include <stdlib.h>

extern int any(void);
static int size;

static void grow(void) { size = 100; }

static void keep(void) {}

int main(void) {
    size = any();
    if (size < 2 || size > 5)
        return 0;
    char *p = malloc(size), *q = malloc(size);
    if (!p || !q)
        return 0;
    keep();
    p[1] = 1; // SAFE: out-of-bounds
    p[size - 1] = 1; // SAFE: out-of-bounds
    grow();
    q[0] = 1; // SAFE: out-of-bounds
    q[7] = 1; // ALWAYS: out-of-bounds
    return 0;
}
