// What functions know of memory where calls share it: what objects have held whenever a function was called that reaches them, or returned.
#include <stdlib.h>

extern int any(void);

/* Long enough not to be followed. */
#define AGAIN(x) x x x x x x x x
static int busy;
static void work(void) {
    AGAIN(AGAIN(AGAIN(busy = busy / 2 + 1;)))
}

/* Set before the first call of a function that reads it. */
static int early;
static int by_early(int n) {
    work();
    return n / early; // SAFE: div-by-zero
}

/* The twin: set behind it. */
static int late;
static int by_late(int n) {
    work();
    return n / late; // POSSIBLE: div-by-zero
}

/* What a function leaves, its caller finds. */
static int left;
static void leave(int n) {
    work();
    left = n > 3 ? 3 : 5;
}

/* The twin leaves nothing for sure. */
static int left_or_not;
static void leave_or_not(int n) {
    work();
    if (n > 3)
        left_or_not = 3;
}

struct node {
    struct node *next;
    int *value;
};

static int number = 4;

/* All members are set before others see a node. */
static struct node *push(struct node *list) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->next = list;
    n->value = &number;
    work();
    return n;
}

static int sum(struct node *list) {
    int all = 0;
    work();
    for (; list; list = list->next) // SAFE: null-deref
        all ^= *list->value; // SAFE: uninit-read; SAFE: null-deref; SAFE: out-of-bounds
    return all;
}

/* The twin hands a node over before it is whole. */
static struct node *last_made;
static void look(void) {
    work();
    if (last_made)
        busy = last_made->next != 0;
}

static struct node *push_early(struct node *list) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    last_made = n;
    n->next = list;
    look();
    n->value = any() ? &number : 0;
    return n;
}

static int sum_early(struct node *list) {
    int all = 0;
    work();
    for (; list; list = list->next) {
        if (list->value != &busy) // POSSIBLE: uninit-read
            all ^= *list->value; // SAFE: out-of-bounds
    }
    return all;
}

/* A variable of the caller's, through a pointer that a static variable keeps. What that held before others saw, too. */
static int *kept;
static void set_kept(int n) {
    work();
    *kept = n; // POSSIBLE: null-deref; POSSIBLE: use-after-free
}

static int by_kept(void) {
    int n = 0;
    kept = &n;
    set_kept(2);
    return 1 / n + // POSSIBLE: div-by-zero
           1 / (n + 1); // SAFE: div-by-zero
}

/* Blocks of one place: the last one is one of all as soon as a function is called that makes more. */
static int *made;
static int *make(int n) {
    int *p = malloc(sizeof *p);
    work();
    if (!p)
        exit(1);
    *p = n;
    return p;
}

static int by_last(void) {
    int *p = make(1), *q;
    *p = 7;
    q = make(0);
    made = q;
    return 1 / *p + // POSSIBLE: div-by-zero
           1 / (*q + 8); // SAFE: div-by-zero
}

/* Variables of functions that call themselves have no name elsewhere. */
static int deep(int k, int *outer) {
    int mine = k;
    work();
    if (k > 0)
        deep(k - 1, &mine);
    *outer = 0;
    return 1 / mine; // POSSIBLE: div-by-zero
}

int main(void) {
    struct node *list = 0, *other = 0;
    int n = 1;
    early = any() ? 2 : 3;
    by_early(1);
    if (any())
        by_late(1);
    late = 4;
    by_late(2);
    leave(any());
    n += 1 / (left + 1); // SAFE: div-by-zero
    leave_or_not(any());
    n += 1 / left_or_not; // POSSIBLE: div-by-zero
    while (any())
        list = push(list);
    while (any())
        other = push_early(other);
    n ^= sum(list) ^ sum_early(other);
    n ^= by_kept() ^ by_last();
    return deep(3, &n) ^ n;
}
