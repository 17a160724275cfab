/* Texts that are put together character by character and end with a zero; zeros of which either branch writes another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rand(void);

/* What a loop sets and a zero behind it ends is a text. */
static const char *field(const char *s, char *to, int most) {
  int n = 0;
  while (*s != '\0' && *s != ',') {
    if (n < most) {
      to[n] = *s;
      n++;
    }
    s++;
  }
  while (n > 0 && to[n - 1] == ' ')
    n--;
  to[n] = '\0';
  return *s == ',' ? s + 1 : NULL;
}

static size_t fields(const char *line) {
  char name[32], group[32];
  const char *rest = field(line, name, 31);
  if (rest == NULL)
    return strlen(name); // SAFE: out-of-bounds; SAFE: uninit-read
  field(rest, group, 31);
  return strlen(name)     // SAFE: out-of-bounds; SAFE: uninit-read
         + strlen(group); // SAFE: out-of-bounds; SAFE: uninit-read
}

/* The zero stands behind a place that nothing set. */
static size_t behind_a_gap(const char *s) {
  char to[32];
  int n = 0;
  while (*s && n < 30)
    to[n++] = *s++;
  to[n + 1] = 0;
  return strlen(to); // SAFE: out-of-bounds; POSSIBLE: uninit-read
}

/* Something else ends it: another character. */
static size_t not_ended(const char *s) {
  char to[32];
  int n = 0;
  while (*s && n < 31)
    to[n++] = *s++;
  to[n] = s[0] ? s[0] : ' ';
  return strlen(to); // POSSIBLE: out-of-bounds
}

/* The zero that ended it is overwritten. */
static size_t ended_no_more(const char *s) {
  char to[32];
  int n = 0;
  while (*s && n < 31)
    to[n++] = *s++;
  to[n] = 0;
  to[rand() & 31] = 'x';
  return strlen(to); // POSSIBLE: out-of-bounds; POSSIBLE: uninit-read
}

/* Either branch ends it elsewhere. */
static size_t either(int which, const char *s) {
  char to[32], other[32];
  if (which) {
    to[0] = 0;
    other[5] = 0;
  } else {
    int n = 0;
    while (*s && n < 31)
      to[n++] = *s++;
    to[n] = 0;
    memset(other, 'x', 32);
  }
  return strlen(to)       // SAFE: out-of-bounds; SAFE: uninit-read
         + strlen(other); // POSSIBLE: out-of-bounds; POSSIBLE: uninit-read
}

/* The zero of one branch stands in front of where the string starts that is read. */
static size_t in_front(int which) {
  char to[32];
  int at = rand();
  if (at < 3 || at > 8)
    return 0;
  memset(to, 'x', sizeof to);
  if (which)
    to[at] = 0;
  else
    to[20] = 0;
  return strlen(to + 3)    // SAFE: out-of-bounds
         + strlen(to + 4); // POSSIBLE: out-of-bounds
}

/* One of several blocks gets a text, the others none. */
static size_t blocks(int count, const char *s) {
  char *last = NULL, *first = NULL;
  for (int i = 0; i < count; i++) {
    char *new = malloc(32);
    if (!new)
      return 0;
    if (!first)
      first = new;
    last = new;
  }
  if (!first)
    return 0;
  int n = 0;
  while (*s && n < 31)
    last[n++] = *s++;
  last[n] = 0;
  return strlen(first); // POSSIBLE: out-of-bounds; POSSIBLE: uninit-read
}

int main(int argc, char **argv) {
  if (argc < 2 || !argv[1])
    return 0;
  size_t all = fields(argv[1]) + behind_a_gap(argv[1]) + not_ended(argv[1]) + ended_no_more(argv[1]);
  all += either(rand(), argv[1]) + in_front(rand()) + blocks(argc, argv[1]);
  return all > 100;
}
