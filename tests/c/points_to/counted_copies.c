/* Of a number of bytes that is known no more is copied, in parts of addresses too. */
#include <string.h>

struct record {
    int *first;
    int number;
    char text[8];
    int *second;
    int *third;
};
int x, y, z;

int main(void) {
    struct record r = {&x, 1, "", &y, &z}, s = {0}, t = {0};
    memcpy(&s, &r, 20);
    int *a = s.first; // POINTS-TO: main::a -> {x}
    int *b = s.second; // POINTS-TO: main::b -> {}
    int *c = s.third; // POINTS-TO: main::c -> {}
    /* The twin copies one byte of the second, and what begins between members lies anywhere. */
    memcpy(&t, &r, 25);
    int *d = t.second; // POINTS-TO: main::d -> {x, y, z}
    int *in_parts = 0;
    memcpy(&in_parts, &r.second, 4);
    memcpy((char *)&in_parts + 4, (char *)&r.second + 4, 4);
    int *f = in_parts; // POINTS-TO: main::f -> {y}
    int *half = &x;
    memcpy((char *)&half + 4, (char *)&r.third + 4, 4);
    int *g = half; // POINTS-TO: main::g -> {x, z}
    return a == b || c == d || f == g;
}
