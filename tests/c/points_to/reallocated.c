/* The block that realloc returns holds what the old one held, at the same offsets. */
#include <stdlib.h>
struct pair {
    int *first;
    int *second;
};
int x, y;

int main(void) {
    struct pair *p = malloc(sizeof *p);
    p->first = &x;
    p->second = &y;
    struct pair *q = realloc(p, 100);
    int *a = q->second; // POINTS-TO: main::a -> {y}
    return *a;
}
