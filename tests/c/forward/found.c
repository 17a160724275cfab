/* Indices that are looked for: behind the loop that finds one, and where a function returns it. */
#include <stdio.h>
#include <stdlib.h>

static int *all;
static int count;

static int find(int x) {
  for (int i = 0; i < count; i++)
    if (all[i] == x) // SAFE: out-of-bounds
      return i;
  return -1;
}

static int find_or_end(int x) {
  for (int i = 0; i < count; i++)
    if (all[i] == x) // SAFE: out-of-bounds
      return i;
  return count;
}

int main(void) {
  int n = rand();
  if (n < 1 || n > 1000)
    return 1;
  all = calloc(n, sizeof *all);
  if (!all)
    return 1;
  for (int c = getchar(); count < n && c != EOF; c = getchar())
    all[count++] = c; // SAFE: out-of-bounds

  int k = -1;
  for (int i = 0; i < count; i++)
    if (all[i] == 3) { // SAFE: out-of-bounds
      k = i;
      break;
    }
  if (k >= 0)
    printf("%d\n", all[k]); // SAFE: out-of-bounds

  int end = count;
  for (int i = 0; i < count; i++)
    if (all[i] == 4) { // SAFE: out-of-bounds
      end = i;
      break;
    }
  printf("%d\n", all[end]); // POSSIBLE: out-of-bounds - nothing may be found

  int at = find(5);
  if (at >= 0)
    printf("%d\n", all[at]); // SAFE: out-of-bounds
  at = find_or_end(5);
  if (at >= 0)
    printf("%d\n", all[at]); // POSSIBLE: out-of-bounds
  at = find_or_end(5);
  if (at < count)
    printf("%d\n", all[at]); // SAFE: out-of-bounds
  return 0;
}
