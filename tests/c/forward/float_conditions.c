/* What a comparison says of floating-point numbers. NaN compares with nothing. */
#include <math.h>
#include <stdio.h>

static double given(void) {
  double value = 0;
  scanf("%lf", &value);
  return value;
}

static int index_of(double x) {
  if (x < 0)
    return 0;
  if (x > 9)
    return 9;
  return (int)x; // POSSIBLE: float-conversion - where it is NaN
}

static int index_in(double x) {
  if (!(x >= 0 && x <= 9))
    return 0;
  return (int)x; // SAFE: float-conversion
}

int main(void) {
  int table[10] = {0};
  double x = given(), y = given();
  float narrow = (float)given();
  long double wide = given();
  table[index_in(x)] = 1; // SAFE: out-of-bounds
  if (x >= -2147483648.0 && x < 2147483648.0)
    table[0] += (int)x; // SAFE: float-conversion
  if (x >= -2147483648.0 && x <= 2147483648.0)
    table[0] = (int)x; // POSSIBLE: float-conversion
  if (narrow > -1 && narrow < 256)
    table[1] = (unsigned char)narrow; // SAFE: float-conversion
  if (narrow > -1 && narrow <= 256)
    table[1] = (unsigned char)narrow; // POSSIBLE: float-conversion
  if (wide >= 0 && wide < 255.5L)
    table[2] = (unsigned char)wide; // SAFE: float-conversion
  if (wide > -1 && wide < 256)
    table[2] = (unsigned char)wide; // POSSIBLE: float-conversion - between the last double and 256
  if (y >= 0 && y != 0)
    table[3] = 10 / (y == 0.0 ? 0 : 1); // SAFE: div-by-zero
  if (!(y < 3) && y < 3)
    return 1 / table[4]; // UNREACHABLE: div-by-zero
  if (!(y < 3) && !(y >= 3))
    return table[10]; // ALWAYS: out-of-bounds - NaN
  int n = 0;
  if (scanf("%d", &n) != 1 || n < 0 || n > 1000)
    return 1;
  if (n < 9.5)
    table[n] = 2; // SAFE: out-of-bounds
  if (n <= 10.5)
    table[n] = 2; // POSSIBLE: out-of-bounds
  double number = given(), finite = given();
  if (!isnan(number) && number > -1 && !(number >= 10))
    table[(int)number] = 4; // SAFE: float-conversion; SAFE: out-of-bounds
  if (isnan(number) && !(number < 1))
    table[(int)number] = 4; // POSSIBLE: float-conversion
  if (isfinite(finite) && !(finite < 0) && !(finite > 9))
    table[(int)finite] = 4; // SAFE: float-conversion; SAFE: out-of-bounds
  double step = 0;
  while (step < 8.5) {
    table[(int)step] = 3; // SAFE: out-of-bounds; SAFE: float-conversion
    step += 0.5;
  }
  return table[index_of(given())];
}
