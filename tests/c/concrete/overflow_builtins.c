/* Checked arithmetic and wrap-around of unsigned types. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

/* Those with a prototype convert their arguments first; a sample counts as it is, without promotion. */
static void types_of_arguments(long wide, int minus) {
    unsigned u;
    long l;
    printf("%d ", __builtin_uadd_overflow(wide, 1, &u));
    printf("%u\n", u);
    printf("%d ", __builtin_add_overflow(wide, 1, &u));
    printf("%u\n", u);
    printf("%d ", __builtin_umul_overflow(minus, 1, &u));
    printf("%u\n", u);
    printf("%d ", __builtin_ssubl_overflow(minus, wide, &l));
    printf("%ld\n", l);
    printf("%d %d %d\n", __builtin_add_overflow_p(100, 100, (signed char)0), __builtin_add_overflow_p(100, 100, (unsigned char)0),
           __builtin_mul_overflow_p(300, 300, (unsigned short)0));
    printf("%d %d\n", __builtin_sub_overflow_p(-100, 29, (signed char)0), __builtin_sub_overflow_p(-100, 28, (signed char)0));
    printf("%d\n", (int)sizeof(__builtin_uadd_overflow(1, 1, &u)));
}

int main(void) {
    int r;
    unsigned char c;
    long l;
    printf("%d ", __builtin_add_overflow(INT_MAX, 1, &r));
    printf("%d\n", r);
    printf("%d ", __builtin_mul_overflow(100, 3, &c));
    printf("%d\n", c);
    printf("%d ", __builtin_sub_overflow(0u, 1u, &l));
    printf("%ld\n", l);
    uint32_t x = 0;
    x--;
    uint16_t y = 65535;
    y++;
    printf("%u %u %u\n", x, y, x * x);
    uint64_t f = 1;
    for (int i = 1; i <= 25; i++)
        f *= i;
    printf("%llu\n", (unsigned long long)f);
    printf("%d %d\n", (int)(x > INT_MAX), (int8_t)x);
    types_of_arguments(LONG_MAX > INT_MAX ? (long)UINT_MAX + 3 : 3, -1);
    return 0;
}
