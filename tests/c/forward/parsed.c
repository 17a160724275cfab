/* Numbers read from texts: how many digits there are bounds them, and a text that begins with a digit gives none below 0. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long begins_with_digit(void) {
  char text[32], *end;
  if (!fgets(text, sizeof text, stdin) || !isdigit((unsigned char)text[0]))
    return 0;
  errno = 0;
  long n = strtol(text, &end, 10);
  if (errno != 0 || *end != '\0' || n > 1000)
    return 0;
  return n * 3; // SAFE: signed-overflow
}

static long begins_with_anything(void) {
  char text[32], *end;
  if (!fgets(text, sizeof text, stdin) || !isprint((unsigned char)text[0]))
    return 0;
  errno = 0;
  long n = strtol(text, &end, 10);
  if (errno != 0 || *end != '\0' || n > 1000)
    return 0;
  return n * 3; // POSSIBLE: signed-overflow - the first character may be '-'
}

static long blank_first(void) {
  char text[32];
  if (!fgets(text, sizeof text, stdin) || text[0] != ' ')
    return 0;
  long n = atol(text);
  return n > 1000 ? 0 : n * 3; // POSSIBLE: signed-overflow - '-' may follow
}

static long copied(void) {
  char text[32], number[32];
  if (!fgets(text, sizeof text, stdin))
    return 0;
  strcpy(number, text);
  if (number[0] < '0' || number[0] > '9')
    return 0;
  long n = atol(number);
  return n > 1000 ? 0 : n * 3; // SAFE: signed-overflow
}

static int short_text(void) {
  char text[6];
  if (!fgets(text, sizeof text, stdin))
    return 0;
  return atoi(text) * 20000; // SAFE: signed-overflow - five digits at most
}

static int longer_text(void) {
  char text[8];
  if (!fgets(text, sizeof text, stdin))
    return 0;
  return atoi(text) * 20000; // POSSIBLE: signed-overflow
}

static int hexadecimal(void) {
  char text[6];
  if (!fgets(text, sizeof text, stdin))
    return 0;
  int n = (int)strtol(text, NULL, 16);
  int most = n * 2000; // SAFE: signed-overflow - below 16 to the fifth power
  return most > 0 ? n * 20000 : 0; // POSSIBLE: signed-overflow
}

static int too_great_for_int(void) {
  char text[32];
  if (!fgets(text, sizeof text, stdin) || !isdigit((unsigned char)text[0]))
    return 0;
  int n = atoi(text);
  return n < 0 ? 100 / (n + 5) : 0; // POSSIBLE: div-by-zero - 4294967291 is -5
}

static unsigned long no_sign(void) {
  char text[4];
  if (!fgets(text, sizeof text, stdin))
    return 0;
  unsigned long n = strtoul(text, NULL, 10);
  if (n <= 999)
    return 1;
  return 100 / (n + 5); // POSSIBLE: div-by-zero - "-5"
}

int main(void) {
  long all = begins_with_digit() + begins_with_anything() / 2;
  printf("%ld %ld %ld\n", all, blank_first(), copied());
  printf("%d %d %d\n", short_text(), longer_text(), hexadecimal());
  return too_great_for_int() + (int)no_sign();
}
