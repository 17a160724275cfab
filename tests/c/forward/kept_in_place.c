/* Vectors that begin as NULL, get elements only sometimes, and lose some of them in place afterwards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
  int *at;
  int count, capacity;
};

static int push(struct vector *v, int x) {
  if (v->count == v->capacity) {
    int capacity = v->capacity == 0 ? 4 : 2 * v->capacity;
    int *grown = realloc(v->at, (size_t)capacity * sizeof *grown);
    if (grown == NULL)
      return 0;
    v->at = grown;
    v->capacity = capacity;
  }
  v->at[v->count++] = x; // SAFE: null-deref; SAFE: out-of-bounds - there is a block where there is room
  return 1;
}

static void keep_great_ones(struct vector *v) {
  int i, kept = 0;
  for (i = 0; i < v->count; i++)
    if (v->at[i] > 50) // SAFE: null-deref; SAFE: out-of-bounds; SAFE: uninit-read
      v->at[kept++] = v->at[i]; // SAFE: null-deref; SAFE: out-of-bounds
  v->count = kept;
}

static int sum(const struct vector *v) {
  int all = 0;
  for (int i = 0; i < v->count; i++)
    all = (all + v->at[i]) % 1000; // SAFE: null-deref; SAFE: out-of-bounds; SAFE: uninit-read - `count` has become smaller
  return all;
}

/* The same, for a vector of which the count is changed elsewhere, too. */
static int push_where_counts_leap(struct vector *v, int x) {
  if (v->count == v->capacity) {
    int capacity = v->capacity == 0 ? 4 : 2 * v->capacity;
    int *grown = realloc(v->at, (size_t)capacity * sizeof *grown);
    if (grown == NULL)
      return 0;
    v->at = grown;
    v->capacity = capacity;
  }
  v->at[v->count] = x; // POSSIBLE: null-deref of v->at[v->count]; POSSIBLE: out-of-bounds of v->at[v->count]
  v->count++;
  return 1;
}

int main(void) {
  struct vector v = {NULL, 0, 0}, w = {NULL, 0, 0};
  int c, all;
  while ((c = getchar()) != EOF)
    if (c != 'x' && !push(&v, c))
      return 1;
  keep_great_ones(&v);
  all = sum(&v);
  while ((c = getchar()) != EOF)
    if (c == 'y' && w.count < 1000)
      w.count += 2;
    else if (c != 'x' && !push_where_counts_leap(&w, c))
      return 1;
  return all;
}
