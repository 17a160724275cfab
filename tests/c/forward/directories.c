/* The names of a directory's entries end, also where an entry may be one that `readdir` has given before. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static size_t longest(DIR *dir) {
  size_t most = 0;
  struct dirent *entry;
  while ((entry = readdir(dir)) != NULL) {
    if (strcmp(entry->d_name, ".") == 0) // SAFE: out-of-bounds
      continue;
    size_t length = strlen(entry->d_name); // SAFE: out-of-bounds
    if (length > most)
      most = length;
  }
  return most;
}

/* The twin writes over the end. */
static size_t damaged(DIR *dir) {
  struct dirent *entry = readdir(dir), *other = readdir(dir);
  if (!entry || !other)
    return 0;
  memset(entry->d_name, 'x', sizeof entry->d_name);
  return strlen(other->d_name); // POSSIBLE: out-of-bounds - it may be the same
}

int main(int argc, char **argv) {
  DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
  if (!dir)
    return 1;
  size_t n = longest(dir) + damaged(dir);
  closedir(dir);
  return n > 99;
}
