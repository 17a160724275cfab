/* Regular expressions: the places of a match lie in the string, or are -1; without a match, or for an expression without places, none
   are written. */
#include <regex.h>
#include <stdlib.h>

int rand(void);

static int found(const char *text) {
  regex_t re;
  regmatch_t at[2];
  if (regcomp(&re, "b(c)?", REG_EXTENDED) != 0)
    return 0;
  if (regexec(&re, text, 2, at, 0) != 0)
    return at[0].rm_so;   // ALWAYS: uninit-read
  char first = text[at[0].rm_so]; // SAFE: out-of-bounds; SAFE: uninit-read
  if (text[at[0].rm_eo])          // SAFE: out-of-bounds
    first++;
  if (at[1].rm_so < 0)
    return first;
  return text[at[1].rm_so]; // SAFE: out-of-bounds
}

static int perhaps_found(const char *text) {
  regex_t re;
  regmatch_t at[2];
  if (regcomp(&re, "b(c)?", REG_EXTENDED) != 0 || regexec(&re, text, 2, at, 0) != 0)
    return 0;
  return text[at[1].rm_so]; // POSSIBLE: out-of-bounds - that part may not be there
}

static int without_places(const char *text) {
  regex_t re;
  regmatch_t at[1];
  if (regcomp(&re, "b", REG_NOSUB) != 0)
    return 0;
  if (regexec(&re, text, 1, at, 0) == 0)
    return at[0].rm_so; // POSSIBLE: uninit-read
  return 0;
}

static int none_asked_for(const char *text) {
  regex_t re;
  char message[8], *none = 0;
  int error = regcomp(&re, text, REG_NOSUB);
  if (error)
    return regerror(error, &re, message, sizeof message) > 8 ? message[7] : message[0]; // SAFE: out-of-bounds
  if (regexec(&re, text, 0, 0, 0) == 0) // SAFE: null-deref
    return 1;
  return regexec(&re, none, 0, 0, 0); // ALWAYS: null-deref of regexec(none)
}

int main(void) {
  switch (rand() & 3) {
  case 0: return found("abc");
  case 1: return perhaps_found("abc");
  case 2: return without_places("abc");
  default: return none_asked_for("abc");
  }
}
