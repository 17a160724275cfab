/* What is defined const is written by its initializer alone (6.7.3p6), also where it lives on the stack. */
#include <stdlib.h>
#include <string.h>

static const int fixed = 1;

int main(int argc, char **argv) {
  const int once = argc;
  const char text[4] = {'a', 'b', 'c', 0};
  int often = argc;
  int *p = &often;
  *p = 2; // SAFE: null-deref - the twin that is no constant
  for (int i = 0; i < 3; i++) {
    const int each = i; // an initializer writes again in every turn
    if (each == 7 && argc > 1)
      return text[each & 3];
  }
  switch (argc) {
  case 1:
    p = (int *)&once;
    *p = 3; // ALWAYS: null-deref
    break;
  case 2:
    *(int *)&once = 3; // ALWAYS: null-deref
    break;
  case 3:
    p = argv[1][0] ? &often : (int *)&once;
    *p = 3; // POSSIBLE: null-deref
    break;
  case 4:
    memcpy((char *)text, "xyz", 4); // ALWAYS: null-deref
    break;
  case 5:
    *(int *)&fixed = 3; // ALWAYS: null-deref
    break;
  }
  return often;
}
