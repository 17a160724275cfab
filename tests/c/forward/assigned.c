// Conditions on the value of an assignment hold for what was assigned.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int *value;
    struct node *next;
};

static void checked(void) {
    int *p;
    if (!(p = malloc(sizeof *p))) return;
    *p = 1; // SAFE: null-deref
    free(p);
}

static void compared(void) {
    int *p;
    if ((p = malloc(sizeof *p)) == NULL) exit(1);
    *p = 1; // SAFE: null-deref
    free(p);
}

static void forgotten(void) {
    int *p, *q;
    q = malloc(sizeof *q);
    if (!(p = malloc(sizeof *p))) return;
    *q = 1; // POSSIBLE: null-deref
    free(p);
    free(q);
}

static void member(struct node *n) {
    if ((n->value = malloc(sizeof(int))) != NULL) {
        int *v = n->value;
        *v = 1; // SAFE: null-deref
    }
    int *w = n->value;
    *w = 2; // POSSIBLE: null-deref
}

static void moved_on(struct node *n) {
    struct node *m = malloc(sizeof *m);
    if (!m) return;
    m->value = NULL;
    if ((n->value = malloc(sizeof(int))) != NULL) {
        n = m;
        int *v = n->value;
        *v = 1; // ALWAYS: null-deref
    }
}

static int parts(int x) {
    int c, sum = 0;
    while ((c = getchar()) != EOF) {
        sum = 100 / (c + 1); // SAFE: div-by-zero
    }
    sum += 100 / (c + 2); // SAFE: div-by-zero
    sum += 100 / (c + 1); // ALWAYS: div-by-zero
    return sum + x;
}

static int narrowed(int x) {
    signed char c;
    if ((c = x) > 0) {
        return 100 / c; // SAFE: div-by-zero
    }
    return 100 / (x + (x == 0)); // POSSIBLE (intended): div-by-zero - x is not c
}

int main(int argc, char **argv) {
    struct node n;
    int x;
    if (scanf("%d", &x) != 1) return 1;
    checked();
    compared();
    forgotten();
    member(&n);
    moved_on(&n);
    narrowed(x);
    return parts(argc);
}
