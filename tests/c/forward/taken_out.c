/* Elements that were set and move within their array, and records that are copied from among them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct part { char *data; int kind; unsigned size; };

/* The kinds of five elements at most, and of how many. */
static int read_kinds(struct part *all) {
  int n = 0;
  while (n < 5) {
    int kind = getchar();
    if (kind == EOF)
      break;
    all[n].kind = kind;
    n++;
  }
  return n;
}

/* One element is taken out of an array: those behind it move up. */
static int taken_out(void) {
  struct part *all = malloc(5 * sizeof *all);
  int n = 0, sum = 0;
  if (!all) return 0;
  n = read_kinds(all);
  for (int i = 0; i < n - 1; i++)
    if (all[i].kind == 7) {
      memmove(all + i, all + i + 1, sizeof(struct part) * (n - i - 1)); // SAFE: out-of-bounds
      n -= 1;
      i -= 1;
    }
  for (int i = 0; i < n; i++)
    sum += all[i].kind == 3; // SAFE: uninit-read
  free(all);
  return sum;
}
/* The same with one more element than there is. */
static int one_more(void) {
  struct part *all = malloc(6 * sizeof *all);
  int n = 0, sum = 0;
  if (!all) return 0;
  n = read_kinds(all);
  for (int i = 0; i < n; i++)
    if (all[i].kind == 7) {
      memmove(all + i, all + i + 1, sizeof(struct part) * (n - i)); // SAFE: out-of-bounds
      break;
    }
  for (int i = 0; i < n; i++)
    sum += all[i].kind == 3; // POSSIBLE: uninit-read
  free(all);
  return sum;
}
/* To where another member stands. */
static int askew(void) {
  struct part *all = malloc(6 * sizeof *all);
  int n = 0, sum = 0;
  if (!all) return 0;
  n = read_kinds(all);
  for (int i = 0; i < n - 1; i++)
    if (all[i].kind == 7) {
      memmove((char *)(all + i) + 4, all + i + 1, sizeof(struct part) * (n - i - 1)); // SAFE: out-of-bounds
      break;
    }
  for (int i = 0; i < n; i++)
    sum += all[i].kind == 3; // POSSIBLE: uninit-read
  free(all);
  return sum;
}
/* A record that is copied from behind them. */
static int copied(void) {
  struct part *all = malloc(6 * sizeof *all), last, next;
  int n = 0, sum = 0;
  if (!all)
    return 0;
  n = read_kinds(all);
  if (n > 0) {
    last = all[n - 1];
    sum += last.kind == 3; // SAFE: uninit-read
    sum += last.size == 3; // POSSIBLE: uninit-read
  }
  next = all[n];
  sum += next.kind == 3; // POSSIBLE (intended): uninit-read
  free(all);
  return sum;
}
/* The size comes from what is kept in global memory. */
static struct part *vector;
static int room, count;
static void more_room(void) {
  if (count >= room) {
    room *= 2;
    vector = realloc(vector, sizeof(struct part) * room);
    if (!vector)
      exit(1);
  }
}
static void read_all(void) {
  for (;;) {
    int kind = getchar();
    more_room();
    if (kind == EOF)
      return;
    char *data = malloc(20);
    if (!data)
      exit(1);
    vector[count].kind = kind; // SAFE: out-of-bounds
    vector[count].size = 20;
    vector[count].data = data;
    count += 1;
    if (kind == 2)
      free(vector[--count].data); // SAFE: uninit-read; SAFE: out-of-bounds
  }
}
static void remove_kind(int kind) {
  for (int i = 0; i < count - 1; i++)
    if (vector[i].kind == kind) { // SAFE: uninit-read; SAFE: out-of-bounds
      memmove(vector + i, vector + i + 1, sizeof(struct part) * (count - i - 1)); // SAFE: out-of-bounds
      count -= 1;
      i -= 1;
    }
}
static void keep(void) {
  struct part first, second, unset;
  memset(&first, 0, sizeof first);
  memset(&second, 0, sizeof second);
  unset.kind = 3;
  for (int i = 0; i < count; i++) {
    if (vector[i].kind == 7 && first.kind == 0) // SAFE: uninit-read
      first = vector[i];
    else if (vector[i].kind == 8 && second.kind == 0) // SAFE: uninit-read
      second = vector[i];
    else
      unset.kind = vector[i].kind;
  }
  count = 0;
  if (first.kind)
    vector[count++] = first;
  if (second.kind)
    vector[count++] = second;
  if (count && unset.size) // ALWAYS: uninit-read
    vector[count - 1].size = 0;
}
static unsigned sizes(void) {
  unsigned sum = 0;
  for (int i = 0; i < count; i++)
    sum += vector[i].size; // SAFE: uninit-read; SAFE: out-of-bounds
  return sum;
}
static void of_files(int files) {
  room = 5;
  vector = malloc(sizeof(struct part) * room);
  if (!vector)
    exit(1);
  for (int i = 0; i < files; i++) {
    count = 0;
    read_all();
    remove_kind(i);
    printf("%u", sizes());
    keep();
    read_all();
    printf("%u", sizes());
  }
}

int main(int argc, char **argv) {
  (void)argv;
  of_files(argc);
  return taken_out() + one_more() + askew() + copied();
}
