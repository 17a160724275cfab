/* What a function frees on every path, and what it may. */
#include <stdlib.h>

static void drop(int *p) { // MUST-FREE: drop 0
    if (!p)
        return;
    *p = 0;
    free(p);
}

static void drop_some(int *p, int n) { // MAY-FREE: drop_some
    if (n > 3)
        return;
    free(p);
}

static int look(int *p) { // FREES-NOTHING: look
    return *p;
}

int main(int argc, char **argv) {
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    if (!p || !q)
        return 1;
    *p = *q = argc;
    int n = look(p);
    drop(p);
    drop_some(q, n);
    return 0;
}
