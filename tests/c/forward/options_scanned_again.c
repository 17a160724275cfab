// The twin of options_stepped.c that scans again from where the program has set the index.
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static unsigned long sum;

static void parse(int argc, char **argv) {
  int letter;
  while ((letter = getopt(argc, argv, "ab:")) != -1)
    if (letter == '?')
      exit(1);
  if (argc - optind > 3)
    exit(1);
  sum += strlen(argv[optind]); // POSSIBLE: out-of-bounds of argv[optind]
  optind += 2;
}

int main(int argc, char **argv) {
  parse(argc, argv);
  parse(argc, argv);
  return sum > 3;
}
