/* Integer promotions and usual arithmetic conversions. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    unsigned char uc = 200, ud = 100;
    signed char sc = -100;
    unsigned short us = 65535;
    short ss = -1;
    unsigned u = 1;
    int i = -2;
    long l = -3;
    unsigned long ul = 4;
    printf("%d %d %d\n", uc + ud, uc * uc, (unsigned char)(uc + ud));
    printf("%d %d %d\n", sc - 100, (signed char)(sc - 100), sc >> 1);
    printf("%d %u %d\n", us * 2, us * 1u * us, us + ss);
    printf("%d %d %d %d\n", i < u, l < u, i < (long)u, ss < us);
    printf("%u %ld %lu %lu\n", i + u, l + u, i + ul, l * ul);
    printf("%d %d\n", ~uc, -us);
    printf("%d %d\n", (char)200, (short)70000);
    printf("%ld %lu\n", (long)(int)4294967295u, (unsigned long)-1);
    uc += 100;
    us++;
    ss = us - 1;
    printf("%d %d %d\n", uc, us, ss);
    uint8_t x = 255;
    x <<= 1;
    printf("%d %d\n", x, x << 4);
    printf("%d\n", sizeof(i) > -1);
    printf("%d %d\n", 'a', sizeof 'a' == sizeof(int));
    printf("%lld %llu\n", -7LL / 2, (unsigned long long)-7 / 2);
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    _Bool b = 0.5;
    b += 5;
    printf("%d %d\n", b, (_Bool)256);
    return (unsigned char)-3;
}
