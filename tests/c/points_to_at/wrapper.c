/* A wrapper of malloc has a block a call; one that allocates in a loop gives no newest block. */
#include <stdlib.h>

int x, y;

static void *get(size_t n) {
    void *p = malloc(n);
    if (!p)
        exit(1);
    return p;
}

static void *get_many(size_t n) {
    void *p = NULL;
    for (int i = 0; i < 3; i++)
        p = malloc(n);
    return p;
}

int main(void) {
    int **p = get(sizeof *p);
    int **q = get(sizeof *q);
    *p = &x; // STRONG: malloc from main
    *q = &y; // STRONG: malloc from main
    int *a = *p; // GIVES: main::a -> {x}
    int **r = get_many(sizeof *r);
    *r = &y; // WEAK: malloc from main
    return *a + (*q == *r);
}
