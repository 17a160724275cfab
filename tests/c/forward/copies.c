/* Copies of records, unions, bit-fields, partly overwritten pointers. */
#include <string.h>

struct pair {
  int a;
  int *p;
};
struct bits {
  unsigned low : 3;
  int mid : 5;
  unsigned high : 8;
};
union word {
  unsigned u;
  unsigned char b[4];
};

static struct pair make(int a, int *p) {
  struct pair s = {a, p};
  return s;
}

int main(int argc, char **argv) {
  int x = 2;
  struct pair s = {1, &x}, t;
  t = s;
  int r = 10 / t.a; // SAFE: div-by-zero
  r = 10 / *t.p; // SAFE: div-by-zero; SAFE: null-deref
  struct pair u;
  memcpy(&u, &t, sizeof u);
  r = 10 / *u.p; // SAFE: div-by-zero; SAFE: null-deref
  struct pair v = make(3, &x);
  r = 10 / v.a + *v.p; // SAFE: div-by-zero; SAFE: null-deref
  struct bits f = {0};
  f.low = 9;
  f.mid = -1;
  r = 10 / f.low; // SAFE: div-by-zero - 9 is cut to 1
  r = 10 / f.mid; // SAFE: div-by-zero
  f.high = argc;
  r = 10 / f.low; // SAFE: div-by-zero - the neighbour is unchanged
  r = 10 / f.high; // POSSIBLE: div-by-zero
  union word w;
  w.u = 0x00010000u;
  r = 10 / w.b[2]; // SAFE: div-by-zero
  w.b[2] = 0;
  if (argc > 3)
    r = 10 / (int)w.u; // ALWAYS: div-by-zero
  memset(&u.p, 1, 3);
  r = *u.p; // POSSIBLE (intended): null-deref - a pointer with bytes overwritten
  return r;
}
