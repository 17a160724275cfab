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
  return r;
}
