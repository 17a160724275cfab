/* Shifts and bit operations on long, unsigned and signed values. */
#include <stdint.h>
#include <stdio.h>

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }
static uint64_t mix(uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    return h;
}

int main(void) {
    long l = 1L << 40;
    printf("%ld %ld %ld\n", l >> 39, -l >> 38, -1L >> 63);
    printf("%lx %x\n", 1UL << 63, 1u << 31);
    printf("%x %d\n", rotl(0x80000001, 4), (int)(0xf0u >> 4));
    printf("%llx\n", (unsigned long long)mix(12345));
    int8_t c = -128;
    printf("%d %d %d\n", c >> 3, c << 1, (uint8_t)c >> 3);
    uint64_t bits = 0;
    for (int i = 0; i < 64; i += 7)
        bits |= (uint64_t)1 << i;
    printf("%llx %d %d %d\n", (unsigned long long)bits, __builtin_popcountll(bits), __builtin_ctzll(bits), __builtin_clzll(bits));
    printf("%x %x %x\n", 0x0f0f & 0x00ff, 0x0f0f | 0xf000, 0x0f0f ^ 0xffff);
    unsigned __int128 wide = (unsigned __int128)0xffffffffffffffffULL * 0xffffffffffffffffULL;
    printf("%llx %llx\n", (unsigned long long)(wide >> 64), (unsigned long long)wide);
    __int128 neg = -(__int128)1 << 100;
    printf("%llx %d\n", (unsigned long long)(neg >> 64), neg < 0);
    printf("%llx\n", (unsigned long long)(wide / 12345 % 1000007));
    printf("%x %llx\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x123456789abcdefULL));
    return 0;
}
