/* The middle of two numbers lies between them: searches by halves. */
#include <stdio.h>
#include <stdlib.h>

static int *sorted;
static int count;

static int search(int x) {
  int low = 0, high = count - 1;
  while (low <= high) {
    int mid = low + (high - low) / 2; // SAFE: signed-overflow
    if (sorted[mid] == x)             // SAFE: out-of-bounds
      return mid;
    if (sorted[mid] < x)
      low = mid + 1; // SAFE: signed-overflow
    else
      high = mid - 1;
  }
  return -1;
}

static int search_halves(int x) {
  int low = 0, high = count;
  while (low < high) {
    int mid = (low + high) / 2;
    if (sorted[mid] < x) // SAFE: out-of-bounds - below high, since half of 1 is cut off
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static int search_too_far(int x) {
  int low = 0, high = count;
  while (low <= high) {
    int mid = low + (high - low) / 2;
    if (sorted[mid] == x) // POSSIBLE: out-of-bounds of sorted[mid] - mid may be count
      return mid;
    if (x > 3)
      low = mid + 1;
    else
      high = mid - 1;
  }
  return -1;
}

static int search_wide(unsigned x) {
  unsigned low = 0, high = 2 * x;
  unsigned mid = (low + high) >> 1, third = low + (high - low) / 3;
  return 1 / (mid <= high && third <= high); // SAFE: div-by-zero
}

static int search_between(int low, int high) {
  int mid = low + (high - low) / 2;
  return 1 / (mid <= high); // POSSIBLE: div-by-zero - high may be below low
}

int main(void) {
  int n = rand();
  if (n < 1 || n > 1000)
    return 1;
  sorted = calloc(n, sizeof *sorted);
  if (!sorted)
    return 1;
  count = n;
  for (int i = 0; i < n; i++)
    sorted[i] = i * 2; // SAFE: out-of-bounds
  int k = search(14);
  if (k >= 0)
    printf("%d\n", sorted[k]); // SAFE: out-of-bounds
  printf("%d\n", search_halves(3) + search_too_far(n) + search_wide(n) + search_between(rand(), rand()));
  return 0;
}
