/* Lines and words that are longer than any buffer of usual size. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

char *gets(char *);
int rand(void);

static char room[2000000];

static void any_line(void) {
  gets(room); // POSSIBLE: out-of-bounds
}

static int any_word(void) {
  return scanf("%s", room); // POSSIBLE: out-of-bounds of scanf(room)
}

static int short_word(void) {
  return scanf("%1999999s", room); // SAFE: out-of-bounds of scanf(room)
}

static void whole_line(void) {
  char *line = 0;
  size_t n = 0;
  ssize_t length = getline(&line, &n, stdin);
  if (length > 0) {
    strcpy(room, line);   // POSSIBLE: out-of-bounds of strcpy(room)
    line[length - 1] = 0; // SAFE: out-of-bounds
  }
  free(line);
}

int main(void) {
  switch (rand() & 3) {
  case 0: any_line(); break;
  case 1: return any_word();
  case 2: return short_word();
  default: whole_line();
  }
  return 0;
}
