// What goes into calls where nothing but arguments does: numbers, and of pointers that they are none to nothing, that their objects live,
// and which bytes these have. What comes out is the result.
#include <stdlib.h>

extern int any(void);

struct pair { int first, second; };

/* Long enough not to be followed. */
#define AGAIN(x) x x x x x x x x
static int shared;
static void work(void) {
    AGAIN(AGAIN(AGAIN(shared = shared / 2 + 1;)))
}

static int divide(int n, int by) {
    work();
    return n / by; // SAFE: div-by-zero
}

static int divide_by_any(int n, int by) {
    work();
    return n / by; // POSSIBLE: div-by-zero
}

/* All callers have an object. */
static int first(struct pair *p) {
    int n = p->first; // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free
    work();
    return n ^ p->second; // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free
}

/* One has none. */
static int first_or_none(struct pair *p) {
    work();
    return p->first; // POSSIBLE: null-deref
}

/* One has a smaller one. */
static int second(struct pair *p) {
    work();
    return p->second; // SAFE: null-deref; POSSIBLE: out-of-bounds
}

/* One has freed it. */
static int freed(struct pair *p) {
    work();
    return p->second; // SAFE: null-deref; POSSIBLE: use-after-free
}

static int small(int n) {
    work();
    return n < 0 ? 1 : n > 9 ? 9 : n + 1;
}

static struct pair *made(void) {
    struct pair *p = malloc(sizeof *p);
    work();
    if (!p)
        exit(1);
    p->first = p->second = 0;
    return p;
}

static struct pair *own(void) {
    struct pair here = {1, 2}, *volatile p = &here;
    work();
    return p;
}

static int depth(struct pair *p, int n) {
    struct pair below = {n, n};
    work();
    if (n <= 0)
        return p->first; // SAFE: null-deref; SAFE: out-of-bounds
    return depth(&below, n - 1) / 2;
}

int main(void) {
    struct pair here = {1, 2}, *p = made();
    int n = divide(4, 2) ^ divide(5, 3) ^ divide_by_any(1, 2) ^ divide_by_any(1, any());
    n ^= first(&here) ^ first(p) ^ first_or_none(&here) ^ first_or_none(any() ? p : 0);
    n ^= second(&here) ^ second(any() ? (struct pair *)&n : &here);
    n ^= 100 / small(any()); // SAFE: div-by-zero
    n ^= p->second;          // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free
    n ^= depth(&here, 3);
    free(p);
    p = own();
    n ^= freed(&here) ^ freed(any() ? p : &here);
    return n;
}
