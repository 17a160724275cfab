/* Pointers into strings: what is found there, and what loops over characters move on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rand(void);

/* "name" "rest": a place that strchr found, one further, and zeros and other characters written there. */
static int quoted(void) {
  char line[80];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  char *p = strchr(line, '"'); // SAFE: out-of-bounds
  if (!p)
    return 0;
  p++;
  char *q = strchr(p, '"'); // SAFE: out-of-bounds
  if (q) {
    *q = 0;
    return (int)strlen(p); // SAFE: out-of-bounds; SAFE: uninit-read
  }
  q = strchr(p, 0); // SAFE: out-of-bounds
  q++;
  return (int)strlen(q); // POSSIBLE: out-of-bounds - behind the zero
}

static int overwritten(void) {
  char line[80];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  char *p = strchr(line, ' ');
  if (!p)
    return 0;
  int n = (int)strlen(p); // SAFE: out-of-bounds; SAFE: uninit-read
  *p = 'x';
  n += (int)strlen(p); // SAFE: out-of-bounds - the zero is where it was
  line[rand() & 63] = 'y';
  return n + (int)strlen(p); // POSSIBLE: out-of-bounds
}

static int skipped(const char *s) {
  while (*s == ' ') // SAFE: out-of-bounds
    s++;
  int n = 0;
  while (*s) { // SAFE: out-of-bounds
    if (s[0] == '\\' && s[1] == 'n') // SAFE: out-of-bounds
      s++;
    s++;
    n++;
  }
  return n;
}

static int skipped_too_far(const char *s) {
  int n = 0;
  do {
    n += *s; // POSSIBLE: out-of-bounds - the zero may have been passed
    s++;
  } while (n < 1000);
  return n;
}

static int lines(void) {
  char line[80];
  int n = 0;
  while (fgets(line, sizeof line, stdin)) {
    n += skipped(line);
    char *end = strrchr(line, '\n');
    if (end)
      *end = 0;
    n += (int)strlen(line); // SAFE: out-of-bounds; SAFE: uninit-read
  }
  return n;
}

static char buffer[80];
static char *place;

static void clear(void) {
  memset(buffer, 'x', sizeof buffer);
}

/* A callee that ends the string that a variable of its caller, which it does not see, points into. */
static int behind_the_back(void) {
  if (!fgets(buffer, sizeof buffer, stdin))
    return 0;
  char *p = strchr(buffer, ':');
  place = p;
  if (!p)
    return 0;
  int n = (int)strlen(p); // SAFE: out-of-bounds
  n += quoted();
  n += (int)strlen(p) + (int)strlen(place); // SAFE: out-of-bounds; SAFE: uninit-read
  clear();
  n += (int)strlen(p); // POSSIBLE: out-of-bounds
  return n;
}

static char *after_colon(char *s) {
  char *p = strchr(s, ':');
  return p ? p + 1 : s;
}

static int returned(void) {
  char line[80];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  char *p = after_colon(line);
  return (int)strlen(p); // SAFE: out-of-bounds; SAFE: uninit-read
}

/* The pointer is the same, but not where it points to. */
static int moved_away(int n) {
  char line[80];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  char *p = strchr(line, ' ');
  if (!p)
    return 0;
  p += n & 31;
  return (int)strlen(p); // POSSIBLE: out-of-bounds
}

static int of_one_of_two(int which) {
  char a[40], b[40];
  if (!fgets(a, sizeof a, stdin) || !fgets(b, sizeof b, stdin))
    return 0;
  char *p = strchr(a, 'a'), *q = strchr(b, 'b');
  if (!p || !q)
    return 0;
  b[0] = 'x';
  char *r = which ? p : q;
  return (int)strlen(p) // SAFE: out-of-bounds
         + (int)strlen(r); // POSSIBLE: out-of-bounds
}

/* The zero that is met first need not be the one that stood there before. */
static int set_up_to_the_first_zero(int n) {
  char p[16];
  memset(p, 'a', n > 1 ? 4 : 3);
  p[15] = 0;
  char *q = p;
  if (q[0] != 'a' || q[1] != 'a' || q[2] != 'a')
    return 0;
  p[0] = 0;
  puts(q); // SAFE: out-of-bounds
  q++;
  return puts(q); // SAFE: out-of-bounds; POSSIBLE: uninit-read
}

struct node {
  struct node *next;
  char *name;
  int n;
};

/* What is written is written once; the same words may mean another place then. */
static int written_once(int n) {
  struct node head, other;
  char *room = malloc(4);
  if (!room)
    return 0;
  memset(room, n | 1, 4);
  head.next = &head;
  head.name = 0;
  other.next = (struct node *)room;
  other.name = 0;
  head.next->next = &other;
  return puts((char *)other.next); // POSSIBLE: out-of-bounds
}

static int copied_once(int n) {
  static int two[2];
  struct node head, other;
  head.next = &head;
  other.next = 0;
  struct node *t = &other;
  head.next->next = t;
  if (t && head.next->next == 0)
    return two[n + 1]; // POSSIBLE: out-of-bounds
  return 0;
}

union halves {
  char *p;
  struct {
    unsigned long low : 32, high : 32;
  } f;
};

static int of_bits(void) {
  char plain[4] = "abc";
  union halves a, b;
  a.p = plain;
  b.f.low = a.f.low;
  b.f.high = a.f.high;
  return (int)strlen(b.p); // POSSIBLE (intended): out-of-bounds
}

/* An index instead of a pointer. */
static int counted(const char *s) {
  int i = 0, n = 0;
  while (s[i] == ' ') // SAFE: out-of-bounds
    i++;
  for (; s[i]; i++) // SAFE: out-of-bounds
    if (s[i] == '\\' && s[i + 1]) { // SAFE: out-of-bounds
      n++;
      i++;
    }
  return n + s[i + 1]; // POSSIBLE: out-of-bounds
}

static int found_by_index(int n) {
  char line[80];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  unsigned i = 0;
  while (line[i] && line[i] != ':') // SAFE: out-of-bounds
    i++;
  unsigned j = i;
  i = (unsigned)n;
  int found = line[j] == ':'; // SAFE: out-of-bounds
  line[n & 63] = 'x';
  while (line[j]) // POSSIBLE: out-of-bounds - the zero may have been overwritten
    j++;
  return found + (int)i;
}

static int as_narrow_as_a_char(const char *s) {
  unsigned char i = 0;
  int n = 0;
  while (s[i]) { // POSSIBLE (intended): out-of-bounds - the index starts again, but at a byte that is there
    i++;
    if (++n > 100000)
      break;
  }
  return n;
}

int main(int argc, char **argv) {
  int n = quoted() + overwritten() + lines() + behind_the_back() + returned() + moved_away(argc) + of_one_of_two(argc);
  n += set_up_to_the_first_zero(argc) + written_once(argc) + copied_once(argc) + of_bits() + found_by_index(argc);
  if (argc > 0 && argv[0])
    n += skipped(argv[0]) + counted(argv[0]) + as_narrow_as_a_char(argv[0]);
  return n + skipped_too_far(argc > 0 && argv[0] ? argv[0] : "abc");
}
