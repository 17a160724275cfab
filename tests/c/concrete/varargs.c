/* Variable arguments: all classes, va_copy, passing a list on, records. */
#include <stdarg.h>
#include <stdio.h>

struct pair { int a; long b; };
struct big { double d[4]; };

static long sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long total = 0;
    for (int i = 0; i < n; i++)
        total += va_arg(ap, long);
    va_end(ap);
    return total;
}

static double walk(const char *kinds, va_list ap) {
    double total = 0;
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': total += va_arg(ap, int); break;
        case 'd': total += va_arg(ap, double); break;
        case 's': total += va_arg(ap, const char *)[0]; break;
        case 'p': { struct pair p = va_arg(ap, struct pair); total += p.a * 100 + p.b; break; }
        case 'b': { struct big b = va_arg(ap, struct big); total += b.d[3]; break; }
        case 'u': total += va_arg(ap, unsigned char *) == 0; break;
        }
    }
    return total;
}

static double twice(const char *kinds, ...) {
    va_list ap, again;
    va_start(ap, kinds);
    va_copy(again, ap);
    double a = walk(kinds, ap);
    double b = walk(kinds, again);
    va_end(again);
    va_end(ap);
    return a + b;
}

int main(void) {
    printf("%ld\n", sum(3, 1L, -5L, 1000000000L));
    struct pair p = {3, 4};
    struct big b = {{1, 2, 3, 4.5}};
    short s = -7;
    float f = 0.25f;
    printf("%g\n", twice("idspbiu", s, f, "A", p, b, 'c', (void *)0));
    printf("%g\n", twice("iiiiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
    return 0;
}
