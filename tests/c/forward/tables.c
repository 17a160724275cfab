/* isalpha and its kin look their argument up in a table from -128 to 255; toupper asks first. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int wide = rand() - rand(), next = getchar();
  char c = (char)wide;
  switch (rand()) {
  case 0:
    return isalpha(wide); // POSSIBLE: out-of-bounds
  case 1:
    return isalpha(next); // SAFE: out-of-bounds
  case 2:
    return isdigit(c) + toupper(wide);
  case 3:
    return isspace(100000); // ALWAYS: out-of-bounds
  case 4:
    return isspace(' ');
  case 5:
    return isupper(wide & 0xff); // SAFE: out-of-bounds
  default:
    return 0;
  }
}
