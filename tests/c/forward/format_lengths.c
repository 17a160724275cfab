/* How long a floating-point number is as text: the format says it, and for `%f` the number. */
#include <stdio.h>
#include <stdlib.h>

static double given(void) {
  double value = 0;
  scanf("%lf", &value);
  return value;
}

int main(void) {
  double any = given(), small = given();
  char byte[2], four[4], seven[7], eight[8], ten[10], eleven[11], twelve[12], thirteen[13], fourteen[14];
  char twenty[20], twenty_four[24], twenty_five[25], long_one[317], longer[318];
  if (!(small >= -99 && small <= 99))
    return 1;
  switch (rand()) {
  case 0: return sprintf(fourteen, "%g", any); // SAFE: out-of-bounds of sprintf(fourteen)
  case 1: return sprintf(thirteen, "%g", any); // POSSIBLE: out-of-bounds of sprintf(thirteen) - -1.23457e-123
  case 2: return sprintf(eight, "%.1g", any); // SAFE: out-of-bounds of sprintf(eight)
  case 3: return sprintf(seven, "%.1g", any); // POSSIBLE: out-of-bounds of sprintf(seven) - -1e-123
  case 4: return sprintf(longer, "%f", any); // SAFE: out-of-bounds of sprintf(longer)
  case 5: return sprintf(long_one, "%f", any); // POSSIBLE: out-of-bounds of sprintf(long_one)
  case 6: return sprintf(seven, "%.2f", small); // SAFE: out-of-bounds of sprintf(seven)
  case 7: return sprintf(seven, "%.3f", small); // POSSIBLE: out-of-bounds of sprintf(seven)
  case 8: return sprintf(twelve, "%.3e", any); // SAFE: out-of-bounds of sprintf(twelve)
  case 9: return sprintf(eleven, "%.3e", any); // POSSIBLE: out-of-bounds of sprintf(eleven) - -1.234e-123
  case 10: return sprintf(twenty_five, "%a", any); // SAFE: out-of-bounds of sprintf(twenty_five)
  case 11: return sprintf(twenty_four, "%a", any); // POSSIBLE: out-of-bounds of sprintf(twenty_four)
  case 12: return sprintf(twenty, "%.2La", (long double)any); // SAFE: out-of-bounds of sprintf(twenty)
  case 13: return sprintf(ten, "%10.1f", small); // ALWAYS: out-of-bounds of sprintf(ten)
  case 14: return sprintf(eleven, "%10.1f", small); // SAFE: out-of-bounds of sprintf(eleven)
  case 15: return sprintf(byte, "%.0f", 0.4); // SAFE: out-of-bounds of sprintf(byte)
  case 16: return sprintf(byte, "%.0f", 9.5); // POSSIBLE: out-of-bounds of sprintf(byte) - 10
  case 17: return sprintf(byte, "%+.0f", 0.4); // ALWAYS: out-of-bounds of sprintf(byte)
  case 18: return sprintf(four, "%f", 0.0 * any); // POSSIBLE: out-of-bounds of sprintf(four)
  }
  if (!(small > 1))
    return 2;
  int count = sprintf(longer, "%.2f", small);
  byte[0] = 10 / (count - 3); // SAFE: div-by-zero - 4 or 5
  return 10 / (count - 5); // POSSIBLE: div-by-zero
}
