/* Integers of a pointer's size carry addresses; arithmetic on them keeps the object and loses the offset. */
#include <stdint.h>
struct pair {
    int a, b;
};
struct pair s;

int main(void) {
    uintptr_t n = (uintptr_t)&s.b; // POINTS-TO: main::n -> {s+4}
    int *same = (int *)n;          // POINTS-TO: main::same -> {s+4}
    uintptr_t aligned = (n + 7) & ~(uintptr_t)7;
    int *p = (int *)aligned; // POINTS-TO: main::p -> {s+?}
    uintptr_t count = (uintptr_t)&s;
    count = count * 3;
    int *q = (int *)count; // POINTS-TO: main::q -> {s}
    return *same + *p + *q;
}
