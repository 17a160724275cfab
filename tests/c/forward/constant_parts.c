/* What makes an object constant: its declaration, names of types, members, elements (6.7.3p6). */
#include <stdlib.h>
#include <string.h>

typedef const int fixed;
typedef const int row[3];
typedef int *const handle;
struct part {
  const int id;
  int count;
};
struct pair {
  struct part first;
  char tag;
};
struct packed {
  const unsigned char id : 3;
  unsigned char rest : 5;
};
union either {
  const int a;
  const unsigned b;
};
union mixed {
  const int a;
  int b;
};

static fixed one = 1;
static int target;

static int passed(const int n) {
  *(int *)&n = 0; // ALWAYS: null-deref
  return n;
}

static int free_to_write(fixed *p, int n) {
  p = (fixed *)&n;
  *(int *)p = 0; // SAFE: null-deref - the pointer is to constants, the object is none
  return n;
}

int main(int argc, char **argv) {
  fixed once = argc;
  row three = {1, 2, 3};
  handle own = &target;
  int *const handles[2] = {&target, &target};
  const int *to_constant[2] = {&once, &once};
  struct part part = {1, 2};
  struct part *whole = &part;
  struct part parts[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  struct part *some = parts;
  struct pair pair = {{1, 2}, 'x'};
  struct packed packed = {1, 2};
  struct packed *bits = &packed;
  union either either = {1};
  union mixed mixed = {1};
  int i = argc & 3;
  (&part)->count = 4; // no site: it is named
  whole->count = 4;   // SAFE: null-deref
  some[i].count = 5;  // SAFE: null-deref
  bits->rest = 3;     // SAFE: null-deref - shares its unit with a constant
  *(int *)&mixed.a = 4;
  memset(&pair.tag, 0, 1); // SAFE: null-deref
  memset(&part.count, 0, sizeof part.count); // SAFE: null-deref
  to_constant[i & 1] = 0;
  switch (argc) {
  case 1:
    *(int *)&one = 2; // ALWAYS: null-deref
    break;
  case 2:
    *(int *)&once = 2; // ALWAYS: null-deref
    break;
  case 3:
    *(int *)&three[i] = 2; // ALWAYS: null-deref
    break;
  case 4:
    *(int **)&own = 0; // ALWAYS: null-deref
    break;
  case 5:
    *(int **)&handles[1] = 0; // ALWAYS: null-deref
    break;
  case 6:
    *(int *)whole = 0; // POSSIBLE: null-deref
    break;
  case 7:
    *(int *)(some + i) = 0; // POSSIBLE: null-deref
    break;
  case 8:
    *(int *)&pair.first.id = 0; // POSSIBLE: null-deref
    break;
  case 9:
    memset(&pair, 0, sizeof pair); // POSSIBLE: null-deref
    break;
  case 10:
    *(unsigned *)&either.b = 0; // ALWAYS: null-deref
    break;
  case 11:
    *(int *)&(const int){7} = 0; // ALWAYS: null-deref
    break;
  case 12: {
    __typeof__(once) same = 4;
    *(int *)&same = 5; // ALWAYS: null-deref
    break;
  }
  case 13:
    passed(free_to_write(&one, 3));
    break;
  case 14: {
    struct part *block = malloc(sizeof *block);
    if (block)
      *(int *)&block->id = 3; // SAFE: null-deref - nothing was defined const
    free(block);
    break;
  }
  }
  return target;
}
