// What was known of numbers that change together, of a list whose end was overwritten, of a number that is read as another.
#include <stdlib.h>
#include <string.h>

extern int any(void);

struct pair {
    int n, m;
};

static int *make(int n, int k) {
    int *p = malloc(n * 4);
    if (!p)
        exit(k & 0);
    return p;
}

static void two_calls(int argc) {
    int n = argc, m = argc + 3;
    int *p = make(n, m), *q = make(m, n);
    for (int i = 0; i < n; i++)
        p[i] = 0; // SAFE: out-of-bounds
    for (int i = 0; i < m; i++)
        p[i] = 0; // POSSIBLE: out-of-bounds
    for (int i = 0; i < m; i++)
        q[i] = 0; // SAFE: out-of-bounds
}

static void set(struct pair *s, int n) {
    s->n = n;
    s->m = n + 1;
}

static void two_members(int argc) {
    struct pair s;
    set(&s, argc);
    long *p = malloc(s.m * sizeof *p);
    if (!p)
        return;
    set(&s, argc + 30);
    for (int i = 0; i <= s.n; i++)
        p[i] = 0; // POSSIBLE: out-of-bounds
}

static int end_of_list(int argc, char **argv) {
    char **p = argv;
    p[argc] = argv[0] ? argv[0] : "y";
    int n = 0;
    for (; *p; p++) // POSSIBLE: out-of-bounds
        n++;
    return n;
}

static int same(int n) { return n; }

static int other_sign(int n) {
    unsigned (*f)(int) = (unsigned (*)(int))same;
    unsigned u = f(n);
    return (long)u > (long)n ? 1 / any() : 0; // POSSIBLE: div-by-zero
}

int main(int argc, char **argv) {
    if (argc < 1 || argc > 9)
        return 0;
    two_calls(argc);
    two_members(argc);
    return end_of_list(argc, argv) + other_sign(argc - 2);
}
