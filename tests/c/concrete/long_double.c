/* The x87's numbers of 80 bits: constants, arithmetic, conversions, text, math.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bytes(long double x) {
    unsigned char b[sizeof x];
    memcpy(b, &x, sizeof x);
    for (int i = 9; i >= 0; i--)
        printf("%02x", b[i]);
    printf("\n");
}

int main(void) {
    long double x = 9007199254740993.0L, tiny = 0x1p-16445L, third = 1.0L / 3;
    printf("%d %d\n", x != 9007199254740992.0L, (double)x == 9007199254740992.0);
    bytes(x);
    bytes(third);
    bytes(0.1L);
    bytes(tiny);
    bytes(tiny / 2);
    bytes(sqrtl(2.0L));
    bytes(third * third - 0.1f);
    bytes(fmal(third, third, -third * third));
    bytes(18446744073709551615UL);
    bytes(fmodl(1e4000L, 3.0L));
    bytes(remainderl(-7.5L, 2.0L));
    bytes(nextafterl(1.0L, 2.0L));
    bytes(strtold("1.18973149535723176502e+4932", NULL));
    bytes(strtold("0x1.fffffffffffffffffp0", NULL));
    printf("%.30Lf %Lg %Le %La %La\n", third, x, third, third, tiny);
    printf("%lld %llu %d\n", (long long)-9223372036854775807.0L, (unsigned long long)18446744073709551614.0L, (int)2.9L);
    int e;
    long double whole;
    printf("%Lg", frexpl(48.5L, &e));
    printf(" %d %Lg", e, modfl(-3.75L, &whole));
    printf(" %Lg %ld %ld %d\n", whole, lroundl(2.5L), lrintl(2.5L), ilogbl(tiny));
    printf("%d %d %d\n", isnormal(tiny) != 0, fpclassify(tiny) == FP_SUBNORMAL, isnormal(1e-40f) != 0);
    printf("%.3f %.17g %a %g\n", 2.0005, 0.1, 1.0 / 3, 1e-5);
    printf("%g %g %g %g\n", rint(2.5), nearbyint(-0.5), fdim(3, 1), ldexp(0.75, 4));
    return 0;
}
