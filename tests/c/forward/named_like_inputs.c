/* Functions that have the names of inputs, but take something, or give something else than a number, are unknown functions: their
   arguments are evaluated once, and what they give is not indeterminate. */
#include <assert.h>
#include <stdlib.h>

int nondet_int(int);
short *nondet_short(void);
char nondet_char(void);

int main(void) {
  int i = 0;
  short *(*given)(void) = nondet_short;
  switch (rand()) {
  case 0:
    nondet_int(i++);
    assert(i == 1); // SAFE: assertion
    break;
  case 1:
    nondet_int(i++);
    assert(i == 2); // ALWAYS: assertion
    break;
  case 2: {
    short *there = given();
    return *there; // POSSIBLE: null-deref
  }
  default:
    assert(nondet_char() == 1); // POSSIBLE: assertion
  }
  return 0;
}
