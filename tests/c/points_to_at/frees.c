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

static void pass_on(int *p, int n) { // MUST-FREE: pass_on 0
    int *same = p;
    if (n > 3) {
        drop(same);
        return;
    }
    free(p);
}

static void pass_some(int *p, int n) { // MAY-FREE: pass_some
    drop_some(p, n);
}

static void drop_late(int n, int *p) { // MUST-FREE: drop_late 1
    if (n > 0)
        drop_late(n - 1, p);
    else
        drop(p);
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
    pass_on(malloc(4), n);
    pass_some(malloc(4), n);
    drop_late(n, malloc(4));
    return 0;
}
