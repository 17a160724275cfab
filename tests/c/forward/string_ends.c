// What is copied into a string and ends it leaves it a string of determinate characters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ended(const char *name, unsigned long length) {
  char *path = malloc(length + 3);
  if (!path || length < strlen(name)) return;
  strcpy(path, name);
  memcpy(&path[length], ".Z", 3);
  printf("%s\n", path); // SAFE: uninit-read
  free(path);
}

static void not_ended(const char *name, unsigned long length) {
  char *path = malloc(length + 3);
  if (!path || length < strlen(name)) return;
  strcpy(path, name);
  memcpy(&path[length], ".Z", 2);
  printf("%s\n", path); // POSSIBLE: uninit-read
  free(path);
}

static void ended_by_what_has_no_value(const char *name, unsigned long length) {
  char *path = malloc(length + 4), end[4];
  if (!path || length < strlen(name)) return;
  strcpy(path, name);
  end[0] = 'Z', end[3] = 0;
  memcpy(&path[length], end, 4);
  printf("%s\n", path); // POSSIBLE: uninit-read
  free(path);
}

int main(int argc, char **argv) {
  if (argc < 2) return 0;
  ended(argv[1], atoi(argv[1]));
  not_ended(argv[1], atoi(argv[1]));
  ended_by_what_has_no_value(argv[1], atoi(argv[1]));
  return 0;
}
