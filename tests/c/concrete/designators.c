// What stands behind a designator of several steps goes on behind the subobject that it leads to (C11 6.7.9p17).
#include <stdio.h>
struct P { int x, y; };
struct Q { struct P p; int z; };
struct R { struct Q q[2]; int w; };
struct { struct { int a, b; } p; int z; } inner = {.p.a = 1, 2, 3};
struct { struct { int a, b; }; int c; } anonymous = {.a = 1, 2, 3};
struct { int n; struct { int k; struct { int a, b; }; int c; }; int m; } deep = {1, .a = 2, 3, 4, 5};
struct R elements[] = {[1].q[1].p.y = 1, 2, 3};
struct R part = {.q[0].p = {1, 2}, 3, 4};
int square[2][3] = {[0][0] = 1, 2, [1][1] = 3, 4};
int open[][2] = {[0][0] = 1, 2};
char text[][4] = {[0][1] = 'a', 'b', 'c', 'd'};
struct { int n; union { int i; struct P p; } u; int m; } choice = {.u.p.x = 1, 2, 3};
int range[3][2] = {[0 ... 1][0] = 7, 5};
struct Q ranges[3] = {[0 ... 1].p.x = 1, 2, 3, 4};
int elided[3][2] = {[0 ... 1] = 1, 2, 3};
int last[2][3] = {[0][0 ... 1] = 5, 6, 7};
int cube[2][2][2] = {[1][0] = {1, 2}, 3, 4};
struct Q whole = {.p = 1, 2, 3};
int row[2][2] = {[0] = 1, 2, 3};
struct { char name[4]; int v[3]; } named[] = {[0].v[1] = 2, 7};
struct { char name[4]; int v[3]; } mixed[] = {{"a"}, [2].name = "zz", {1, 2, 3}};
struct Q again = {.p = {8, 9}, .p.y = 5, 6, .z = 7};
struct { struct { char c; short s; } pad; union { char c; int i; } u; int z; } gaps = {.pad.c = 1, 2, 3, 4};

static void print(const char *name, const void *object, unsigned long size) {
  printf("%s %lu:", name, size);
  for (unsigned long i = 0; i < size / sizeof(int); i++) printf(" %d", ((const int *)object)[i]);
  printf("\n");
}
#define PRINT(object) print(#object, &object, sizeof object)

/* Members without parts, many of them. */
struct nothing {};
static struct nothing many[] = {[0 ... 3000] = {}};
static struct { struct nothing n[3]; int after; } around = {{[0 ... 2] = {}}, 5};
static struct two { int a, b; } zeros[] = {[0 ... 60000] = {}, [7] = {1, 2}, [5 ... 8] = {}, [6].b = 9};

int main(void) {
  PRINT(inner); PRINT(anonymous); PRINT(deep); PRINT(elements); PRINT(part); PRINT(square); PRINT(open); PRINT(text);
  PRINT(choice); PRINT(range); PRINT(ranges); PRINT(elided); PRINT(last); PRINT(cube); PRINT(whole); PRINT(row);
  PRINT(named); PRINT(mixed); PRINT(again);
  printf("%d %d %d %d\n", gaps.pad.c, gaps.pad.s, gaps.u.c, gaps.z);
  int k = 5;
  struct P q = {8, 9};
  int m[2][2] = {[0][0] = k, k + 1, k + 2};
  struct Q l[2] = {[0].p = q, k, [1] = {q, 6}};
  struct Q e = {.p = k, 2, 3};
  struct R r = {.q[0].p.y = k, 1, k + 2, .w = 4};
  struct { struct { int a, b; }; int c; } a = {.b = k, 7};
  PRINT(m); PRINT(l); PRINT(e); PRINT(r); PRINT(a);
  printf("%d %d\n", ((struct Q){.p.x = 1, k, 3}).z, ((struct Q){.p.x = 1, k, 3}).p.y);
  struct R *s = &(struct R){.q[1].p = q, 4, 5};
  PRINT(*s);
  printf("%d %d %d %d %d\n", (int)sizeof many, around.after, (int)(sizeof zeros / sizeof *zeros), zeros[7].a, zeros[6].b);
  return 0;
}
