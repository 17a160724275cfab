/* getopt: what it returns, where it stands, and in which order it leaves the arguments. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void scan(const char *options, int again, int count, const char *const *words) {
  char *argv[16] = {"program"};
  int argc = 1;
  for (int i = 0; i < count; i++)
    argv[argc++] = (char *)words[i];
  opterr = 0;
  optind = again;
  printf("%s:", options);
  for (int rounds = 0; rounds < 20; rounds++) {
    int letter = getopt(argc, argv, options);
    printf(" %d@%d", letter, optind);
    if (optarg)
      printf("=%s", optarg);
    if (letter == '?' || letter == ':')
      printf("(%c)", optopt);
    else if (rounds == 0)
      printf("(%d)", optopt);
    if (letter == -1)
      break;
    if (rounds == 2 && again == 1)
      optind = 1;
  }
  for (int i = 0; i < argc; i++)
    printf(" %s", argv[i]);
  printf("\n");
}

int main(void) {
  static const char *const options[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c", "abc", "a:b:", "a;b:", "", ":"};
  static const char *const words[][6] = {
      {"-a", "x", "-b", "y", "z", "-c"}, {"-abx", "--", "-a", "y", "-b", "z"}, {"x", "-cy", "-c", "y", "-z", "-b"},
      {"-", "-a", "--", "--", "-c", "x"}, {"-:", "-;", "-ba", "x", "y", "-acx"}, {"x", "y", "z", "-", "", "w"},
  };
  for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
      for (int again = 0; again < 2; again++)
        scan(options[i], again, 6 - (int)(i + k) % 3, words[k]);
  return 0;
}
