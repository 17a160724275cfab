/* Messages: some of them end the program, and in the locale "C" a text is its own translation. */
#include <err.h>
#include <error.h>
#include <libintl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

int rand(void);

static int ended(int n) {
  int *p = 0;
  if (n == 3) {
    err(1, "%d", n);
    return *p; // UNREACHABLE: null-deref
  }
  if (n == 4) {
    errx(n, NULL);
    return *p; // UNREACHABLE: null-deref
  }
  if (n == 5) {
    error(1, 0, "%d", n);
    return *p; // UNREACHABLE: null-deref
  }
  int status = n == 6;
  error(status, 0, "%d", n);
  if (status)
    return *p; // UNREACHABLE: null-deref
  error(0, 0, "on");
  warnx("on");
  return *p; // ALWAYS: null-deref
}

static void taken(const char *s) {
  syslog(LOG_ERR, "%m %s", s); // SAFE: null-deref
  s = 0;
  warn("%s", s); // ALWAYS: null-deref
}

static void behind_a_message(const char *s) {
  syslog(LOG_ERR, "%m %s", s); // ALWAYS: null-deref
}

static void no_format(void) {
  char *none = 0;
  warn(none);
  error(0, 0, none); // ALWAYS: null-deref
}

static int translated(int n) {
  char small[6];
  strcpy(small, gettext("hello"));        // SAFE: out-of-bounds
  sprintf(small, gettext("<%d>"), n & 7); // SAFE: out-of-bounds
  strcpy(small, dgettext("domain", "hello!")); // ALWAYS: out-of-bounds of strcpy(small)
  return small[0];
}

static int plural(unsigned n) {
  char small[5];
  strcpy(small, ngettext("file", "files", 1)); // SAFE: out-of-bounds
  strcpy(small, ngettext("file", "files", n)); // POSSIBLE: out-of-bounds of strcpy(small)
  return small[0];
}

static int of_nothing(void) {
  char *text = gettext(NULL);
  return text[0]; // ALWAYS: null-deref
}

int main(void) {
  char text[4] = "abc";
  switch (rand() & 7) {
  case 0: return ended(rand() & 15);
  case 1: taken(text); break;
  case 5: behind_a_message(0); break;
  case 2: no_format(); break;
  case 3: return translated(rand());
  case 4: return plural((unsigned)rand());
  default: return of_nothing();
  }
  return 0;
}
