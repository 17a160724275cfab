/* getopt_long: what it returns, where it stands, what it stores, and in which order it leaves the arguments. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static int noted;

static void scan(int only, const char *options, int count, const char *const *words) {
  static const struct option longs[] = {
      {"all", no_argument, 0, 'a'},      {"file", required_argument, 0, 'f'}, {"filter", optional_argument, 0, 300},
      {"note", no_argument, &noted, 7},  {"verbose", no_argument, 0, 'v'},    {"verbatim", no_argument, 0, 'v'},
      {"version", no_argument, 0, 'V'},  {"x", required_argument, &noted, 9}, {0, 0, 0, 0},
  };
  char *argv[16] = {"program"};
  int argc = 1;
  for (int i = 0; i < count; i++)
    argv[argc++] = (char *)words[i];
  opterr = 0;
  optind = 0;
  noted = 0;
  printf("%d %s:", only, options);
  for (int rounds = 0; rounds < 20; rounds++) {
    int which = -5;
    int *asked = rounds % 3 == 2 ? 0 : &which;
    int letter = only ? getopt_long_only(argc, argv, options, longs, asked) : getopt_long(argc, argv, options, longs, asked);
    printf(" %d@%d/%d/%d", letter, optind, which, noted);
    if (optarg)
      printf("=%s", optarg);
    if (letter == '?' || letter == ':')
      printf("(%d)", optopt);
    if (letter == -1)
      break;
  }
  for (int i = 0; i < argc; i++)
    printf(" %s", argv[i]);
  printf("\n");
}

int main(void) {
  static const char *const options[] = {"af:v", "+af:v", "-af::", ":f:", "W;a", ""};
  static const char *const words[][6] = {
      {"--all", "x", "--file", "y", "--file=z", "--fil=q"}, {"--filter", "u", "--filter=w", "--filter=", "--fi", "--f"},
      {"--verb", "--ver", "--v", "--verbose=3", "--note", "y"}, {"-all", "-a", "-file", "x", "-f", "--file"},
      {"--x", "--x=1", "-x", "2", "-xy", "--xy"}, {"-W", "all", "-Wfile=3", "-Wx", "y", "-W"},
      {"--none", "--", "--all", "-", "", "--all"}, {"-av", "-afx", "-vf", "--no", "-n", "-not"},
  };
  for (int only = 0; only < 2; only++)
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
      for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        scan(only, options[i], 6 - (int)(i + k) % 3, words[k]);
  return 0;
}
