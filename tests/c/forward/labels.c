/* Labels as values: their differences are defined within a function, whatever the numbers are. */

static int choose(int n) {
  void *first = &&a, *second = &&b;
  long apart = (char *)second - (char *)first; // POSSIBLE: pointer-diff
  goto *(n ? (char *)first : (char *)first + apart);
a:
  return 10 / n; // POSSIBLE: div-by-zero
b:
  return 10 / (n + 1);
}

int main(void) {
  long double x = 1.0L;
  const int *words = (const int *)&x;
  int low = words[1];
  int padding = words[3];
  __asm__("" : "+r"(low));
  return choose(1) + choose(0) + (low + padding > 1000);
}
