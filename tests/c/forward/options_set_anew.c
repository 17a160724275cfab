// The twin of options.c that sets the index itself.
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int letter, level = 0;
  while ((letter = getopt(argc, argv, "ab:")) != -1)
    level = letter == 'a';
  optind -= 3;
  if (argc - optind != 2)
    exit(level);
  return (int)strlen(argv[optind]); // POSSIBLE: out-of-bounds of argv[optind]
}
