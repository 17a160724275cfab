/* Strings: constant content, lengths, inputs. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char buf[8];
  strcpy(buf, "hello"); // SAFE: out-of-bounds
  int r = (int)strlen(buf); // SAFE: out-of-bounds
  r = 10 / (r - 4); // SAFE: div-by-zero
  char big[4];
  if (argc == 2)
    strcpy(big, "hello"); // ALWAYS: out-of-bounds
  buf[5] = 'x';
  buf[6] = 'x';
  buf[7] = 'x';
  if (argc > 3)
    r = (int)strlen(buf); // POSSIBLE: out-of-bounds
  char line[16];
  if (fgets(line, sizeof line, stdin)) {
    line[15] = 0;
    r = (int)strlen(line); // SAFE: out-of-bounds
  }
  // A bounded length need not end in the object.
  char full[4] = {'a', 'b', 'c', 'd'};
  if (argc > 4 && strnlen(full, 4) == 4)
    r = 10 / (full[3] - 'd'); // ALWAYS: div-by-zero
  char copy[4];
  strncpy(copy, full, 4);
  r = 10 / copy[3]; // SAFE: div-by-zero
  char number[12], tight[11];
  int any;
  if (scanf("%d", &any) != 1)
    return 1;
  sprintf(number, "%d", any); // SAFE: out-of-bounds
  sprintf(tight, "%d", any); // POSSIBLE: out-of-bounds
  sprintf(tight, "%.4s:%4x%c", line, 255u, argc); // SAFE: out-of-bounds
  r = 10 / (snprintf(number, 4, "%3d%%", argc & 7) - 3); // SAFE: div-by-zero
  return r;
}
