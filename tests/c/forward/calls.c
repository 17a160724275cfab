/* Calls: contexts, function pointers, recursion, code that is not here. */
#include <stdlib.h>

static int g = 1;
static int hidden = 1;
int visible = 1;

extern void somewhere(int *p);
extern void keep(int (*f)(int, int));
static int inverse(int d) { return 100 / d; } // SAFE: div-by-zero
static int twice(int d) { return 2 * d; } // SAFE: signed-overflow
static int add(int a, int b) { return a + b; } // POSSIBLE: signed-overflow - its address is handed out

static int fact(int n) {
  if (n <= 1)
    return 1;
  int half = n - 1; // SAFE: signed-overflow - from any state
  return n * fact(half); // POSSIBLE: signed-overflow
}

int main(int argc, char **argv) {
  int r = inverse(2) + inverse(3);
  int (*f)(int) = argc > 1 ? inverse : twice;
  r = f(5); // SAFE: null-deref
  int local = 3, own = 3;
  keep(add);
  r = fact(argc);
  somewhere(&local);
  r = 1 / local; // POSSIBLE: div-by-zero
  r = 1 / own; // SAFE: div-by-zero - nobody else knows it
  r = 1 / hidden; // SAFE: div-by-zero - the recursive call does not write it
  r = 1 / visible; // POSSIBLE: div-by-zero
  return r;
}
