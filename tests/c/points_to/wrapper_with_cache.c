/* Twin of wrapper.c: the function may return an older block, so its callers must not be told apart. */
#include <stdlib.h>
struct node {
    int *data;
};
int x, y;
static void *spare;

static void *xmalloc(size_t size) {
    void *block = spare ? spare : malloc(size);
    if (!block)
        abort();
    spare = block;
    return block;
}

int main(void) {
    struct node *a = xmalloc(sizeof *a); // POINTS-TO: main::a -> {malloc:10}
    struct node *b = xmalloc(sizeof *b); // POINTS-TO: main::b -> {malloc:10}
    a->data = &x;
    b->data = &y;
    int *p = a->data; // POINTS-TO: main::p -> {x, y}
    int *q = b->data; // POINTS-TO: main::q -> {x, y}
    return *p + *q;
}
