/* Widening stops first at what the program compares a number with. */
#include <stdio.h>
#include <stdlib.h>

struct ring {
  int head, count, passed;
  int buf[40];
};

static int put(struct ring *r, int v) {
  if (r->count == 40)
    return 0;
  r->buf[r->head % 40u] = v; // SAFE: out-of-bounds
  r->count++;                // SAFE: signed-overflow - another function's constant stops it
  return 1;
}

static int put_passed(struct ring *r, int v) {
  if (r->passed == 42)
    return 0;
  int at = r->passed - 1;
  r->buf[at] = v; // POSSIBLE: out-of-bounds - 41 passes
  r->passed++;    // SAFE: signed-overflow
  return 1;
}

int main(void) {
  struct ring *r = malloc(sizeof *r), *s = malloc(sizeof *s);
  if (!r || !s)
    return 1;
  r->head = r->count = r->passed = 0;
  s->head = s->count = 0;
  s->passed = 1;
  int c;
  while ((c = getchar()) != EOF)
    put(r, c);
  while ((c = getchar()) != EOF)
    put_passed(s, c);
  printf("%d\n", 100 / (41 - r->count)); // SAFE: div-by-zero
  printf("%d\n", 100 / (42 - s->passed)); // POSSIBLE: div-by-zero
  return 0;
}
