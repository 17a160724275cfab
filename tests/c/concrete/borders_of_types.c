/* Every operator on the numbers around the borders of every integer type, and every conversion between these. */
#include <limits.h>
#include <stdio.h>

static unsigned long long sum;
static void add(unsigned long long x) { sum = sum * 1099511628211ull + x; }

static const long long borders[] = {0, 1, -1, 2, 7, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, 65535,
  65536, 2147483647LL, 2147483648LL, -2147483648LL, -2147483649LL, 4294967295LL, 4294967296LL, LLONG_MAX, LLONG_MIN};
enum { COUNT = sizeof borders / sizeof *borders };

#define CONVERSIONS(x)                                                                                                  \
  add((unsigned long long)(_Bool)(x)), add((unsigned long long)(signed char)(x)), add((unsigned char)(x)),             \
    add((unsigned long long)(short)(x)), add((unsigned short)(x)), add((unsigned long long)(int)(x)),                  \
    add((unsigned)(x)), add((unsigned long long)(long)(x)), add((unsigned long)(x)), add((unsigned long long)(x))

/* Operators that no operands of the type make err; shifts by what its width allows. */
#define OPERATORS(NAME, T, SMALLEST)                                                                                    \
  static void NAME(void) {                                                                                             \
    for (int i = 0; i < COUNT; i++)                                                                                    \
      for (int j = 0; j < COUNT; j++) {                                                                                \
        T a = (T)borders[i], b = (T)borders[j], r;                                                                     \
        add((unsigned long long)(a & b)), add((unsigned long long)(a | b)), add((unsigned long long)(a ^ b));          \
        add(a == b), add(a != b), add(a < b), add(a <= b), add(a > b), add(a >= b);                                    \
        add(a == 7), add(a < 200), add((unsigned long long)(a & 100)), add((unsigned long long)~a), add(!a);           \
        if (b != 0 && !(SMALLEST != 0 && a == SMALLEST && b == (T)-1)) {                                               \
          r = a / b, add((unsigned long long)r);                                                                       \
          r = a % b, add((unsigned long long)r);                                                                       \
        }                                                                                                              \
        r = a >> (j % (8 * (int)sizeof(T))), add((unsigned long long)r);                                               \
        if (a > 0 && a < 64 && j % (8 * sizeof(T)) + 7 < 8 * sizeof(T)) r = (T)(a << (j % (8 * (int)sizeof(T))));      \
        add((unsigned long long)r);                                                                                    \
        CONVERSIONS(a);                                                                                                \
      }                                                                                                                \
    printf(#T ": %llx\n", sum);                                                                                        \
  }

#define ARITHMETIC(NAME, T)                                                                                             \
  static void NAME(void) {                                                                                             \
    for (int i = 0; i < COUNT; i++)                                                                                    \
      for (int j = 0; j < COUNT; j++) {                                                                                \
        T a = (T)borders[i], b = (T)borders[j], r;                                                                     \
        r = a + b, add(r);                                                                                             \
        r = a - b, add(r);                                                                                             \
        r = a * b, add(r);                                                                                             \
        r = -a, add(r);                                                                                                \
        r = a << (j % (8 * (int)sizeof(T))), add(r);                                                                   \
        a += 3, b -= a, add(a), add(b);                                                                                \
      }                                                                                                                \
    printf(#T ": %llx\n", sum);                                                                                        \
  }

OPERATORS(chars, signed char, 0)
OPERATORS(bytes, unsigned char, 0)
OPERATORS(shorts, short, 0)
OPERATORS(ushorts, unsigned short, 0)
OPERATORS(ints, int, INT_MIN)
OPERATORS(uints, unsigned, 0)
OPERATORS(longs, long, LONG_MIN)
OPERATORS(ulongs, unsigned long, 0)
OPERATORS(longlongs, long long, LLONG_MIN)
OPERATORS(ulonglongs, unsigned long long, 0)
ARITHMETIC(sums_of_uints, unsigned)
ARITHMETIC(sums_of_ulongs, unsigned long)
ARITHMETIC(sums_of_ulonglongs, unsigned long long)

/* Pointers into one array and to nothing. */
static struct pair {
  struct pair *next;
  char name[3];
  _Bool set;
} pairs[4];

static void pointers(void) {
  for (int i = 0; i < 4; i++) {
    pairs[i].next = i < 3 ? &pairs[i + 1] : 0;
    pairs[i].set = i & 1;
    pairs[i].name[i % 3] = (char)('a' + i);
  }
  for (struct pair *p = pairs; p; p = p->next) {
    add((unsigned long long)(p - pairs)), add(p < pairs + 2), add(p == &pairs[1]), add(p->next != 0), add(p->set);
    for (char *c = p->name; c < p->name + 3; c++) add((unsigned long long)*c), add((unsigned long long)(c - (char *)p > 6));
    for (struct pair *q = pairs + 4; q-- != pairs;) add(q >= p), add((unsigned long long)(q - p)), add((_Bool)q->next);
  }
  printf("pointers: %llx\n", sum);
}

int main(void) {
  chars(), bytes(), shorts(), ushorts(), ints(), uints(), longs(), ulongs(), longlongs(), ulonglongs();
  sums_of_uints(), sums_of_ulongs(), sums_of_ulonglongs();
  pointers();
  return (int)(sum % 251);
}
