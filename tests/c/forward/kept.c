/* What the library keeps from call to call: a later call may give what an earlier one gave. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void on_signal(int number) { (void)number; }

/* What the library keeps is no variable of the program, whatever that is called. */
void *handler;

static int handlers(void) {
  int n = 3;
  signal(SIGINT, on_signal);
  assert(handler == 0); // SAFE: assertion
  if (rand() && signal(SIGINT, SIG_DFL) == on_signal)
    return n / (n - 3); // ALWAYS: div-by-zero
  return n;
}

/* Each signal has a handler of its own. */
static int of_two(int number) {
  int n = 3;
  signal(SIGHUP, on_signal);
  signal(SIGQUIT, SIG_IGN);
  if (signal(SIGHUP, SIG_DFL) != on_signal)
    return n / (n - 3); // UNREACHABLE: div-by-zero
  if (signal(SIGQUIT, SIG_DFL) != SIG_IGN)
    return n / (n - 3); // UNREACHABLE: div-by-zero
  signal(number, on_signal);
  if (signal(SIGHUP, SIG_DFL) == on_signal)
    return n / (n - 3); // ALWAYS: div-by-zero - the number may be that of SIGHUP
  return n;
}

static int actions(void) {
  struct sigaction action, old;
  int n = 3;
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;
  sigaction(SIGTERM, &action, 0);
  if (sigaction(SIGTERM, 0, &old) == 0 && old.sa_handler == on_signal)
    return n / (n - 3); // ALWAYS: div-by-zero
  return n;
}

static int times(const time_t *early, const time_t *late) {
  struct tm *a = gmtime(early);
  if (!a)
    return 0;
  int year = a->tm_year;
  struct tm *b = localtime(late);
  if (!b)
    return 0;
  if (a->tm_year != year)
    return year / (a->tm_year - b->tm_year); // POSSIBLE: div-by-zero - both are one object
  return 0;
}

static int members(void) {
  struct hostent *host = gethostbyname("a");
  int n = 3;
  if (host && host->h_addr_list && host->h_addr_list[0])
    return n / (n - 3); // ALWAYS: div-by-zero
  return n;
}

static int raised = 1;
static void note(int number) { raised = number - SIGUSR1; }

static int signals(void) {
  signal(SIGUSR1, note);
  raise(SIGUSR1);
  return 3 / raised; // POSSIBLE: div-by-zero - the handler has run, or the signal was blocked
}

static int numbers(void) {
  errno = 500;
  int n = errno == 500 ? 2 : 1;
  return 3 / (n - 2) // POSSIBLE: div-by-zero
         + (int)(100 / sysconf(_SC_PAGESIZE)); // SAFE: div-by-zero
}

static int environment(void) {
  int n = 0;
  if (getenv("HOME"))
    n = getenv("HOME")[0]; // SAFE: null-deref
  if (getenv("HOME")) {
    unsetenv("HOME");
    n += getenv("HOME")[0]; // POSSIBLE: null-deref
  }
  return n;
}

static int parsed(const char *text) {
  struct tm when;
  int n = 3;
  char copy[8] = "2020x";
  char *end = strptime(copy, "%Y", &when);
  if (end)
    *end = 0; // SAFE: null-deref
  if (copy[0] != '2')
    return n / (n - 3); // ALWAYS: div-by-zero - the end may be its start
  return text[0];
}

int main(int argc, char **argv) {
  time_t early = argc, late = 86400L * 400;
  int n = handlers() + actions() + times(&early, &late) + members() + environment() + signals() + numbers() + of_two(argc);
  assert(localeconv() == localeconv()); // POSSIBLE: assertion
  assert(strerror(1) != strerror(1)); // POSSIBLE: assertion
  assert(getpid() == getpid()); // POSSIBLE: assertion
  assert(fileno(stdout) >= -1); // SAFE: assertion
  return n + (argv[0] ? parsed(argv[0]) : 0);
}
