// A character that is written in front of the zero of a string leaves that zero where it is. Twins differ in one fact.
#include <ctype.h>
#include <string.h>

/* The byte that strchr finds is not the zero. */
static size_t replaced(char *s) {
  char *c = strchr(s, '-');
  if (c)
    *c = ' ';
  return strlen(s); // SAFE: out-of-bounds
}

/* This one may be. */
static size_t replaced_any(char *s, int sought) {
  char *c = strchr(s, sought);
  if (c)
    *c = ' ';
  return strlen(s); // POSSIBLE: out-of-bounds
}

/* One character further on the zero may stand. */
static size_t replaced_next(char *s) {
  char *c = strchr(s, '-');
  if (c)
    c[1] = ' ';
  return strlen(s); // POSSIBLE: out-of-bounds
}

static size_t in_place(char *s) {
  for (char *p = s; *p; p++)
    *p = toupper((unsigned char)*p); // SAFE: out-of-bounds
  return strlen(s);                  // SAFE: out-of-bounds
}

/* The zero is overwritten before it is looked at. */
static size_t too_far(char *s) {
  char *p = s;
  do
    *p = '.';
  while (*++p);     // POSSIBLE: out-of-bounds
  return strlen(s); // POSSIBLE: out-of-bounds
}

int main(int argc, char **argv) {
  size_t n = 0;
  if (argc > 6) {
    n += replaced(argv[1]);
    n += in_place(argv[4]);
    n += replaced_next(argv[3]);
    n += replaced_any(argv[2], argc - 7);
    n += too_far(argv[5]);
  }
  return n > 9;
}
