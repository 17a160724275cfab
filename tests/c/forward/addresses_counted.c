/* Addresses that initializers count in integers: C promises no such constants (6.6p10), compilers take them. */
static const char text[] = "abc";
static const char *third = (const char *)((unsigned long)text + 2);
static const char *second = (const char *)(3 + (unsigned long)text - 2);
static const char *behind = (const char *)((unsigned long)text + 5);

int main(int argc, char **argv) {
  int n = 1 / (*third - 'a'); // SAFE: div-by-zero
  n += *second;               // SAFE: null-deref
  switch (argc) {
  case 1:
    return 1 / (*third - 'c'); // ALWAYS: div-by-zero
  case 2:
    return 1 / (*second - 'b'); // ALWAYS: div-by-zero
  case 3:
    return *behind; // ALWAYS: out-of-bounds
  }
  return n;
}
