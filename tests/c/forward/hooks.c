/* Functions that run without a call in the source change what comes later. */
#include <signal.h>
#include <stdlib.h>

static int before = 0, divisor = 1;

__attribute__((constructor)) static void prepare(void) { before = 5; }

static void bye(void) {
  before = 10 / divisor; // ALWAYS: div-by-zero
}

static void clear(int *p) { before = *p - 5; }

static void on_signal(int number) {
  before = 10 / number;  // POSSIBLE: div-by-zero
  before = 10 / divisor; // POSSIBLE: div-by-zero
}

static void on_break(int number) {
  before = 10 / number; // POSSIBLE: div-by-zero
}

static void unused(int number) {
  before = 10 / number; // UNREACHABLE: div-by-zero
}

int main(void) {
  int r = 10 / before; // SAFE: div-by-zero
  {
    __attribute__((cleanup(clear))) int five = 5;
    r += 10 / before; // SAFE: div-by-zero
  }
  atexit(bye);
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  signal(SIGTERM, on_break);
  if (before == 0)
    divisor = 0;
  else
    r = 10 / (r - r); // UNREACHABLE: div-by-zero
  if (r == 12345)
    unused(r * 0);
  return r;
}
