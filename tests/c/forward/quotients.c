/* div and its kin divide: by zero, and out of their type, as the operators do. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  int n = rand() % 3;
  switch (rand()) {
  case 0:
    return div(7, n).quot; // POSSIBLE: div-by-zero
  case 1:
    return div(7, n + 1).quot; // SAFE: div-by-zero
  case 2:
    return (int)ldiv(1, 0).rem; // ALWAYS: div-by-zero
  case 3:
    return div(INT_MIN, -1).quot; // ALWAYS: signed-overflow
  case 4: {
    div_t parts = div(-7, 2);
    assert(parts.quot == -3 && parts.rem == -1); // SAFE: assertion
    return 0;
  }
  default: {
    lldiv_t parts = lldiv(7, -2);
    assert(parts.quot == -3 && parts.rem == -1); // ALWAYS: assertion
    return 0;
  }
  }
}
