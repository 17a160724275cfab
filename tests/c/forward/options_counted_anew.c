// The twin of options.c that gives getopt another number of arguments than there are.
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int letter, level = 0;
  while ((letter = getopt(argc + 1, argv, "ab:")) != -1)
    level = letter == 'a';
  if (argc - optind == 2)
    return (int)strlen(argv[optind]); // SAFE: out-of-bounds of argv[optind] - by what was just asked for
  if (argc == optind)
    exit(level);
  return (int)strlen(argv[optind]); // POSSIBLE: out-of-bounds of argv[optind]
}
