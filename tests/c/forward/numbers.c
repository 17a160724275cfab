/* Integers: wrap-around, refinement by conditions. */
#include <stdlib.h>

int main(void) {
  int n = rand();
  int r = 0;
  r += 100 / n; // POSSIBLE: div-by-zero
  if (n > 3 && n < 10)
    r += 100 / (n - 3); // SAFE: div-by-zero; SAFE: signed-overflow
  if (n >= 3 && n < 10)
    r = 100 / (n - 3); // POSSIBLE: div-by-zero
  unsigned char c = (unsigned char)n;
  r = c + 1; // SAFE: signed-overflow
  c = 255;
  c++;
  r = 1 / c; // ALWAYS: div-by-zero
  return r;
}
