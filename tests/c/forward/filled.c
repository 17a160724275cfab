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
  for (int i = 0, k = 1; k < n; i++, k++)
    if (a[i] > a[k]) { // SAFE: uninit-read of a[i]; SAFE: uninit-read of a[k]
      int t = a[i];
      a[i] = a[k];
      a[k] = t;
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
    sum += r[i].id + r[i].weight; // SAFE: uninit-read of r[i].id; ALWAYS: uninit-read of r[i].weight
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

static int in_front(int c) {
  int a[40], n = 0;
  int *from = &a[4];
  while (n < 30) {
    int x = getchar();
    from[n++] = x;
  }
  int j = n - 1;
  while (j >= -1 && from[j] > c) // POSSIBLE: uninit-read - at -1 too
    j--;
  j = n - 1;
  while (j >= 0 && from[j] > c) // SAFE: uninit-read
    j--;
  return j;
}

static int by_a_larger_record(void) {
  struct pair {
    int first, second;
  };
  struct many {
    struct pair pair;
    int rest[6];
  } many;
  int *a = malloc(32 * sizeof *a), n = 0, sum = 0;
  if (!a)
    return 0;
  while (n < 32)
    a[n++] = 1;
  many.pair.first = many.pair.second = 1;
  *(struct many *)a = many;
  for (int i = 0; i < n; i++)
    sum ^= a[i]; // POSSIBLE: uninit-read - the rest has no values
  free(a);
  return sum;
}

static int by_a_record_of_several(int k) {
  struct four {
    int a, b, c, d;
  } four;
  int a[16];
  a[0] = 1;
  four.b = 7;
  *(struct four *)a = four;
  return a[k & 1] ^ 3; // POSSIBLE: uninit-read - a[0] has none any more
}

static int over_the_pointer(void) {
  struct node {
    struct node *next;
    int number;
  };
  struct node *a = malloc(4 * sizeof *a);
  if (!a)
    return 0;
  a->next = a;
  a->next->next = a + 1;
  int found = a->next->next == 0; // ALWAYS: uninit-read of a->next->next; SAFE: uninit-read of a->next
  free(a);
  return found;
}

int main(void) {
  int sum = filled_in_a_function() + one_too_many() + every_other() + from_one() + with_holes(getchar());
  sum ^= pops() ^ swaps() ^ (records() > members_left_out()) ^ copied() ^ read_numbers() ^ resized() ^ made_smaller();
  sum ^= in_one_of_two(getchar()) ^ another_place() ^ overwritten() ^ again();
  sum ^= in_front(3) ^ by_a_larger_record() ^ by_a_record_of_several(getchar()) ^ over_the_pointer();
  return sum == 7;
}
