/* #pragma pack and packed records: offsets, sizes, bit-fields that straddle. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#pragma pack(push)
#pragma pack(1)
struct one { char c; short s; long long l; const unsigned u; };
struct bits { unsigned a : 7; unsigned b : 13; long long c : 37; int d : 9; };
union both { struct one f; unsigned v; };
#pragma pack(pop)
#pragma pack(push, 2)
struct two { char c; int i; double d; struct one o; };
struct two_bits { char c; unsigned a : 5; unsigned b : 28; int i; };
#pragma pack(4)
struct four { char c; long l; int : 0; char e; };
#pragma pack(pop)
struct plain { char c; long l; };
struct __attribute__((packed)) gnu { char c; int i : 30; long long l; };

static union both table[2] = {{{1, 2, 3, 4}}, {.v = 0x01020304}};

static void dump(const void *p, size_t n) {
    const unsigned char *b = p;
    while (n--)
        printf("%02x", *b++);
    printf("\n");
}

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(struct one), offsetof(struct one, s), offsetof(struct one, l), sizeof(union both));
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct two), offsetof(struct two, i), offsetof(struct two, d), offsetof(struct two, o), _Alignof(struct two));
    printf("%zu %zu %zu\n", sizeof(struct four), offsetof(struct four, l), offsetof(struct four, e));
    printf("%zu %zu %zu %zu\n", sizeof(struct plain), sizeof(struct bits), sizeof(struct two_bits), sizeof(struct gnu));
    struct bits b;
    memset(&b, 0, sizeof b);
    b.a = 100;
    b.b = 8000;
    b.c = -12345678901LL;
    b.d = -200;
    dump(&b, sizeof b);
    printf("%u %u %lld %d\n", b.a, b.b, (long long)b.c, b.d);
    struct two_bits t;
    memset(&t, 0, sizeof t);
    t.a = 31;
    t.b = 0xabcdef0;
    t.i = -1;
    dump(&t, sizeof t);
    struct gnu g;
    memset(&g, 0, sizeof g);
    g.c = 'g';
    g.i = -5;
    g.l = 1LL << 40;
    dump(&g, sizeof g);
    dump(table, sizeof table[0]);
    printf("%x\n", table[1].v);
    return 0;
}
