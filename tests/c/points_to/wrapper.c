/* A function that only returns what it allocated is told apart by its callers. */
#include <stdlib.h>
struct node {
    int *data;
};
int x, y;

static void *xmalloc(size_t size) {
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

int main(void) {
    struct node *a = xmalloc(sizeof *a); // POINTS-TO: main::a -> {malloc:9 from 16}
    struct node *b = xmalloc(sizeof *b); // POINTS-TO: main::b -> {malloc:9 from 17}
    a->data = &x;
    b->data = &y;
    int *p = a->data; // POINTS-TO: main::p -> {x}
    int *q = b->data; // POINTS-TO: main::q -> {y}
    return *p + *q;
}
