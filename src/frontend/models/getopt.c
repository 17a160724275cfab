/* getopt of POSIX, with the GNU library's orders (getopt(3)) where POSIXLY_CORRECT is not set (assumption D16). Messages are left
   out: output has no consequences. */
char *optarg = 0;
int optind = 1;
int opterr = 1;
int optopt = '?';

/* What is left of the element whose options are being taken. */
static char *left = 0;
/* Elements that are no options and were passed over: they lie before the one that the present options began in. */
static int passed = 0;
static int begun = 1;
/* The order of the first scan: '+', '-' or another character for options first; and the last letter that was wrong. */
static int started = 0;
static char order;
static int wrong = 0;

/* Moves what was passed over behind the options that were taken since. */
static void put_options_first(char **argv) {
  for (int n = 0; n < passed; n++) {
    char *moved = argv[begun - passed];
    for (int i = begun - passed; i + 1 < optind; i++)
      argv[i] = argv[i + 1];
    argv[optind - 1] = moved;
  }
  begun = optind;
}

/* The program may have set the index anew. */
static void note_index(void) {
  int first = begun - passed;
  if (begun > optind)
    begun = optind;
  if (first > begun)
    first = begun;
  passed = begun - first;
  if (passed == 0)
    begun = optind;
}

/* Takes no more options: -1. */
static int stop(char **argv) {
  put_options_first(argv);
  optind -= passed;
  passed = 0;
  begun = optind;
  left = 0;
  return -1;
}

static int is_option(const char *word) { return word[0] == '-' && word[1] != 0; }

/* Begins with the next element that holds options: 0; else what getopt is to return. */
static int next_element(int argc, char **argv) {
  put_options_first(argv);
  if (order != '+' && order != '-')
    for (; optind < argc && !is_option(argv[optind]); optind++)
      passed++;
  begun = optind;
  if (optind >= argc)
    return stop(argv);
  char *word = argv[optind];
  if (!is_option(word)) {
    if (order == '+')
      return stop(argv);
    optarg = word;
    optind++;
    begun = optind;
    return 1;
  }
  if (word[1] == '-' && word[2] == 0) {
    optind++;
    put_options_first(argv);
    return stop(argv);
  }
  left = word + 1;
  return 0;
}

static int next_option(int argc, char **argv, const char *options) {
  optarg = 0;
  if (optind == 0 || !started) {
    if (optind == 0)
      optind = 1;
    left = 0;
    passed = 0;
    begun = optind;
    order = *options;
    started = 1;
  }
  if (*options == '+' || *options == '-')
    options++;
  if (!left || !*left) {
    note_index();
    int done = next_element(argc, argv);
    if (done)
      return done;
  }
  char letter = *left++;
  if (!*left)
    optind++;
  const char *known = options;
  while (*known && *known != letter)
    known++;
  if (!*known || letter == ':' || letter == ';') {
    wrong = letter;
    return '?';
  }
  if (known[1] != ':')
    return letter;
  if (*left) {
    optarg = left;
    optind++;
  } else if (known[2] == ':') {
    optarg = 0;
  } else if (optind < argc) {
    optarg = argv[optind++];
  } else {
    wrong = letter;
    letter = *options == ':' ? ':' : '?';
  }
  left = 0;
  return letter;
}

int getopt(int argc, char *const *argv, const char *options) {
  if (argc < 1)
    return -1;
  int letter = next_option(argc, (char **)argv, options);
  optopt = wrong;
  return letter;
}
