/* Blocks that grow long after a loop has begun, where a number below the last place is reached. */
#include <stdio.h>
#include <stdlib.h>

static int read_all(void) {
  int room = 30, n = 0, c;
  int *all = malloc(30 * sizeof *all);
  if (!all)
    return 1;
  while ((c = getchar()) != EOF) {
    if (c == '#')
      continue;
    if (n == room - 1) {
      if (room > 1000000)
        break;
      int *more = realloc(all, sizeof *all * (room += 20)); // SAFE: double-free
      if (!more) {
        free(all);
        return 1;
      }
      all = more;
    }
    all[n++] = c; // SAFE: out-of-bounds; SAFE: use-after-free; SAFE: signed-overflow
  }
  all[n] = 0; // SAFE: out-of-bounds; SAFE: use-after-free
  free(all);  // SAFE: double-free
  return n;
}

/* The twin asks one element too late. */
static int read_too_many(void) {
  int room = 30, n = 0, c;
  int *all = malloc(30 * sizeof *all);
  if (!all)
    return 1;
  while ((c = getchar()) != EOF) {
    if (n == room + 1)
      break;
    all[n++] = c; // POSSIBLE: out-of-bounds
  }
  free(all);
  return n;
}

/* The twin forgets where the block has gone. */
static int read_into_the_old(void) {
  int room = 30, n = 0, c;
  int *all = malloc(30 * sizeof *all);
  if (!all)
    return 1;
  while ((c = getchar()) != EOF) {
    if (c == '#')
      continue;
    if (n == room - 1) {
      int *more = realloc(all, sizeof *all * room); // POSSIBLE: double-free
      if (!more)
        exit(1);
      n = 0;
    }
    all[n++] = c; // POSSIBLE: use-after-free; SAFE: out-of-bounds
  }
  return n;
}

int main(void) { return read_all() + read_too_many() + read_into_the_old(); }
