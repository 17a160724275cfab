/* Checked arithmetic and wrap-around of unsigned types. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

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
    return 0;
}
