/* Unnamed arguments arrive through va_arg, also when the list is passed on. */
#include <stdarg.h>
int x, y;

static int *pick(va_list list) {
    return va_arg(list, int *);
}

static int *choose(int n, ...) {
    va_list list;
    va_start(list, n);
    int *a = va_arg(list, int *); // POINTS-TO: choose::a -> {x, y}
    int *b = pick(list);          // POINTS-TO: choose::b -> {x, y}
    va_end(list);
    return n ? a : b;
}

int main(void) {
    int *p = choose(1, &x, &y); // POINTS-TO: main::p -> {x, y}
    return *p;
}
