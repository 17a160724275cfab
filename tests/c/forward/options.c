// Where getopt stands behind its calls: at an argument, or behind the last one.
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static char *first, *second;

static void parse(int argc, char **argv) {
  int letter, level = 0;
  while ((letter = getopt(argc, argv, "ab:c::")) != -1) {
    switch (letter) {
    case 'a': level = 1; break;
    case 'b': level = 2; break;
    default: exit(level);
    }
  }
  if (argc - optind != 2) // SAFE: signed-overflow
    exit(1);
  first = strdup(argv[optind]); // SAFE: out-of-bounds
  second = argv[optind + 1]; // SAFE: out-of-bounds
  if (strlen(second) > 3) // SAFE: null-deref
    exit(2);
}

static int any_left(int argc, char **argv) {
  while (getopt(argc, argv, "ab") != -1)
    continue;
  if (argc == optind)
    exit(3);
  return (int)strlen(argv[optind]); // SAFE: out-of-bounds of argv[optind]
}

int main(int argc, char **argv) {
  if (argc > 5)
    return any_left(argc, argv);
  parse(argc, argv);
  return 0;
}
