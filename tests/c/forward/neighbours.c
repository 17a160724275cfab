/* What a number tells of a pointer, where several ways have met: for all numbers from one on, if each of them tells it. */
#include <stdio.h>
#include <stdlib.h>

static int grown(void) {
  int *all = 0, count = 0, room = 0;
  for (int c = getchar(); c != EOF; c = getchar()) {
    if (count == room) {
      int more = room + 8;
      if (more > 100000)
        exit(1);
      int *b = realloc(all, more * sizeof *b);
      if (!b)
        exit(1);
      all = b;
      room = more;
    }
    all[count++] = c; // SAFE: null-deref; SAFE: out-of-bounds
  }
  int sum = 0;
  if (count > 0)
    sum = all[0] > 3; // SAFE: null-deref; SAFE: uninit-read
  if (count > 1)
    sum += all[1] > 3; // SAFE: null-deref; SAFE: uninit-read
  for (int i = 0; i < count; i++)
    sum += all[i] > 3; // SAFE: null-deref; SAFE: out-of-bounds; SAFE: uninit-read
  if (count >= 0)
    sum += all[0]; // POSSIBLE: null-deref
  free(all);
  return sum;
}

static int all_from_one_on(int k) {
  static int x;
  int *p = 0;
  if (k == 1)
    p = &x;
  else if (k >= 2)
    p = &x;
  if (k >= 1)
    return *p; // SAFE: null-deref
  return 0;
}

static int all_but_two(int k) {
  static int x;
  int *p = 0;
  if (k == 1)
    p = &x;
  else if (k >= 3)
    p = &x;
  if (k == 1)
    return *p; // SAFE: null-deref
  if (k >= 3)
    return *p; // SAFE: null-deref
  if (k >= 1)
    return *p; // POSSIBLE: null-deref
  return 0;
}

static int all_but_even_ones(int k) {
  static int x;
  int *p = 0, n = 2 * (k & 7) + 2;
  if (k > 100)
    n = 1;
  if (n == 1)
    p = &x;
  else if (k > 3)
    p = &x;
  if (n >= 1 && n <= 3)
    return *p; // POSSIBLE: null-deref
  return 0;
}

int main(void) {
  return grown() + all_from_one_on(getchar()) + all_but_two(getchar()) + all_but_even_ones(getchar());
}
