/* What another file defines may start with any address that has a name there. */
int named;
static int hidden;
extern int *pointer;
extern void (*hook)(void);
extern struct { int *member; } record;
extern int number;
int rand(void);

void set_named(void) { named = 5; }

static int by_pointer(void) {
  named = 1;
  hidden = 1;
  if (pointer)
    *pointer = 3;
  int n = 1 / (hidden - 3); // SAFE: div-by-zero
  return n / (named - 3);   // POSSIBLE: div-by-zero
}

static int by_member(void) {
  named = 1;
  number = 7;
  if (record.member)
    *record.member = 3;
  int n = 1 / (number - 3); // POSSIBLE: div-by-zero
  return n / (named - 3);   // POSSIBLE: div-by-zero
}

static int by_call(void) {
  named = 1;
  if (hook)
    hook();
  return 1 / (named - 5); // POSSIBLE: div-by-zero
}

int main(void) { return rand() > 3 ? by_pointer() : rand() > 3 ? by_member() : by_call(); }
