/* Which types are compatible, to __builtin_types_compatible_p and to _Generic: qualifiers, enumerations, arrays, functions. */
#include <stdio.h>
enum a { A1 }; enum b { B1 }; enum n { N1 = -1 };
typedef const char cc; typedef char *str; typedef enum a ea;
struct s { int x; }; struct t { int x; };
const char *gp; char *gq; const char arr[3]; volatile int vi; enum a va; enum b vb; int (*fa)(const char *);
#define C(x, y) printf("%d", __builtin_types_compatible_p(x, y))
#define G(e) printf(" %d", _Generic((e), char *: 1, const char *: 2, int: 3, unsigned: 4, const int *: 5, int *: 6, char **: 7, const char **: 8, char *const *: 9, default: 0))
int main(void) {
  C(int[], int[3]); C(int[2], int[3]); C(int, const int); C(const char *, char *); C(char *const, char *); C(cc *, const char *); C(cc *, char *);
  C(str, char *); C(const str, char *); C(enum a, enum b); C(enum a, unsigned); C(enum a, int); C(enum n, int); C(ea, enum a); C(ea *, enum a *); C(enum a *, enum b *); C(enum a *, unsigned *);
  C(int(int), int()); C(int(char), int()); C(int(int *), int(int[3])); C(struct s, struct t); C(long, long long); C(char, signed char); C(void *, char *);
  C(typeof(gp), char *); C(typeof(gp), const char *); C(typeof(arr), char[3]); C(typeof(arr), const char[]); C(typeof(&gq), char **); C(typeof(*gp), char); C(typeof(&gp[0]), const char *); C(typeof(vi), int); C(typeof(va), typeof(vb)); C(typeof(va), enum a); C(typeof(va), unsigned);
  C(const int[3], int[3]); C(int (*)[], int (*)[3]); C(const int (*)[3], int (*)[3]); C(int *restrict, int *); C(int *volatile *, int **); C(unsigned long, typeof(sizeof 0));
  C(int *[3], int *[]); C(float, double); C(int(void), int()); C(int (*)(void), int (*)()); C(int(int, ...), int());
  const char *lp = ""; char *const *lcc = &gq; static const int si = 1; int i = 0; const int ci = 1;
  G(gp); G(gq); G(arr); G("lit"); G(lp); G(&gp); G(&gq); G(lcc); G(vi); G(si); G(&si); G(&i); G(ci); G(&ci); G(va); G(*lp); G((const char *) gq); G(&arr[1]); G(A1); G(&lp[1]); G(1.5f);
  printf("\n");
  return 0;
}
