/* Effects in order: reads of what is written, loops that revive variables, jumps into blocks. */
#include <stdlib.h>

struct node {
  struct node *next;
  int v;
};

int main(int argc, char **argv) {
  struct node a = {0, 1}, b = {&a, 2};
  struct node *p = &b;
  p = p->next;
  int r = 10 / p->v; // SAFE: div-by-zero; SAFE: null-deref
  int i = 1;
  int c[3] = {0, 0, 2};
  i = c[i + 1]; // SAFE: out-of-bounds
  i = c[i] - 1; // SAFE: out-of-bounds
  r = 10 / i; // SAFE: div-by-zero
  goto inside;
  {
    int late;
  inside:
    late = argc;
    r = late;
  }
  int n = 0;
again:
  n++; // SAFE: signed-overflow
  if (n < 10)
    goto again;
  return 10 / (n - 9); // SAFE: div-by-zero
}
