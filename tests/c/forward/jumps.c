// What a variable holds after a jump back: what changed since `setjmp` is left open (C11 7.13.2.1p3), what was never written is still not.
#include <setjmp.h>

extern int any(void);

static jmp_buf env;

static void maybe(int c, int *out) {
  if (c)
    *out = 5;
}

static int never_written(void) {
  int x;
  volatile int times = 0;
  maybe(0, &x);
  if (setjmp(env))
    return x; // POSSIBLE: uninit-read
  if (times++ == 0)
    longjmp(env, 1);
  return 0;
}

static int written(void) {
  int x;
  volatile int times = 0;
  maybe(1, &x);
  if (setjmp(env))
    return x; // SAFE: uninit-read
  if (times++ == 0)
    longjmp(env, 1);
  return 0;
}

static int written_in_between(void) {
  int x;
  volatile int times = 0;
  if (setjmp(env))
    return x; // POSSIBLE: uninit-read - where the jump came first
  maybe(any(), &x);
  if (times++ == 0)
    longjmp(env, 1);
  return 0;
}

struct pair {
  int a, b;
};

static int a_part_assigned(void) {
  struct pair p;
  volatile int times = 0;
  if (setjmp(env))
    return p.b; // POSSIBLE: uninit-read
  p.a = any();
  if (times++ == 0)
    longjmp(env, 1);
  return 0;
}

static int the_part_assigned(void) {
  struct pair p;
  volatile int times = 0;
  p.b = 1;
  if (setjmp(env))
    return p.b; // SAFE: uninit-read
  p.b = any();
  if (times++ == 0)
    longjmp(env, 1);
  return 0;
}

int main(void) {
  never_written();
  written();
  written_in_between();
  a_part_assigned();
  the_part_assigned();
  return 0;
}
