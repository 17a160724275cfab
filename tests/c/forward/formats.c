/* What a format takes for a pointer: an integer is the address that it spells, and where another number or no argument is given,
   there is no object. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char letter = 'c', text[4] = "abc";
  int n = 3;
  double real = 1.5;
  switch (rand()) {
  case 0:
    return printf("%s\n", letter); // ALWAYS: null-deref
  case 1:
    return printf("%s\n", text); // SAFE: out-of-bounds
  case 2:
    return printf("%*d%s\n", 5, n); // ALWAYS: null-deref
  case 3:
    return printf("%*d%s\n", 5, n, text); // SAFE: out-of-bounds
  case 4:
    return printf("%s\n", real); // ALWAYS: null-deref
  case 5:
    return printf("%f\n", real);
  case 6:
    return sprintf(text, "%s", n); // ALWAYS: null-deref
  case 7:
    return printf("%n", n); // ALWAYS: null-deref
  case 8:
    return printf("%n", &n); // SAFE: out-of-bounds
  case 9:
    return scanf("%d", n); // ALWAYS: null-deref
  case 10:
    return scanf("%d", &n); // SAFE: out-of-bounds
  case 11:
    return scanf("%d"); // ALWAYS: null-deref
  default:
    return printf("%s\n", (long)text); // SAFE: null-deref
  }
}
