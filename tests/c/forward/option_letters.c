/* Arguments that are looked at character by character, read anew each time: what stands in front of a character is not zero. */
#include <stdio.h>

struct options {
  const char *name;
  int verbose;
};

static int parse(int argc, char **argv, struct options *options) {
  int i;
  for (i = 1; i < argc; i += 2) {
    if (argv[i][0] != '-' || argv[i][1] == '\0' || i + 1 == argc) // SAFE: out-of-bounds; SAFE: null-deref
      return 0;
    switch (argv[i][1]) { // SAFE: out-of-bounds
    case 'n':
      options->name = argv[i + 1];
      break;
    case 'v':
      options->verbose = argv[i][2]; // SAFE: out-of-bounds
      break;
    case 'w':
      options->verbose = argv[i][3]; // POSSIBLE: out-of-bounds of argv[i][3]
      break;
    default:
      return 0;
    }
  }
  return 1;
}

static int without_look(int argc, char **argv) {
  int n = 0;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-')
      n += argv[i][1] % 2; // POSSIBLE: out-of-bounds of argv[i][1] - the first may be the zero
  return n;
}

static int another_argument(int argc, char **argv) {
  int n = 0;
  for (int i = 1; i + 1 < argc; i++)
    if (argv[i][0] == '-')
      n += argv[i + 1][1] % 2; // POSSIBLE: out-of-bounds of argv[i + 1][1]
  return n;
}

static int index_moves(int argc, char **argv) {
  int i = 1, n = 0;
  while (i + 1 < argc && argv[i][0] == '-') {
    i++;
    n += argv[i][1] % 2; // POSSIBLE: out-of-bounds of argv[i][1]
  }
  return n;
}

int main(int argc, char **argv) {
  struct options options = {"", 0};
  if (!parse(argc, argv, &options))
    return without_look(argc, argv);
  puts(options.name);
  return another_argument(argc, argv) + index_moves(argc, argv) + options.verbose;
}
