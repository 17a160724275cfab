// Strings that begin as others do: where a comparison says so, a pointer may go on behind that beginning.
#include <string.h>

static unsigned number(const char **s) {
  unsigned n = 0;
  for (; **s >= '0' && **s <= '9'; (*s)++) // SAFE: out-of-bounds
    n = n * 10 + (unsigned)(**s - '0');
  return n;
}

static int is_long(const char **s, const char *name) {
  size_t n = strlen(name);
  int found = !strncmp(*s, name, n);
  if (found)
    *s += n;
  return found;
}

static int direct(const char *a) {
  if (strncmp(a, "--level=", 8) == 0)
    return a[8]; // SAFE: out-of-bounds
  return 0;
}

static int too_far(const char *a) {
  if (strncmp(a, "--level=", 8) == 0)
    return a[9]; // POSSIBLE: out-of-bounds
  return 0;
}

// Three characters are compared.
static int in_part(const char *a) {
  if (strncmp(a, "--level=", 3) == 0)
    return a[4]; // POSSIBLE: out-of-bounds
  return 0;
}

static int moved_since(const char *a) {
  int found = !strncmp(a, "--", 2);
  if (*a)
    a++;
  if (found)
    return a[2]; // POSSIBLE: out-of-bounds
  return 0;
}

static int any_case(const char *a) {
  if (strcmp(a, "yes") == 0)
    return a[3]; // SAFE: out-of-bounds
  if (memcmp(a, "", 1) == 0)
    return a[1]; // POSSIBLE: out-of-bounds
  return 0;
}

// A pointer that has gone on stands in its string still when it goes back.
static int and_back(const char *a) {
  int n = 0;
  if (a[0] != '-')
    return 0;
  while (a[1] != 0) { // SAFE: out-of-bounds
    a++;
    if (*a >= '0' && *a <= '9') { // SAFE: out-of-bounds
      n += (int)(number(&a) % 10);
      a--;
    }
    if (n > 1000)
      break;
  }
  return n;
}

static int back_too_far(const char *a) {
  while (*a == 'x')
    a++;
  a--;
  return *a; // POSSIBLE: out-of-bounds
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 0;
  const char *a = argv[1];
  int sum = direct(a) + too_far(a) + in_part(a) + moved_since(a) + any_case(a) + and_back(a) + back_too_far(a);
  if (is_long(&a, "--fast"))
    sum += *a; // SAFE: out-of-bounds
  return sum;
}
