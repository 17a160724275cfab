/* Copying a whole record copies member by member, by assignment, memcpy, argument and result. */
#include <string.h>
struct pair {
    int *first;
    int *second;
};
int x, y;

static struct pair swap(struct pair in) {
    struct pair out = {in.second, in.first};
    return out;
}

int main(void) {
    struct pair p = {&x, &y};
    struct pair q = p;
    struct pair r;
    memcpy(&r, &p, sizeof r);
    struct pair s = swap(p);
    int *a = q.first;  // POINTS-TO: main::a -> {x}
    int *b = r.second; // POINTS-TO: main::b -> {y}
    int *c = s.first;  // POINTS-TO: main::c -> {y}
    return *a + *b + *c;
}
