/* Bit-fields of packed records that end before their storage unit would; padding of static objects without an initializer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma pack(1)
struct three { unsigned a : 17; signed b : 7; };
struct five { unsigned long long a : 33; signed b : 5; };
struct seven { char c; long long v : 45; };
struct nine { unsigned c : 1; long long v : 64; };
union small { struct three t; unsigned char bytes[3]; };
#pragma pack()

struct padded { char c; int i; short s; };

static struct three table[3] = {{1, 2}, {131071, -64}, {70000, 63}};
static struct five five = {0x1ffffffffULL, -16};
static struct seven seven = {7, -3};
static struct nine nine = {1, -2};
static struct padded padded;
static long double wide;

static unsigned sum(const void *p, size_t n) {
    const unsigned char *b = p;
    unsigned s = 0;
    while (n--)
        s = s * 31 + *b++;
    return s;
}

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(struct three), sizeof(struct five), sizeof(struct seven), sizeof(struct nine));
    for (int i = 0; i < 3; i++) {
        table[i].a += 5;
        table[i].b--;
        printf("%u %d\n", table[i].a, table[i].b);
    }
    printf("%u\n", sum(table, sizeof table));
    struct three *heap = malloc(2 * sizeof *heap);
    if (!heap)
        return 1;
    memset(heap, 0xff, 2 * sizeof *heap);
    heap[1].a = 12345;
    heap[0] = heap[1];
    heap[0].b = 1;
    printf("%u %d %u %d %u\n", heap[0].a, heap[0].b, heap[1].a, heap[1].b, sum(heap, 2 * sizeof *heap));
    free(heap);
    five.a -= 2;
    seven.v *= 1000;
    nine.v--;
    printf("%llx %d %lld %lld %u\n", (unsigned long long)five.a, five.b, (long long)seven.v, (long long)nine.v, nine.c);
    printf("%u %u %u\n", sum(&five, sizeof five), sum(&seven, sizeof seven), sum(&nine, sizeof nine));
    union small u = {.bytes = {1, 2, 3}};
    u.t.b = -1;
    printf("%u %02x\n", u.t.a, u.bytes[2]);
    padded.c = 1;
    padded.s = 3;
    printf("%u %u\n", sum(&padded, sizeof padded), sum(&wide, sizeof wide));
    return 0;
}
