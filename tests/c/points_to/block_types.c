/* A block has the parts of the types that it is made for; in a block of no type, and between parts, a place is anywhere in it. */
#include <stdlib.h>

struct pair {
    int *first;
    int *second;
};
int x, y;

static void *raw(size_t n) {
    return malloc(n);
}

static void *(*get)(size_t) = raw;

static void keep(void **p) {
    (void)p;
}

int main(void) {
    struct pair *p = malloc(sizeof *p);
    p->first = &x;
    p->second = &y;
    int *a = p->first; // POINTS-TO: main::a -> {x}
    int *b = p->second; // POINTS-TO: main::b -> {y}
    int *c = *(int **)((char *)p + 4); // POINTS-TO: main::c -> {x, y}
    char *text = malloc(2 * sizeof(struct pair));
    struct pair *q = (struct pair *)text;
    q[rand() % 2].first = &x;
    q[rand() % 2].second = &y;
    int *d = q->first; // POINTS-TO: main::d -> {x}
    struct pair *r = get(sizeof *r);
    r->first = &x;
    r->second = &y;
    int *e = r->first; // POINTS-TO: main::e -> {x}
    void *s = get(16);
    keep(&s);
    *(int **)s = &x;
    *(int **)((char *)s + 8) = &y;
    int *f = *(int **)s; // POINTS-TO: main::f -> {x, y}
    return *a + *b + *d + *e + *f + (c == a);
}
