/* A constructor gets several blocks from one allocator: what it returns is not what it keeps. */
#include <stdlib.h>
struct node {
    int *data;
    struct node *inner;
};
int x, y;

static void *xmalloc(size_t size) {
    return malloc(size);
}

static struct node *make(int *data) {
    struct node *n = xmalloc(sizeof *n);
    n->data = data;
    n->inner = xmalloc(sizeof *n);
    n->inner->data = &y;
    return n;
}

int main(void) {
    struct node *a = make(&x);
    int *p = a->data; // POINTS-TO: main::p -> {x}
    int *q = a->inner->data; // POINTS-TO: main::q -> {y}
    return *p + *q;
}
