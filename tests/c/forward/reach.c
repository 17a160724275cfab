// While a function runs, what it can neither name nor reach is as it was: and what it can reach may change.
#include <stdlib.h>

static int counter = 1;
static int apart = 1;
static int *way = &counter;
static int *const fixed = &apart;
struct pair {
    int *first;
    int *second;
};

static void through(void) { *way = 0; }
static void by_constant(void) { *fixed = 0; }
static void nothing(void) {}
static void indirect(struct pair *p) { *p->first = 0; }
static int *make(void) { return malloc(sizeof(int)); }
static void fill(struct pair *p) { p->first = make(); }
static void any(int **p, long n) { *p[n] = 0; }

static void set(int *p, int value) { *p = value; }

static int recursive(int n) {
    if (n > 0) recursive(n - 1);
    apart = n;
    return 0;
}

int main(int argc, char **argv) {
    int x = 1, y = 1, z = 0;
    struct pair p = {&x, &y}, q = {0, &y};
    int *table[2] = {&x, &y};
    nothing();
    z += 1 / counter; // SAFE: div-by-zero
    z += 1 / apart; // SAFE: div-by-zero
    switch (argc) {
    case 0:
        through();
        z += 1 / apart; // SAFE: div-by-zero
        z += 1 / counter; // ALWAYS: div-by-zero
        break;
    case 1:
        by_constant();
        z += 1 / counter; // SAFE: div-by-zero
        z += 1 / apart; // ALWAYS: div-by-zero
        break;
    case 2:
        indirect(&p);
        z += 1 / y; // SAFE: div-by-zero
        z += 1 / x; // ALWAYS: div-by-zero
        break;
    case 3:
        set(&x, 0);
        set(&y, 2);
        z += 1 / y; // SAFE: div-by-zero
        z += 1 / x; // ALWAYS: div-by-zero
        break;
    case 4:
        any(table, argc - 4);
        z += 1 / counter; // SAFE: div-by-zero
        z += 1 / y; // SAFE: div-by-zero
        z += 1 / x; // ALWAYS: div-by-zero
        break;
    case 5:
        recursive(argc);
        z += 1 / x; // SAFE: div-by-zero - no statement of the inner call gets at it
        z += 1 / apart; // SAFE: div-by-zero
        z += 1 / counter; // SAFE: div-by-zero
        break;
    case 6:
        fill(&p);
        fill(&q);
        if (!p.first || !q.first) return 1;
        *p.first = 0;
        *q.first = 1;
        z += 1 / *q.first; // SAFE: div-by-zero
        z += 1 / *p.first; // ALWAYS: div-by-zero
        break;
    case 7:
        fill(&p);
        if (!p.first) return 1;
        *p.first = 1;
        fill(&q);
        free(q.first);
        z += 1 / *p.first; // SAFE: div-by-zero; SAFE: use-after-free
        break;
    }
    return z;
}
