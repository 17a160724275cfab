/* A string of the environment ends inside its block, which nobody frees; its length is that of a copy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *home = getenv("HOME");
  char small[16];
  puts(home); // POSSIBLE: null-deref
  if (home == NULL)
    return 1;
  puts(home); // SAFE: out-of-bounds; SAFE: null-deref; SAFE: use-after-free; SAFE: uninit-read
  if (strlen(home) < sizeof small)
    strcpy(small, home); // SAFE: out-of-bounds
  if (strlen(home) <= sizeof small)
    strcpy(small, home); // POSSIBLE: out-of-bounds of strcpy(small); SAFE: out-of-bounds of strcpy(home)
  char *copy = malloc(strlen(home) + 1);
  char *shorter = malloc(strlen(home));
  if (copy == NULL || shorter == NULL)
    return 1;
  strcpy(copy, home); // SAFE: out-of-bounds
  if (copy[strlen(home)]) // SAFE: out-of-bounds of copy[strlen(...)]
    return 2;
  strcpy(shorter, home); // POSSIBLE: out-of-bounds of strcpy(shorter); SAFE: out-of-bounds of strcpy(home)
  return 0;
}
