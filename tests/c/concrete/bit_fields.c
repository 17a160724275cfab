/* Bit-fields: signedness, neighbours, zero width, assignment value, unions over them. */
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned a : 3;
    signed b : 5;
    unsigned : 0;
    unsigned long long c : 40;
    _Bool d : 1;
    int e : 7;
};

struct mixed {
    char head;
    short s : 9;
    unsigned char u : 4;
    long l : 33;
};

union view {
    struct flags f;
    unsigned char bytes[sizeof(struct flags)];
};

int main(void) {
    union view v;
    memset(&v, 0, sizeof v);
    v.f.a = 9;
    v.f.b = 17;
    v.f.c = 0x123456789abcULL;
    v.f.d = 2;
    v.f.e = -3;
    printf("%u %d %llx %d %d\n", v.f.a, v.f.b, (unsigned long long)v.f.c, v.f.d, v.f.e);
    for (size_t i = 0; i < sizeof v.bytes; i++)
        printf("%02x", v.bytes[i]);
    printf(" %zu\n", sizeof(struct flags));
    struct mixed m = {1, -200, 15, -5};
    m.u++;
    m.s -= 100;
    m.l <<= 20;
    printf("%d %d %d %ld %zu\n", m.head, m.s, m.u, (long)m.l, sizeof m);
    int assigned = (v.f.b = 31);
    printf("%d %d\n", assigned, v.f.a++ + ++v.f.a);
    struct mixed copies[2] = {{.l = 7}, {.s = -1}};
    copies[0] = copies[1];
    printf("%d %ld %d\n", copies[0].s, (long)copies[0].l, copies[0].u - 1 < 0);
    return v.f.a;
}
