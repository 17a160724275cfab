/* Where strings end whose length is not known. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int rand(void);

int main(void) {
  char line[16];
  int n = 0;
  snprintf(line, sizeof line, "%d", rand());
  n = (int)strlen(line); // SAFE: out-of-bounds
  char *p = strchr(line, '1'); // SAFE: out-of-bounds
  if (p)
    *p = 0; // SAFE: out-of-bounds
  n += (int)strlen(line); // SAFE: out-of-bounds
  line[n & 15] = 'x'; // SAFE: out-of-bounds
  n += (int)strlen(line); // POSSIBLE: out-of-bounds
  printf("%s\n", strerror(errno)); // SAFE: out-of-bounds
  return n;
}
