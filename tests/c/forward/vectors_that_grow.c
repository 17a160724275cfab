/* Arrays with a length and a capacity, in elements, that are both 0 at first. */
#include <stdio.h>
#include <stdlib.h>

struct vector {
  int *of;
  int length, capacity;
};

static int push(struct vector *v, int x) {
  if (v->length == v->capacity) {
    int capacity = v->capacity == 0 ? 4 : 2 * v->capacity; // POSSIBLE: signed-overflow
    int *grown = realloc(v->of, (size_t)capacity * sizeof *grown); // SAFE: use-after-free; SAFE: double-free
    if (grown == NULL)
      return 0;
    v->of = grown;
    v->capacity = capacity;
  }
  v->of[v->length] = x; // SAFE: out-of-bounds; SAFE: null-deref; SAFE: use-after-free
  v->length++;
  return 1;
}

static unsigned doubled(void) {
  struct vector v = {0, 0, 0};
  unsigned sum = 0;
  for (int x; scanf("%d", &x) == 1;)
    if (!push(&v, x)) {
      free(v.of); // SAFE: double-free - where realloc fails the old block stays
      return 1;
    }
  for (int i = 0; i < v.length; i++)
    sum += v.of[i]; // SAFE: out-of-bounds; SAFE: use-after-free
  free(v.of);       // SAFE: double-free
  return sum;
}

static unsigned by_steps(void) {
  int *of = 0, length = 0, capacity = 0;
  for (int x; scanf("%d", &x) == 1;) {
    if (length >= capacity) {
      capacity += 16; // POSSIBLE: signed-overflow
      int *grown = realloc(of, capacity * sizeof *of);
      if (!grown)
        break;
      of = grown;
    }
    of[length++] = x; // SAFE: out-of-bounds; SAFE: null-deref; SAFE: use-after-free
  }
  unsigned first = length > 0 ? of[length - 1] : 0; // SAFE: out-of-bounds
  free(of);                                         // SAFE: double-free
  return first;
}

/* Twins: one element more than there is room for; a block that is used although it was moved. */
static void one_too_many(void) {
  int *of = 0, length = 0, capacity = 0;
  for (int x; scanf("%d", &x) == 1;) {
    if (length > capacity) {
      capacity += 16;
      int *grown = realloc(of, capacity * sizeof *of);
      if (!grown)
        break;
      of = grown;
    }
    of[length++] = x; // ALWAYS: null-deref
  }
  free(of);
}

static int moved(int *old, int n) {
  int *grown = realloc(old, n * sizeof *old);
  if (!grown)
    return old[0]; // SAFE: use-after-free
  return old[0];   // ALWAYS: use-after-free
}

/* Twins: of no bytes, some libraries free the block and give NULL. */
static void resized(char *p, int n) {
  char *q = realloc(p, n);
  if (!q)
    free(p); // POSSIBLE: double-free
  free(q);
}

static void resized_to_some(char *p, int n) {
  char *q = n > 0 ? realloc(p, n) : p;
  if (!q)
    free(p); // SAFE: double-free
  free(q);
}

int main(int argc, char **argv) {
  unsigned n = argc > 2 ? doubled() : by_steps();
  int *some = calloc(4, sizeof *some);
  if (argc > 1)
    one_too_many();
  resized(malloc(4), argc);
  resized_to_some(malloc(4), argc);
  return some ? moved(some, 8) : (int)(n & 7);
}
