/* Strings whose characters are all set, and calls that are told apart by what they return. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int rand(void);

static int read_line(void) {
  char line[64];
  if (!fgets(line, sizeof line, stdin))
    return (int)strlen(line); // POSSIBLE: out-of-bounds; POSSIBLE: uninit-read - nothing was read
  int n = (int)strlen(line); // SAFE: out-of-bounds; SAFE: uninit-read
  line[0] = (char)rand();
  n += (int)strlen(line); // SAFE: out-of-bounds - the zero is not the first character
  line[1] = (char)rand();
  n += (int)strlen(line); // POSSIBLE (intended): out-of-bounds - it may have been the second
  return n;
}

static int read_lines(void) {
  char line[64], *p;
  int n = 0;
  while (fgets(line, 60, stdin)) {
    while ((p = strchr(line, 'x'))) // SAFE: out-of-bounds
      *p = 0; // SAFE: out-of-bounds
    n += (int)strlen(line); // SAFE: out-of-bounds; SAFE: uninit-read
  }
  return n;
}

static int copied(const char *from) {
  char *block = strdup(from);
  if (!block)
    return 0;
  int n = (int)strlen(block); // SAFE: out-of-bounds; SAFE: uninit-read; SAFE: null-deref
  n += (int)strlen(block + 1); // POSSIBLE: out-of-bounds
  free(block);
  return n;
}

static int joined(int which) {
  char room[64];
  if (which)
    strcpy(room, "one");
  else
    snprintf(room, sizeof room, "%d", rand());
  strcat(room, "!"); // SAFE: uninit-read
  int n = (int)strlen(room); // SAFE: out-of-bounds; SAFE: uninit-read
  memset(room, 'x', (size_t)(rand() & 63));
  return n + (int)strlen(room); // POSSIBLE: out-of-bounds
}

static int part(void) {
  char some[8];
  some[1] = 0;
  strncpy(some + 2, "abc", 3);
  return (int)strlen(some + 1) // SAFE: out-of-bounds; SAFE: uninit-read
         + (int)strlen(some); // POSSIBLE: uninit-read - the first character is not set
}

static int of_time(const struct tm *when) {
  char day[16];
  if (strftime(day, sizeof day, "%d", when) == 0)
    return (int)strlen(day); // POSSIBLE: out-of-bounds; POSSIBLE: uninit-read
  return (int)strlen(day); // SAFE: out-of-bounds; SAFE: uninit-read
}

int main(int argc, char **argv) {
  struct tm when = {0};
  int n = read_line() + read_lines() + joined(argc) + part() + of_time(&when);
  return argc > 0 && argv[0] ? n + copied(argv[0]) : n;
}
