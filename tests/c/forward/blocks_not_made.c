// What flags say of a block, they say as far as there is one: two that contradict each other about its content say that it was not made, not that
// no execution is here.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int made_or_not(void) {
  int *b = NULL, f = 0, g = 0, z = 0;
  if (getchar() == 'a') {
    b = malloc(2 * sizeof *b);
    if (b == NULL)
      return 0;
    if (getchar() == 'a') {
      b[0] = 5;
      f = 1;
    } else if (getchar() == 'a') {
      b[0] = 7;
      g = 1;
    }
  } else {
    f = 1;
    g = 1;
    if (getchar() == 'b')
      z = 1;
  }
  if (f == 1) {
    if (g == 1) {
      assert(z == 0); // POSSIBLE: assertion
    }
    assert(g == 0); // POSSIBLE: assertion
  }
  return 0;
}

static int *block, x, *p, *q;

static void make(void) {
  block = malloc(sizeof *block);
  if (block == NULL)
    exit(0);
  if (getchar() == 'a') {
    *block = 5;
    q = &x;
    p = &x;
  } else {
    *block = 0;
  }
}

static void by_pointers(void) {
  p = NULL;
  q = NULL;
  if (getchar() == 'a')
    make();
  else
    q = &x;
  if (q != NULL)
    assert(p != NULL); // POSSIBLE: assertion
}

static void made_in_a_loop(void) {
  int *b = NULL, f = 0, g = 0;
  for (;;) {
    int c = getchar();
    if (c == 'a' && b == NULL) {
      b = malloc(2 * sizeof *b);
      if (b == NULL)
        return;
      f = g = 0;
      c = getchar();
      if (c == 'a') {
        b[0] = 5;
        f = 1;
      } else if (c == 'b') {
        b[0] = 7;
        g = 1;
      }
    } else if (b == NULL && c == 'b') {
      f = 1;
      g = 1;
    } else {
      break;
    }
  }
  if (f == 1)
    assert(g == 0); // POSSIBLE: assertion
}

/* The same of a block that is there for sure. */
static void made_always(void) {
  int *b = malloc(2 * sizeof *b), f = 0;
  if (b == NULL)
    return;
  b[0] = 7;
  if (getchar() == 'a') {
    b[0] = 5;
    f = 1;
  }
  if (f == 1)
    assert(b[0] == 5); // SAFE: assertion
  if (b[0] == 7)
    assert(f == 0); // SAFE: assertion
}

int main(void) {
  made_or_not();
  by_pointers();
  made_in_a_loop();
  made_always();
  return 0;
}
