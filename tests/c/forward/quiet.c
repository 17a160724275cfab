/* Comparisons of floats that say nothing of a NaN, and what class a number is of. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
  double one = 1, two = 2, none = __builtin_nan("");
  switch (rand()) {
  case 0:
    assert(__builtin_isless(one, two)); // SAFE: assertion
    return 0;
  case 1:
    assert(__builtin_isless(one, none)); // ALWAYS: assertion
    return 0;
  case 2:
    assert(__builtin_isgreaterequal(two, one)); // SAFE: assertion
    return 0;
  case 3:
    assert(__builtin_islessgreater(one, one)); // ALWAYS: assertion
    return 0;
  case 4:
    assert(__builtin_isunordered(one, none)); // SAFE: assertion
    return 0;
  case 5:
    assert(__builtin_isunordered(one, two)); // ALWAYS: assertion
    return 0;
  case 6:
    assert(fpclassify(one) == FP_NORMAL); // SAFE: assertion
    return 0;
  case 7:
    assert(fpclassify(1e-310) == FP_SUBNORMAL); // SAFE: assertion
    return 0;
  case 8:
    assert(fpclassify(-0.0) == FP_ZERO); // SAFE: assertion
    return 0;
  case 9:
    assert(fpclassify(none) == FP_NAN); // SAFE: assertion
    return 0;
  case 10:
    assert(fpclassify(-__builtin_inf()) == FP_INFINITE); // SAFE: assertion
    return 0;
  case 11:
    assert(fpclassify(1e-40f) == FP_NORMAL); // ALWAYS: assertion - it is not, as a float
    return 0;
  default:
    assert(fpclassify(1e-30) == FP_NORMAL); // SAFE: assertion
    return 0;
  }
}
