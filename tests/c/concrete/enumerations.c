/* Sizes of enumerations, named before their constants too, and alignments that a typedef gives. */
#include <stdio.h>

enum later;
enum later *pointer;
enum later get(void);
enum __attribute__((packed)) small { S0, S200 = 200 };
enum mixed { M_LOW = -1, M200 = 200 } __attribute__((packed));
enum later { L1 = 7, L2 };
enum later get(void) { return L2; }
enum wide { W = 1LL << 40 };
enum negative { N = -1 };
typedef int aligned_int __attribute__((aligned(16)));
typedef long long loose __attribute__((aligned(4)));
struct a { char c; aligned_int x; };
struct b { char c; loose x; };
struct c { char c; loose x[3]; };
struct d { char c; aligned_int *x; };

int main(void) {
    enum small s = S200;
    s += 100;
    printf("%zu %zu %zu %zu %d\n", sizeof(enum small), sizeof(enum mixed), sizeof(S200), sizeof(enum wide), s);
    printf("%zu %d %d %d\n", sizeof *pointer, get(), (enum negative)-5 < 0, (enum later)-5 < 0);
    printf("%zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(struct d));
    printf("%zu %zu %zu\n", _Alignof(aligned_int), _Alignof(loose), _Alignof(struct b));
    return 0;
}
