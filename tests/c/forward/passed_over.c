/* Jumps into a block, behind a declaration: its initializer does not run. */
#include <stdio.h>
#include <stdlib.h>

static int in_switch(int n) {
  switch (n) {
    int set = 3;
  case 1:
    return set; // ALWAYS: uninit-read
  case 2:
    set = 4;
    return set; // SAFE: uninit-read
  case 3: {
    int own = 5;
    return own;
  }
  case 4:;
    int late = 6;
    n += late; // SAFE: uninit-read
  default:
    return n < 12 ? late : 0; // POSSIBLE: uninit-read
  }
}

static int to_label(int n) {
  int first = 1;
  if (n > 5)
    goto out;
  int count = 2;
  first += count; // SAFE: uninit-read
out:
  if (n > 5)
    first += 7;
  else
    first += count; // SAFE: uninit-read
  return n > 8 ? count : first; // ALWAYS: uninit-read of count
}

int main(void) {
  int n = 0;
  if (scanf("%d", &n) != 1)
    return 1;
  return in_switch(n) + to_label(n);
}
