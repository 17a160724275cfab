/* Capacities of type size_t: a block has no more bytes than there are, so that twice as many elements as it has are still a number. */
#include <stdio.h>
#include <stdlib.h>

struct vector {
  int *of;
  size_t length, capacity;
};

static int push(struct vector *v, int x) {
  if (v->length == v->capacity) {
    size_t capacity = v->capacity ? 2 * v->capacity : 8;
    int *grown = realloc(v->of, capacity * sizeof *grown); // SAFE: double-free
    if (grown == NULL)
      return 0;
    v->of = grown;
    v->capacity = capacity;
  }
  v->of[v->length++] = x; // SAFE: out-of-bounds; SAFE: null-deref; SAFE: use-after-free
  return 1;
}

static unsigned doubled(void) {
  struct vector v = {0};
  unsigned sum = 0;
  for (int c; (c = getchar()) > ' ' && push(&v, c);)
    ;
  for (size_t i = 0; i < v.length; i++)
    sum += v.of[i]; // SAFE: out-of-bounds; SAFE: use-after-free; SAFE: uninit-read
  free(v.of);       // SAFE: double-free
  return sum;
}

/* One more than there are. */
static unsigned one_by_one(void) {
  long *of = NULL;
  size_t length = 0;
  for (int c; (c = getchar()) > ' ';) {
    long *grown = realloc(of, (length + 1) * sizeof *of); // SAFE: double-free
    if (!grown)
      break;
    of = grown;
    of[length++] = c; // SAFE: out-of-bounds
  }
  long last = length > 0 ? of[length - 1] : 0; // SAFE: out-of-bounds
  free(of);
  return (unsigned)last;
}

/* The twin: nothing has as many elements as the number says. */
static int too_small(void) {
  size_t capacity = 8;
  while (getchar() > ' ')
    capacity *= 2;
  int *of = malloc(capacity * sizeof *of);
  if (!of)
    return 0;
  of[capacity / 2] = 1; // POSSIBLE: out-of-bounds - the product wraps, where the number is large
  free(of);
  return 1;
}

int main(int argc, char **argv) {
  switch (argc) {
  case 1: return doubled() & 1;
  case 2: return one_by_one() & 1;
  default: return too_small();
  }
}
