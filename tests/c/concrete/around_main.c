/* What runs without a call in the source: constructors, handlers of atexit, destructors; aliases. */
#include <stdio.h>
#include <stdlib.h>

static int steps;

static void say(const char *what) { printf("%d %s\n", ++steps, what); }

__attribute__((constructor)) static void late(void) { say("constructor"); }
__attribute__((constructor(200))) static void early(void) { say("constructor 200"); }
static void last(void) __attribute__((destructor));
static void last(void) { say("destructor"); }

static void one(void) { say("handler one"); }
static void two(void) {
  say("handler two");
  atexit(one);
}

static int twice(int x) { return 2 * x; }
static int doubled(int x) __attribute__((alias("twice")));

static void leave(int early) {
  if (early)
    exit(steps);
}

int main(int argc, char **argv) {
  (void)argv;
  say("main");
  if (atexit(one) != 0 || atexit(two) != 0)
    return 1;
  leave(argc > 1);
  printf("%d\n", doubled(argc));
  return steps;
}
