// Numbers that are anything but one number: what a test says of them where that lies between their bounds.
#include <stdio.h>
#include <stdlib.h>

struct shares {
  int count;
};

static int divided(int n) {
  if (n == 0)
    return 0;
  return 100 / n; // SAFE: div-by-zero
}

static int divided_as_it_comes(int n) {
  return 100 / n; // POSSIBLE: div-by-zero
}

static int behind(struct shares *s) {
  if (!s->count)
    return 0;
  return 100 / s->count; // SAFE: div-by-zero
}

static int changed_behind(struct shares *s, int by) {
  if (!s->count)
    return 0;
  s->count += by;
  return 100 / s->count; // POSSIBLE: div-by-zero
}

static int shifted(int n) {
  if (n == 7)
    return 0;
  return 100 / (n - 7); // SAFE: div-by-zero
}

static int shifted_otherwise(int n) {
  if (n == 7)
    return 0;
  return 100 / (n - 6); // POSSIBLE: div-by-zero
}

static unsigned converted(int n) {
  if (n == 0)
    return 0;
  return 100u / (unsigned)n; // SAFE: div-by-zero
}

static unsigned cut(int n) {
  if (n == 0)
    return 0;
  return 100u / (unsigned char)n; // POSSIBLE: div-by-zero - 256 has no low bits
}

static long multiplied(int n, int m) {
  if (n == 0 || m == 0)
    return 0;
  return 100 / ((long)n * m); // SAFE: div-by-zero
}

static unsigned multiplied_and_wrapped(unsigned n, unsigned m) {
  if (n == 0 || m == 0)
    return 0;
  return 100 / (n * m); // POSSIBLE: div-by-zero - 65536 times itself
}

static int either_sign(int n) {
  int step = n > 3 ? 1 : -1;
  return 100 / step; // SAFE: div-by-zero
}

static int one_of_three(int n) {
  int step = n > 3 ? 1 : n > 2 ? 0 : -1;
  return 100 / step; // POSSIBLE: div-by-zero
}

static int two_numbers(int n) {
  if (n == 5 || n == 0)
    return 0;
  return 100 / n; // SAFE: div-by-zero
}

static int until_it_is(int n) {
  int turns = 0;
  while (n != 0 && turns < 10) {
    turns += 1 + (100 / n > 7); // SAFE: div-by-zero
    n--;
  }
  return 100 / n; // POSSIBLE: div-by-zero
}

static int negated(int n) {
  if (n == 0 || n < -1000)
    return 0;
  return 100 / -n; // SAFE: div-by-zero
}

static int answered(int n) {
  switch (n) {
  case 0:
    return 1;
  default:
    return 100 / n; // SAFE: div-by-zero
  }
}

int main(void) {
  int n, m;
  if (scanf("%d %d", &n, &m) != 2)
    return 1;
  struct shares s = {n};
  divided(n), divided_as_it_comes(n), behind(&s), changed_behind(&s, m & 15);
  shifted(n & 255), shifted_otherwise(n & 255), converted(n), cut(n), multiplied(n, m), multiplied_and_wrapped(n, m);
  either_sign(n), one_of_three(n), two_numbers(n), until_it_is(n), negated(n), answered(n);
  return 0;
}
