/* Twin of record_copy.c: an unknown number of bytes is copied, so that offsets are lost. */
#include <string.h>
struct pair {
    int *first;
    int *second;
};
int x, y;

int main(int argc, char **argv) {
    struct pair p = {&x, &y};
    struct pair r = {0, 0};
    memcpy(&r, &p, argc);
    int *b = r.second; // POINTS-TO: main::b -> {x, y}
    int *c = p.second; // POINTS-TO: main::c -> {y}
    return *b + *c;
}
