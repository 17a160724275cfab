/* Streams are pointers: a function of stdio.h follows the one that it is given (C11 7.1.4p1). */
#include <stdio.h>
#include <wchar.h>

int rand(void);

static int opened(const char *name) {
  char line[10];
  FILE *f = fopen(name, "r");
  if (rand())
    return fgetc(f); // POSSIBLE: null-deref of fgetc(f)
  if (!f)
    return fclose(f); // ALWAYS: null-deref of fclose(f)
  if (!fgets(line, sizeof line, f)) // SAFE: null-deref
    return ferror(f);               // SAFE: null-deref
  rewind(f);                        // SAFE: null-deref
  return fclose(f);                 // SAFE: null-deref
}

static int standard(void) {
  FILE *to = rand() ? stdout : stderr;
  if (to == 0)
    return 1 / (to != 0); // UNREACHABLE: div-by-zero
  fprintf(to, "%d", getc(stdin)); // SAFE: null-deref
  fflush(0);
  return stdin == stdout ? 1 / (rand() * 0) : 0; // UNREACHABLE: div-by-zero
}

static int replaced(void) {
  stdin = fopen("other", "r");
  return fgetwc(stdin) == WEOF; // POSSIBLE: null-deref
}

int main(int argc, char **argv) {
  int n = standard();
  return argc > 1 ? opened(argv[1]) : n + replaced();
}
