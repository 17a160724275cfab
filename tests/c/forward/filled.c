/* Arrays that are filled up to a count: elements below it have values, those behind may have none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  int id;
  double weight;
  char name[16];
};

static int fill(int *a, int most) {
  int n = 0;
  for (int c = getchar(); n < most && c != EOF; c = getchar())
    if (c != ' ')
      a[n++] = c;
  return n;
}

static int largest(const int *a, int n) {
  int most = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > most) // SAFE: uninit-read
      most = a[i];
  return most;
}

static int largest_of_more(const int *a, int n) {
  int most = 0;
  for (int i = 0; i <= n && i < 64; i++)
    if (a[i] > most) // POSSIBLE: uninit-read
      most = a[i];
  return most;
}

static int filled_in_a_function(void) {
  int a[64];
  int n = fill(a, 64);
  return largest(a, n);
}

static int one_too_many(void) {
  int a[64];
  int n = fill(a, 64);
  return largest_of_more(a, n);
}

static int every_other(void) {
  int a[64], n = 0;
  for (; n < 64; n += 2)
    a[n] = n;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= a[i]; // POSSIBLE: uninit-read
  return sum;
}

static int from_one(void) {
  int a[64], n = 1;
  while (n < 64)
    a[n++] = 3;
  return a[getchar() & 63]; // POSSIBLE: uninit-read - not a[0]
}

static int with_holes(int c) {
  int a[64], n = 0;
  while (n < 64) {
    if (c != 3)
      a[n] = c;
    n++;
  }
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= a[i]; // POSSIBLE: uninit-read
  return sum;
}

static int pops(void) {
  int stack[64], top = 0, sum = 0;
  stack[top++] = 1;
  while (top > 0) {
    top--;
    if (stack[top] < 5 && top < 62) { // SAFE: uninit-read
      stack[top + 1] = stack[top] + 1; // SAFE: uninit-read
      top += 2;
    }
    sum++;
  }
  return sum;
}

static int swaps(void) {
  int a[64];
  int n = fill(a, 64);
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1]) { // SAFE: uninit-read of a[i]; SAFE: uninit-read of a[i+1]
      int t = a[i];
      a[i] = a[i + 1];
      a[i + 1] = t;
    }
  return n;
}

static double records(void) {
  struct record r[20];
  int n = 0;
  char line[80];
  while (n < 20 && fgets(line, sizeof line, stdin)) {
    r[n].id = line[0];
    r[n].weight = line[1];
    strncpy(r[n].name, "name", sizeof r[n].name);
    n++;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += r[i].id + r[i].weight; // SAFE: uninit-read of r[i].id; SAFE: uninit-read of r[i].weight
  return sum;
}

static double members_left_out(void) {
  struct record r[20];
  int n = 0;
  while (n < 20 && getchar() != EOF) {
    r[n].id = n;
    n++;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += r[i].id + r[i].weight; // SAFE: uninit-read of r[i].id; POSSIBLE: uninit-read of r[i].weight
  return sum;
}

static int copied(void) {
  struct record r[20];
  int n = 0;
  while (n < 20 && getchar() != EOF) {
    struct record one;
    one.id = n;
    r[n++] = one;
  }
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= r[i].id; // SAFE: uninit-read
  for (int i = 0; i < n; i++)
    sum ^= r[i].weight > 1; // POSSIBLE: uninit-read
  return sum;
}

static int read_numbers(void) {
  int numbers[128];
  size_t n = fread(numbers, sizeof *numbers, 128, stdin);
  int sum = 0;
  for (size_t i = 0; i < n; i++)
    sum ^= numbers[i]; // SAFE: uninit-read
  for (size_t i = 0; i <= n && i < 128; i++)
    sum ^= numbers[i]; // POSSIBLE: uninit-read
  return sum;
}

static int resized(void) {
  int n = 0, room = 8;
  int *a = malloc(room * sizeof *a);
  if (!a)
    return 0;
  for (int c = getchar(); c != EOF; c = getchar()) {
    if (n == room) {
      if (room > 100000)
        break;
      room *= 2;
      int *more = realloc(a, room * sizeof *a);
      if (!more)
        break;
      a = more;
    }
    a[n++] = c;
  }
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= a[i]; // SAFE: uninit-read
  free(a);
  return sum;
}

static int made_smaller(void) {
  int *a = malloc(16 * sizeof *a), n = 0;
  if (!a)
    return 0;
  while (n < 16)
    a[n++] = getchar();
  int *b = realloc(a, 8 * sizeof *a);
  if (!b) {
    free(a);
    return 0;
  }
  int *c = realloc(b, 16 * sizeof *a);
  if (!c) {
    free(b);
    return 0;
  }
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= c[i]; // POSSIBLE: uninit-read - the last eight are gone
  free(c);
  return sum;
}

static int in_one_of_two(int which) {
  int a[16], b[16], n = 0;
  int *p = which ? a : b;
  while (n < 16)
    p[n++] = which;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= p[i]; // SAFE: uninit-read
  for (int i = 0; i < n; i++)
    sum ^= a[i]; // POSSIBLE: uninit-read - b may be the one
  return sum;
}

static int another_place(void) {
  int a[32], n = 0;
  int *p = a;
  while (n < 16)
    p[n++] = 3;
  p += 8;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= p[i]; // POSSIBLE: uninit-read
  return sum;
}

static int overwritten(void) {
  int a[16], b[16], n = 0;
  while (n < 16)
    a[n++] = getchar();
  if (getchar() == 'b')
    memcpy(a, b, sizeof a);
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= a[i]; // POSSIBLE: uninit-read
  return sum;
}

static int again(void) {
  int sum = 0, n = 0;
  for (int turn = 0; turn < 3; turn++) {
    int a[16];
    if (turn == 0)
      while (n < 16)
        a[n++] = turn;
    for (int i = 0; i < n; i++)
      sum ^= a[i]; // POSSIBLE: uninit-read - it is another array in each turn
  }
  return sum;
}

int main(void) {
  int sum = filled_in_a_function() + one_too_many() + every_other() + from_one() + with_holes(getchar());
  sum ^= pops() ^ swaps() ^ (records() > members_left_out()) ^ copied() ^ read_numbers() ^ resized() ^ made_smaller();
  sum ^= in_one_of_two(getchar()) ^ another_place() ^ overwritten() ^ again();
  return sum == 7;
}
