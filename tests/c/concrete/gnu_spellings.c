/* Spellings that GNU C takes beyond ISO C, and parameters whose types name others. */
#include <stdio.h>
;
struct s { int a; char b };
struct al { char c; _Alignas(16) int x; _Alignas(double) char d; };
int h(f, x) int (*f)(int); int x; { return f(x); };
int tw(int x) { return 2 * x; }
int old2(cb, n, arr) int (*cb)(); char n; int arr[]; { return cb(n) + arr[1]; }
int caf\u00e9 = 3;
double d = 1.0d;
int x, arr[4];
int diagonal(int n, int a[n][n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i][i]; return s; }
int last(int n, int m, char (*a)[m]) { return a[n - 1][m - 1] + (int)sizeof *a; }
_Alignas(32) char wide_one;
int given(int n) { return __builtin_constant_p(n = n) + 2 * __builtin_constant_p("text") + 4 * __builtin_constant_p(1.5 + 2); }
static int always[__builtin_constant_p(sizeof(int)) ? 3 : -1];
int main(void) {
  __label__ out;
  int sq[2][2] = {{1, 2}, {3, 4}}; char rows[2][3] = {"ab", "cd"};
  int declared_here(int n, int q[n]);
  printf("%d %d %d\n", diagonal(2, sq), last(2, 2, (char (*)[2])rows), declared_here(2, sq[1]));
  printf("%zu %zu %d %zu\n", __alignof__(wide_one), _Alignof(int[3]), given(1), sizeof always);
  int ar[2] = {1, 2};
  printf("%zu %zu %zu\n", sizeof(struct s), sizeof(struct al), _Alignof(struct al));
  printf("%d %d\n", h(tw, 4), old2(tw, 3, ar));
  printf("%d %f\n", caf\u00e9, d);
  printf("%zu %zu\n", _Alignof x, __alignof__ arr);
  printf("%zu %zu %zu\n", _Alignof(d), _Alignof(double), __alignof__(double));
  printf("%zu %zu %zu\n", __alignof__(long long[2]), __alignof__(struct al), __alignof__(double _Complex));
  if (x) goto out;
  ;;
  { __label__ in; int k = 0; in: if (k++ < 3) goto in; printf("%d\n", k); }
  int r = ({ __label__ in; int k = 0; in: if (k++ < 5) goto in; k; });
  r += ({ __label__ last; int k = 40; if (r) goto last; k = 2; last: k; });
  printf("%d\n", r);
out:
  return 0;
};
int declared_here(int n, int q[n]) { return q[n - 1]; }
