/* Pointers: strong and weak updates, NULL, ends of lifetimes. */
#include <stdlib.h>

static int *escaped;

static void leak(void) {
  int local = 1;
  escaped = &local;
}

static int *pass(int *p) { return p; }

int main(int argc, char **argv) {
  int x = 1, y = 2;
  int *both[2] = {&x, &y}, *p = &x;
  *p = 5;
  int r = 10 / (x - 4); // SAFE: div-by-zero - strong update
  p = both[argc & 1];
  *p = 4; // SAFE: null-deref
  r = 10 / (x - 4); // POSSIBLE: div-by-zero - weak update
  r = 10 / (x - 3); // SAFE: div-by-zero
  p = argc > 1 ? 0 : &x;
  if (p)
    *p = 3; // SAFE: null-deref
  *p = 3; // POSSIBLE: null-deref
  *p = 3; // SAFE: null-deref - an execution with NULL is over
  leak();
  if (argc > 5)
    *escaped = 2; // ALWAYS: use-after-free
  p = pass(&y);
  *p = 7; // SAFE: null-deref; SAFE: use-after-free
  for (int i = 0; i < 3; i++) {
    int inner = i;
    if (i > 0 && argc == 4)
      *p = 1; // ALWAYS: use-after-free
    p = &inner;
  }
  char *first = argv[0];
  return r + first[0]; // POSSIBLE: null-deref
}
