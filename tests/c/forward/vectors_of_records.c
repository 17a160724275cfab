// What is read of vectors of records: elements through pointers to them, and that there is a block where there are elements.
#include <stdio.h>
#include <stdlib.h>

struct part {
  const char *name;
  int kind;
  long size;
};
struct parts {
  struct part *of;
  int count, room;
};

static int add(struct parts *all, int kind) {
  if (all->count == all->room) {
    int room = all->room == 0 ? 4 : 2 * all->room; // POSSIBLE: signed-overflow
    struct part *grown = realloc(all->of, (size_t)room * sizeof *grown);
    if (grown == NULL)
      return 0;
    all->of = grown;
    all->room = room;
  }
  all->of[all->count].name = "x"; // SAFE: out-of-bounds; SAFE: null-deref
  all->of[all->count].kind = kind; // SAFE: out-of-bounds; SAFE: null-deref
  all->of[all->count].size = 3;
  all->count++;
  return 1;
}

static int through_pointers(const struct parts *all) {
  int sum = 0;
  for (int i = 0; i < all->count; i++) {
    const struct part *one = &all->of[i];
    sum += one->kind == 3; // SAFE: uninit-read; SAFE: null-deref; SAFE: out-of-bounds
    sum += one->size == 3; // SAFE: uninit-read; SAFE: null-deref; SAFE: out-of-bounds
  }
  return sum;
}

static int by_index(const struct parts *all) {
  int sum = 0;
  for (int i = 0; i < all->count; i++)
    sum += all->of[i].kind == 3; // SAFE: uninit-read; SAFE: null-deref; SAFE: out-of-bounds
  return sum;
}

/* One element more than were set. */
static int one_too_many(const struct parts *all) {
  int sum = 0;
  for (int i = 0; i < all->room; i++) {
    const struct part *one = &all->of[i];
    sum += one->kind == 3; // POSSIBLE: uninit-read; SAFE: out-of-bounds
  }
  return sum;
}

/* The element behind the one that is known to be set. */
static int the_next(const struct parts *all) {
  int sum = 0;
  for (int i = 0; i < all->count; i++) {
    const struct part *one = &all->of[i];
    sum += one[1].kind == 3; // POSSIBLE: uninit-read; POSSIBLE: out-of-bounds
  }
  return sum;
}

/* Elements are counted where there may be no block. */
static int counted_alone(void) {
  struct parts all = {NULL, 0, 0};
  if (getchar() == 'b') {
    all.of = malloc(4 * sizeof *all.of);
    if (all.of == NULL)
      return 0;
  }
  if (getchar() == 'c')
    all.count = 1;
  if (all.count < 1)
    return 0;
  all.of[0].kind = 3; // POSSIBLE: null-deref
  return all.of[0].kind;
}

int main(void) {
  struct parts all = {NULL, 0, 0};
  int kind, sum;
  while ((kind = getchar()) != EOF)
    if (!add(&all, kind))
      break;
  sum = through_pointers(&all) + by_index(&all) + one_too_many(&all) + the_next(&all) + counted_alone();
  free(all.of);
  return sum;
}
