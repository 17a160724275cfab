// An element that is set through a pointer to it, before or after the counter goes on: it is the last of those that are set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct total {
  const char *name;
  int items;
  long pieces;
};
struct totals {
  struct total *of;
  int count, room;
};

static struct total *find(const struct totals *all, int which) {
  for (int i = 0; i < all->count; i++)
    if (getchar() == which)
      return &all->of[i];
  return NULL;
}

static struct total *add(struct totals *all) {
  struct total *one;
  if (all->count == all->room) {
    int room = all->room == 0 ? 4 : 2 * all->room; // POSSIBLE: signed-overflow
    struct total *grown = realloc(all->of, (size_t)room * sizeof *grown);
    if (grown == NULL)
      return NULL;
    all->of = grown;
    all->room = room;
  }
  one = &all->of[all->count];
  all->count++;
  memset(one, 0, sizeof *one); // SAFE: out-of-bounds; SAFE: null-deref
  one->name = "x"; // SAFE: out-of-bounds
  return one;
}

static int found_or_added(void) {
  struct totals all = {NULL, 0, 0};
  int which, sum = 0;
  while ((which = getchar()) != EOF) {
    struct total *one = find(&all, which);
    if (one == NULL)
      one = add(&all);
    if (one == NULL)
      break;
    sum += one->items == 3; // SAFE: uninit-read; SAFE: out-of-bounds
    one->pieces = which; // SAFE: out-of-bounds
  }
  for (int i = 0; i < all.count; i++)
    sum += all.of[i].pieces == 3; // SAFE: uninit-read; SAFE: out-of-bounds
  free(all.of);
  return sum;
}

/* Member by member, one of them late. */
static int by_members(void) {
  struct total *all = malloc(50 * sizeof *all);
  int count = 0, which, sum = 0;
  if (all == NULL)
    return 0;
  while ((which = getchar()) != EOF && count < 50) {
    struct total *one = &all[count++];
    one->items = which;
    one->pieces = 0;
  }
  for (int i = 0; i < count; i++) {
    sum += all[i].items == 3; // SAFE: uninit-read
    sum += all[i].pieces == 3; // SAFE: uninit-read
    sum += all[i].name == NULL; // ALWAYS: uninit-read
  }
  free(all);
  return sum;
}

/* The counter goes on where nothing is set. */
static int some_left_out(void) {
  struct total *all = malloc(50 * sizeof *all);
  int count = 0, which, sum = 0;
  if (all == NULL)
    return 0;
  while ((which = getchar()) != EOF && count < 50) {
    struct total *one = &all[count++];
    if (which != 'x')
      one->items = which;
  }
  for (int i = 0; i < count; i++)
    sum += all[i].items == 3; // POSSIBLE: uninit-read
  free(all);
  return sum;
}

/* The pointer is to the element behind the one that is counted. */
static int one_further(void) {
  struct total *all = malloc(50 * sizeof *all);
  int count = 0, which, sum = 0;
  if (all == NULL)
    return 0;
  while ((which = getchar()) != EOF && count < 49) {
    struct total *one = &all[count + 1];
    count++;
    memset(one, 0, sizeof *one); // SAFE: out-of-bounds
  }
  for (int i = 0; i < count; i++)
    sum += all[i].items == 3; // POSSIBLE: uninit-read
  free(all);
  return sum;
}

/* Half of an element is set. */
static int half_of_it(void) {
  struct total *all = malloc(50 * sizeof *all);
  int count = 0, which, sum = 0;
  if (all == NULL)
    return 0;
  while ((which = getchar()) != EOF && count < 50) {
    struct total *one = &all[count++];
    memset(one, 0, sizeof one->name); // SAFE: out-of-bounds
  }
  for (int i = 0; i < count; i++) {
    sum += all[i].name == NULL; // SAFE: uninit-read
    sum += all[i].items == 3; // POSSIBLE: uninit-read
  }
  free(all);
  return sum;
}

/* The pointer leads to another block than the one that is read. */
static int of_another_block(void) {
  struct total *all = malloc(50 * sizeof *all), *other = malloc(50 * sizeof *other);
  int count = 0, which, sum = 0;
  if (all == NULL || other == NULL)
    return 0;
  while ((which = getchar()) != EOF && count < 50) {
    struct total *one = &other[count++];
    one->items = which;
  }
  for (int i = 0; i < count; i++) {
    sum += other[i].items == 3; // SAFE: uninit-read
    sum += all[i].items == 3; // POSSIBLE: uninit-read
  }
  free(all);
  free(other);
  return sum;
}

/* The block is another one since the pointer was taken. */
static int moved_since(void) {
  struct total *all = malloc(50 * sizeof *all);
  int count = 0, which, sum = 0;
  if (all == NULL)
    return 0;
  while ((which = getchar()) != EOF && count < 50) {
    struct total *one = &all[count++];
    one->items = which;
    if (which == 'n') {
      all = malloc(50 * sizeof *all);
      if (all == NULL)
        return 0;
      one->items = 4;
    }
  }
  for (int i = 0; i < count; i++)
    sum += all[i].items == 3; // POSSIBLE: uninit-read
  free(all);
  return sum;
}

/* The pointer is a copy of one that leads to one of two arrays: the other one is not set. */
static int of_either(void) {
  int these[10], those[10], count = 2, which, sum = 0;
  int *first, *to;
  these[0] = these[1] = those[0] = those[1] = 1;
  first = getchar() == 'a' ? these : those;
  to = first;
  while ((which = getchar()) != EOF && count < 9)
    to[count++] = which;
  for (int i = 0; i < count; i++) {
    sum += these[i] == 3; // POSSIBLE: uninit-read
  }
  return sum;
}

/* The same of a block that may have been taken the place of. */
static int of_old_or_new(void) {
  struct total *all = malloc(50 * sizeof *all), *other = malloc(50 * sizeof *other);
  struct total *now, *to;
  int count = 0, which, sum = 0;
  if (all == NULL || other == NULL)
    return 0;
  now = all;
  if (getchar() == 'a')
    now = other;
  to = now;
  while ((which = getchar()) != EOF && count < 50)
    to[count++].items = which;
  for (int i = 0; i < count; i++) {
    sum += all[i].items == 3; // POSSIBLE: uninit-read
  }
  free(all);
  free(other);
  return sum;
}

int main(void) {
  return found_or_added() + by_members() + some_left_out() + one_further() + half_of_it() + of_another_block() +
         moved_since() + of_either() + of_old_or_new();
}
