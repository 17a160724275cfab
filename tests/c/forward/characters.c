/* What `isdigit` and its kin say of the character that they are asked about, in the "C" locale. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int seen[26], digits[10];

static int digit(int c) {
  if (isdigit(c))
    return digits[c - '0']; // SAFE: out-of-bounds
  return 0;
}

static int no_digit(int c) {
  if (!isdigit(c))
    return digits[c - '0']; // POSSIBLE: out-of-bounds
  return 0;
}

static int alnum(int c) {
  if (isalnum(c))
    return digits[c - '0']; // POSSIBLE: out-of-bounds - letters, too
  return 0;
}

static int hexadecimal(int c) {
  if (!isxdigit(c))
    return -1;
  int value = isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
  return value;
}

static int through_pointer(const char *p) {
  int n = 0;
  for (; *p; p++)
    if (islower((unsigned char)*p))
      n += seen[*p - 'a']; // SAFE: out-of-bounds
  return n % 100;
}

static int another_character(const char *p) {
  int n = 0;
  for (; p[0] && p[1]; p++)
    if (islower((unsigned char)*p)) {
      int k = p[1] - 'a';
      n += seen[k]; // POSSIBLE: out-of-bounds
    }
  return n % 100;
}

static int changed_after(int c) {
  int is = isdigit(c);
  c = getchar();
  if (is)
    return digits[c - '0']; // POSSIBLE: out-of-bounds - it is another one by now
  return 0;
}

static int kept_in_variable(int c) {
  int is = isdigit(c);
  if (is)
    return digits[c - '0']; // SAFE: out-of-bounds
  return 0;
}

static int signed_char(char c) {
  if (isupper(c))
    return seen[c - 'A']; // SAFE: out-of-bounds
  return 0;
}

static int never(void) {
  int c = 'x';
  return isdigit(c) ? 1 / (c - 'x') : 0; // UNREACHABLE: div-by-zero
}

static int always(void) {
  int c = '7';
  return isdigit(c) ? 0 : 1 / (c - '7'); // UNREACHABLE: div-by-zero
}

static int control(int c) {
  if (c < 0 || iscntrl(c))
    return 0;
  return 100 / c; // SAFE: div-by-zero - 0 is a control character
}

static int not_control(int c) {
  if (c < 0 || !iscntrl(c))
    return 0;
  return 100 / c; // POSSIBLE: div-by-zero
}

static int behind_spaces(void) {
  char line[16];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  char *p = line;
  while (isspace((unsigned char)*p))
    p++;
  return *p; // SAFE: out-of-bounds
}

static int behind_others(void) {
  char line[16] = "";
  if (!fgets(line, sizeof line, stdin))
    return 0;
  char *p = line;
  int c;
  while (!isdigit(c = (unsigned char)*p)) // POSSIBLE: out-of-bounds of *p
    p++;
  return digits[c - '0']; // SAFE: out-of-bounds
}

int main(void) {
  int c = getchar();
  if (c == EOF)
    return 1;
  char text[8] = "";
  if (fgets(text, sizeof text, stdin))
    c += through_pointer(text) + another_character(text) + signed_char(text[0]);
  printf("%d %d\n", digit(getchar()), no_digit(getchar()));
  printf("%d %d %d\n", alnum(getchar()), hexadecimal(getchar()), changed_after(getchar()));
  printf("%d %d %d\n", kept_in_variable(getchar()), never(), always());
  printf("%d %d %d\n", control(getchar()), not_control(getchar()), behind_spaces());
  return c + behind_others();
}
