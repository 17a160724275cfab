/* A move by more bytes than ptrdiff_t holds is an error where it is made: what would be left of the number is another place. */
#include <stdlib.h>

static int numbers[4];
static char bytes[4];

int main(int argc, char **argv) {
  long n = strtol(argv[0], 0, 10);
  size_t i = (size_t)n;
  size_t back = (size_t)-1;
  int *p = numbers;
  if (n >= 0x4000000000000000 && n <= 0x4000000000000003) {
    p = numbers + n; // ALWAYS: out-of-bounds - four times n wraps to the start
    *p = 1; // UNREACHABLE: out-of-bounds
  }
  if (n > 2 && n < 0x2000000000000000) {
    p = numbers + n; // SAFE: out-of-bounds
    *p = 1; // POSSIBLE: out-of-bounds - the last element, or behind it
  }
  if (n < -2)
    p = numbers - n; // POSSIBLE: out-of-bounds
  if (i < 4) {
    p = numbers + i; // SAFE: out-of-bounds
    *p = 2; // SAFE: out-of-bounds
    bytes[i] = 1; // SAFE: out-of-bounds
  }
  p = numbers + 1;
  p = p + back; // SAFE: out-of-bounds - one element back, whatever the type of the number
  *p = 3; // SAFE: out-of-bounds
  return 0;
}
