/* Code outside of the program keeps what it was given, and calls it later. */
void take(void (*callback)(void));
void take_other(void);
int rand(void);

static int set = 1;
static void callback(void) { set = 5; }

static int given(void) {
  take(callback);
  set = 0;
  take_other();
  return 1 / (set - 5); // POSSIBLE: div-by-zero
}

/* Behind a left shift of a negative number execution goes on with the bits shifted. */
static int shifted(void) {
  short s = -1;
  int x = s << 1; // ALWAYS: shift-overflow
  return 1 / (x + 2); // ALWAYS: div-by-zero
}

extern int absent(void) __attribute__((weak));
extern int nowhere __attribute__((weak));

static int weak(void) {
  int n = 3;
  if (!absent)
    return n / (n - 3); // ALWAYS: div-by-zero
  if (!&nowhere)
    return n / (n - 3); // ALWAYS: div-by-zero
  return absent() + nowhere;
}

int main(void) {
  int n = rand() > 3 ? given() : weak();
  return rand() > 4 ? shifted() : n;
}
