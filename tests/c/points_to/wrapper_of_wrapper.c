/* Wrappers of wrappers: the block that a constructor fills is the one that its caller gets. */
#include <stdlib.h>
struct node {
    int *data;
};
int x, y;

static void *xmalloc(size_t size) {
    return malloc(size);
}

static struct node *make(int *data) {
    struct node *n = xmalloc(sizeof *n);
    n->data = data;
    return n;
}

int main(void) {
    struct node *a = make(&x);
    struct node *b = make(&y);
    a->data = &x;
    int *p = a->data; // POINTS-TO: main::p -> {x, y}
    int *q = b->data; // POINTS-TO: main::q -> {x, y}
    return *p + *q;
}
