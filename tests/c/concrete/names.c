/* One object or function under several names: alias, weakref, names for the linker. */
#include <stdio.h>

int first = 1;
extern int again __attribute__((alias("first")));
extern int chain __attribute__((alias("again")));
extern int labelled __asm__("second");
int second = 7;
static int *const to_labelled = &labelled;

static int twice(int x) { return 2 * x; }
static int reference(int x) __attribute__((weakref("twice")));
int named(int x) __asm__("named_for_the_linker");
int named_for_the_linker(int x) { return x + 100; }
int later(int x) __attribute__((alias("thrice")));
int thrice(int x) { return 3 * x; }

int main(void) {
  again = 5;
  printf("%d %d %d\n", first, again, &first == &again);
  second = 8;
  printf("%d %d\n", labelled, *to_labelled);
  labelled++;
  printf("%d\n", second);
  chain = 9;
  printf("%d %d %d\n", first, again, later == thrice);
  printf("%d %d %d\n", reference(4), named(4), later(4));
  return 0;
}
