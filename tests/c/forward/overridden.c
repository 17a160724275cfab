/* A member's own initializer ends all that was said of the member before, also where it names fewer of its parts. */
struct kind {
  int kind, length;
};
union either {
  char first;
  struct {
    short a, b;
  } pair;
};

static struct kind table[4] = {[0 ... 3] = {1, 2}, [1] = {3}, [2].kind = 3};
static struct kind *any = table;
static union either either = {.first = 1, .pair.b = 3};
static union either same = {.pair.a = 1, .pair.b = 3};

static int of_statics(void) {
  int n = 10 / any[2].length; // SAFE: div-by-zero - only its kind is another one
  n += 10 / same.pair.a;      // SAFE: div-by-zero
  return n;
}

static int of_locals(void) {
  struct kind twice = {.kind = 1, .kind = 2};
  struct kind lengths[2] = {[0 ... 1] = {1, 2}, [1].kind = 3};
  int n = 10 / (1 + twice.length);   // SAFE: div-by-zero - it is zero, though as many bytes as the record has are written
  return n + 10 / lengths[1].length; // SAFE: div-by-zero
}

static int ended(int which) {
  struct kind local[2] = {[0 ... 1] = {1, 2}, [1] = {3}};
  switch (which) {
  case 0:
    return 10 / any[1].length; // ALWAYS: div-by-zero
  case 1:
    return 10 / either.pair.a; // ALWAYS: div-by-zero
  default:
    return 10 / local[1].length; // ALWAYS: div-by-zero
  }
}

int rand(void);

int main(void) { return of_statics() + of_locals() + ended(rand()); }
