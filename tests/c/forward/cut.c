/* Texts that are cut to the room there is, characters of several bytes, keys of threads. */
#define _GNU_SOURCE
#include <iconv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int rand(void);
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);

static int copied(void) {
  char small[4];
  size_t all = strlcpy(small, "longer", sizeof small); // SAFE: out-of-bounds
  if (strlen(small) != 3) // SAFE: out-of-bounds; SAFE: uninit-read
    return 1 / (rand() & 0); // UNREACHABLE: div-by-zero
  if (all != 6)
    return 1 / (rand() & 0); // UNREACHABLE: div-by-zero
  all = strlcat(small, "more", sizeof small); // SAFE: out-of-bounds
  small[0] = 0;
  all = strlcat(small, "ab", sizeof small); // SAFE: out-of-bounds
  return small[all] + (int)strlcpy(small, "longer", 5); // ALWAYS: out-of-bounds of strlcpy(small)
}

static int sized(const char *text) {
  char copy[4];
  if (strxfrm(0, text, 0) > 9) // SAFE: null-deref of strxfrm(text)
    return 0;
  size_t n = strxfrm(copy, text, sizeof copy); // SAFE: out-of-bounds
  if (n < sizeof copy)
    return (int)strlen(copy); // SAFE: out-of-bounds; SAFE: uninit-read
  return (int)strlen(copy);   // POSSIBLE: out-of-bounds
}

static int wide(const char *text) {
  wchar_t c;
  mbstate_t state;
  memset(&state, 0, sizeof state);
  size_t n = mbrtowc(&c, text, 3, &state); // SAFE: out-of-bounds
  if (n == (size_t)-1)
    return c; // ALWAYS: uninit-read
  if (n > 1)
    return 1 / (rand() & 0); // UNREACHABLE: div-by-zero
  return c;   // SAFE: uninit-read
}

static int all_wide(void) {
  wchar_t text[3];
  size_t n = mbstowcs(text, "ab", 3); // SAFE: out-of-bounds
  if (n == 2 && text[2])              // SAFE: uninit-read
    return 1 / (rand() & 0); // UNREACHABLE: div-by-zero
  return (int)mbstowcs(text, "abc", 4); // ALWAYS: out-of-bounds of mbstowcs(text)
}

static int converted(char *text) {
  char out[8], *to = out, *from = text;
  size_t left = 4, room = sizeof out;
  iconv_t set = iconv_open("UTF-8", "LATIN1");
  if (set == (iconv_t)-1)
    return 0;
  iconv(set, &from, &left, &to, &room); // SAFE: out-of-bounds
  if (room < sizeof out)
    return out[0];
  return to[7]; // POSSIBLE: out-of-bounds
}

static int kept(void) {
  pthread_key_t key;
  int value = 3;
  if (pthread_key_create(&key, 0) || pthread_setspecific(key, &value))
    return 0;
  int *p = pthread_getspecific(key);
  if (p)
    return 1 / (*p == 3); // SAFE: div-by-zero
  return *p;              // ALWAYS: null-deref
}

int main(void) {
  char text[4] = "abc";
  text[0] = (char)rand();
  switch (rand() & 7) {
  case 0: return copied();
  case 1: return sized(rand() ? "longer" : text);
  case 2: return wide(text);
  case 3: return all_wide();
  case 4: return converted(text);
  default: return kept();
  }
}
