// The program takes the arguments behind the options one by one, and scans no more.
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static unsigned long sum;

static void parse(int argc, char **argv) {
  int letter;
  while ((letter = getopt(argc, argv, "ab:")) != -1)
    if (letter == '?')
      exit(1);
  while (optind < argc) {
    if (argc - optind > 3) // SAFE: signed-overflow
      exit(1);
    sum += strlen(argv[optind]); // SAFE: out-of-bounds
    optind++; // SAFE: signed-overflow
  }
}

int main(int argc, char **argv) {
  parse(argc, argv);
  return sum > 3;
}
