/* `memchr` looks at characters up to the match: those behind it need not be there. */
#include <string.h>
#include <stdlib.h>
#include <stdio.h>
#include <wchar.h>

int rand(void);

static int early(void) {
  char b[4] = "ab";
  return memchr(b, 'b', 10) != 0 // SAFE: out-of-bounds - it stops there
      && memchr(b, 0, (size_t)-1) != 0; // SAFE: out-of-bounds
}

static int missing(void) {
  char b[4] = "ab";
  return memchr(b, 'x', 10) != 0; // ALWAYS: out-of-bounds
}

static int perhaps(void) {
  char b[4] = "ab";
  b[1] = (char)rand();
  int n = memchr(b, 'x', 4) != 0; // SAFE: out-of-bounds
  return n + (memchr(b, 'x', 5) != 0); // POSSIBLE: out-of-bounds
}

static int counted(size_t n) {
  char *b = malloc(n);
  if (!b)
    return 0;
  memset(b, 1, n);
  int found = memchr(b, rand(), n) != 0; // SAFE: out-of-bounds
  return found + (memchr(b, rand(), n + 1) != 0); // POSSIBLE: out-of-bounds
}

static int wide(void) {
  wchar_t b[3] = L"ab";
  return wmemchr(b, L'b', 7) != 0 // SAFE: out-of-bounds
      || wmemchr(b, L'x', 3) != 0 // SAFE: out-of-bounds
      || wmemchr(b, L'x', 4) != 0; // ALWAYS: out-of-bounds
}

static int of_none(char *none, size_t n) {
  if (none || n)
    return 0;
  int found = memchr(none, 'a', n) != 0; // SAFE: null-deref
  return found + (memchr(none, 'a', 2) != 0); // ALWAYS: null-deref
}

static int bounded_texts(void) {
  char b[4] = "abc", c[2] = {'a', 'b'};
  printf("%.*s%.9s", 9, b, b); // SAFE: out-of-bounds
  int n = (int)(strnlen(b, 10) + strnlen(c, 2)); // SAFE: out-of-bounds
  char *copy = strndup(b, 10); // SAFE: out-of-bounds
  free(copy);
  return n + (int)strnlen(c, 3); // POSSIBLE: out-of-bounds
}

int main(int argc, char **argv) {
  switch (rand() & 7) {
  case 0: return early();
  case 1: return missing();
  case 2: return perhaps();
  case 3: return counted((size_t)(rand() & 1023) + 1);
  case 4: return wide();
  case 5: return of_none(argc > 3 ? 0 : argv[0], (size_t)argc);
  default: return bounded_texts();
  }
}
