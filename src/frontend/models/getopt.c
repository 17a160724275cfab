/* getopt of POSIX and getopt_long of the GNU library (getopt(3)), with its orders where POSIXLY_CORRECT is not set (assumption D16).
   Messages are left out: output has no consequences. */
struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

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

/* How many characters of `word` name a long option: those before '=' or the end. */
static unsigned long name_length(const char *word) {
  unsigned long length = 0;
  while (word[length] && word[length] != '=')
    length++;
  return length;
}

/* Whether `name` begins with the first `length` characters of `word`: 2 if it has no others. */
static int begins_with(const char *name, const char *word, unsigned long length) {
  for (unsigned long i = 0; i < length; i++)
    if (name[i] != word[i])
      return 0;
  return name[length] ? 1 : 2;
}

static int has_letter(const char *options, char letter) {
  while (*options && *options != letter)
    options++;
  return *options == letter;
}

/* Which long option `word` names, or begins the name of: -1 for none, -2 for one of several. */
static int long_option(const char *word, const struct option *longs, int only) {
  unsigned long length = name_length(word);
  int found = -1, several = 0;
  for (int i = 0; longs[i].name; i++)
    if (begins_with(longs[i].name, word, length) == 2)
      return i;
  for (int i = 0; longs[i].name; i++) {
    if (!begins_with(longs[i].name, word, length))
      continue;
    if (found < 0)
      found = i;
    else if (only || longs[found].has_arg != longs[i].has_arg || longs[found].flag != longs[i].flag || longs[found].val != longs[i].val)
      several = 1;
  }
  return several ? -2 : found;
}

/* Takes the long option that `word` in the present element names; -1: it is none, and may be a cluster of short ones. */
static int take_long(int argc, char **argv, const char *options, char *word, const struct option *longs, int *which, int only) {
  int found = long_option(word, longs, only);
  if (found == -1 && only && argv[optind][1] != '-' && has_letter(options, *word))
    return -1;
  optind++;
  left = 0;
  if (found < 0) {
    wrong = 0;
    return '?';
  }
  const struct option *one = &longs[found];
  unsigned long length = name_length(word);
  if (word[length]) {
    if (!one->has_arg) {
      wrong = one->val;
      return '?';
    }
    optarg = word + length + 1;
  } else if (one->has_arg == 1) {
    if (optind >= argc) {
      wrong = one->val;
      return *options == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  if (which)
    *which = found;
  if (!one->flag)
    return one->val;
  *one->flag = one->val;
  return 0;
}

static int next_option(int argc, char **argv, const char *options, const struct option *longs, int *which, int only) {
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
    if (longs) {
      char *word = argv[optind];
      if (word[1] == '-')
        return take_long(argc, argv, options, word + 2, longs, which, only);
      if (only && (word[2] || !has_letter(options, word[1]))) {
        int code = take_long(argc, argv, options, word + 1, longs, which, only);
        if (code != -1)
          return code;
      }
    }
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
  if (longs && letter == 'W' && known[1] == ';') {
    if (!*left && optind >= argc) {
      left = 0;
      wrong = letter;
      return *options == ':' ? ':' : '?';
    }
    return take_long(argc, argv, options, *left ? left : argv[optind], longs, which, 0);
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

static int next(int argc, char *const *argv, const char *options, const struct option *longs, int *which, int only) {
  if (argc < 1)
    return -1;
  int letter = next_option(argc, (char **)argv, options, longs, which, only);
  optopt = wrong;
  return letter;
}

int getopt(int argc, char *const *argv, const char *options) { return next(argc, argv, options, 0, 0, 0); }

int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *which) {
  return next(argc, argv, options, longs, which, 0);
}

int getopt_long_only(int argc, char *const *argv, const char *options, const struct option *longs, int *which) {
  return next(argc, argv, options, longs, which, 1);
}
