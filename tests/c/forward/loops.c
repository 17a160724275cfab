/* Loops: unrolled, widened, narrowed. */
#include <stdlib.h>

static int a[100];
static int b[5000];

int main(void) {
  int s = 0;
  for (int i = 0; i < 100; i++)
    a[i] = i + 1; // SAFE: out-of-bounds; SAFE: signed-overflow
  for (int i = 0; i < 100; i++)
    s = s + a[i]; // SAFE: out-of-bounds; SAFE: signed-overflow - unrolled, so the sum is known
  s = 100 / s; // SAFE: div-by-zero
  int n = rand();
  for (int i = 0; i < n; i++)
    s++; // SAFE: signed-overflow - in step with i
  for (int i = 0; i < n; i++)
    s++; // POSSIBLE: signed-overflow
  for (int i = 0; i < 5000; i++)
    b[i] = 1; // SAFE: out-of-bounds - widened and narrowed
  for (int i = 0; n > 5 && i <= 5000; i++)
    b[i] = 1; // POSSIBLE: out-of-bounds
  unsigned k = 0;
  while (k < 4000000000u)
    k += 2;
  s = 1 / (int)(k + 1 - k); // SAFE: div-by-zero - k is even, so 4000000000 here
  return s;
}
