// What the value of one variable says of others: where ways join on which a result, a flag or a pointer differs, a test of it tells what else
// was so on that way.
#include <stdlib.h>
#include <string.h>

extern int any(void);

// What an out parameter holds where the result says that it was written.

static int parse(int c, int *out) {
  if (c < '0' || c > '9')
    return 0;
  *out = c - '0';
  return 1;
}

static int tested_result(void) {
  int v;
  if (!parse(any(), &v))
    return 0;
  return v; // SAFE: uninit-read
}

static int result_not_tested(void) {
  int v;
  parse(any(), &v);
  return v; // POSSIBLE: uninit-read
}

static int tested_the_wrong_way(void) {
  int v;
  if (parse(any(), &v))
    return 0;
  return v; // POSSIBLE: uninit-read
}

static int result_kept_in_a_variable(void) {
  int v;
  int ok = parse(any(), &v);
  if (any())
    return 0;
  return ok ? v : 0; // SAFE: uninit-read
}

static int variable_changed(void) {
  int v;
  int ok = parse(any(), &v);
  if (any())
    ok = 1;
  return ok ? v : 0; // POSSIBLE: uninit-read
}

static int result_of_another_call(void) {
  int v, w;
  parse(any(), &v);
  if (!parse(any(), &w))
    return 0;
  return v + // POSSIBLE: uninit-read
         w;
}

static int parse_half(int c, int *out) {
  if (c & 1)
    return -1;
  *out = c / 2;
  return 0;
}

static int both_tested(void) {
  int v, w;
  if (parse_half(any(), &v) || parse_half(any(), &w))
    return 0;
  return v + w; // SAFE: uninit-read
}

static int one_of_two(void) {
  int v, w;
  if (parse_half(any(), &v) && parse_half(any(), &w))
    return 0;
  return v + w; // POSSIBLE: uninit-read
}

// A flag of the function's own.

static int own_flag(void) {
  int v, set = 0;
  if (any()) {
    v = any();
    set = 1;
  }
  if (set)
    return v; // SAFE: uninit-read
  return 0;
}

static int own_flag_set_too_early(void) {
  int v, set = 0;
  if (any()) {
    set = 1;
    if (any())
      v = any();
  }
  if (set)
    return v; // POSSIBLE: uninit-read
  return 0;
}

static int flag_of_the_last_turn(int n) {
  int v, set = 0;
  for (int i = 0; i < n; i++) {
    if (set)
      return v; // SAFE: uninit-read
    if (any()) {
      v = i;
      set = 1;
    }
  }
  return 0;
}

static int ended_and_begun_again(int n) {
  int set = 0;
  for (int i = 0; i < n; i++) {
    int v;
    if (set)
      return v; // ALWAYS: uninit-read - another turn has another v
    if (any()) {
      v = i;
      set = 1;
    }
  }
  return 0;
}

// Pointers that are no NULL where the result says so.

static int find(int key, const char **name) {
  *name = NULL;
  if (key == 1)
    *name = "one";
  if (key == 2)
    *name = "two";
  return *name != NULL;
}

static int get(int **out) {
  int *p = malloc(sizeof *p);
  *out = NULL;
  if (!p)
    return -1;
  *p = 3;
  *out = p;
  return 0;
}

static int parse_below(int c, int limit, int *out) {
  if (c & 1)
    return 0;
  *out = c / 2;
  return *out < limit;
}

static int one_value_of_the_result_is_enough(void) {
  int v;
  if (!parse_below(any(), any(), &v))
    return 0;
  return v; // SAFE: uninit-read
}

static int the_other_value_is_not(void) {
  int v;
  if (parse_below(any(), any(), &v))
    return 0;
  return v; // POSSIBLE: uninit-read
}

static int the_pointer_of_one_way(void) {
  int v, *p = NULL;
  if (any()) {
    v = any();
    p = malloc(sizeof *p);
  }
  if (!p)
    return 0;
  free(p);
  return v; // SAFE: uninit-read
}

static int neither_of_two_numbers(int n) {
  int v;
  if (n < -1 || n > 10 || n == 0)
    return 0;
  if (any())
    n = 2;
  else
    v = any();
  any();
  any();
  if (n == 2)
    return v; // POSSIBLE: uninit-read - that n is not 0 says nothing
  return 0;
}

static int no_pointer_says_nothing(void) {
  int v, *p = NULL;
  if (any()) {
    v = any();
    p = malloc(sizeof *p);
  }
  free(p);
  if (!p)
    return v; // POSSIBLE: uninit-read
  return 0;
}

static int a_condition_kept(const char **table, int i) {
  const char *name = table[i & 7];
  int known = name != NULL;
  if (any())
    return 0;
  return known ? name[0] : 0; // SAFE: null-deref
}

static int a_condition_kept_and_changed(const char **table, int i) {
  const char *name = table[i & 7];
  int known = name != NULL;
  name = table[any() & 7];
  return known ? name[0] : 0; // POSSIBLE: null-deref
}

static int a_condition_the_other_way(const char **table, int i) {
  const char *name = table[i & 7];
  int none = !name;
  return none ? name[0] : 0; // POSSIBLE: null-deref
}

static int result_says_no_null(void) {
  int *p;
  if (get(&p) < 0)
    return 0;
  int n = *p; // SAFE: null-deref
  free(p);
  return n;
}

static int result_says_null(void) {
  int *p;
  if (get(&p) == 0) {
    free(p);
    return 0;
  }
  return *p; // POSSIBLE: null-deref
}

static int written_in_between(void) {
  int *p;
  int r = get(&p);
  if (any())
    get(&p);
  if (r < 0)
    return 0;
  return *p; // POSSIBLE: null-deref
}

static int written_through_a_pointer(int which) {
  int *p, *q = NULL;
  int **at = which ? &p : &q;
  int r = get(&p);
  *at = NULL;
  if (r < 0)
    return 0;
  return *p; // POSSIBLE: null-deref
}

// Blocks that live where a pointer is no NULL.

struct item {
  char *name;
  int n;
};

static struct item *item_new(const char *name) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    return NULL;
  i->n = 3;
  i->name = strdup(name);
  if (!i->name) {
    free(i);
    return NULL;
  }
  return i;
}

static int made(void) {
  struct item *i = item_new("abc");
  if (!i)
    return 0;
  int n = i->n; // SAFE: use-after-free
  free(i->name);
  free(i); // SAFE: double-free
  return n;
}

static int freed_in_between(void) {
  struct item *i = item_new("abc");
  free(i);
  if (!i)
    return 0;
  return i->n; // POSSIBLE: use-after-free
}

static void item_free(struct item *i) {
  if (i && i->name) {
    free(i->name);
    free(i);
  }
}

static int freed_by_a_function(void) {
  struct item *i = item_new("abc");
  item_free(i);
  if (!i)
    return 0;
  return i->n; // POSSIBLE: use-after-free
}

static struct item *item_new_but_freed(const char *name) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    return NULL;
  i->n = 3;
  i->name = strdup(name);
  if (!i->name)
    free(i);
  return i;
}

static int freed_and_given_back(void) {
  struct item *i = item_new_but_freed("abc");
  if (!i)
    return 0;
  return i->n; // POSSIBLE: use-after-free
}

static int freed_where_the_flag_is_set(int n) {
  int alive = 1;
  char *p = malloc(4);
  if (!p)
    return 0;
  *p = 0;
  if (any()) {
    free(p);
    alive = 0;
  }
  for (int i = 0; i < n; i++)
    if (i == 3 && alive) {
      free(p);
      break;
    }
  return alive ? *p : 0; // POSSIBLE: use-after-free
}

static int not_freed_in_between(int n) {
  int alive = 1;
  char *p = malloc(4);
  if (!p)
    return 0;
  *p = 0;
  if (any()) {
    free(p);
    alive = 0;
  }
  return alive ? *p : n; // SAFE: use-after-free
}

static int made_on_the_other_way_later(int late) {
  char *p = NULL;
  for (int i = 0; i < 2; i++) {
    if (i == 0 ? late : !late)
      continue;
    p = malloc(4);
    if (!p)
      return 0;
  }
  if (late)
    p[7] = 1; // ALWAYS: out-of-bounds - the block exists
  return 0;
}

// Of several blocks of one call of `malloc` the test of one says nothing of another.

static int two_made(void) {
  struct item *a = item_new("a");
  struct item *b = item_new("b");
  if (!b)
    return 0;
  return b->n + // SAFE: use-after-free
         a->n; // POSSIBLE: null-deref
}

// A number that is tested as another type is the same flag only where it is the same number.

static int narrowed(void) {
  int v;
  int ok = 0;
  if (any()) {
    v = any();
    ok = 256;
  }
  unsigned char c = (unsigned char)ok;
  if (c == 0)
    return v; // POSSIBLE: uninit-read
  return 0;
}

// Another run of a recursive function has variables of the same names.

static int recursive(int depth) {
  int v, ok = 0;
  if (depth > 0) {
    v = depth;
    ok = 1;
  }
  if (depth > 1)
    recursive(depth - 2);
  return ok ? v : 0; // SAFE: uninit-read
}

static int recursive_through_a_pointer(int depth, int *ok_before) {
  int v, ok = 0;
  if (depth > 0) {
    v = depth;
    ok = 1;
  }
  if (ok_before)
    *ok_before = 1;
  if (depth != 1)
    recursive_through_a_pointer(1, &ok);
  return ok ? v : 0; // POSSIBLE: uninit-read
}

int main(void) {
  const char *name;
  const char *table[8] = {"a"};
  one_value_of_the_result_is_enough();
  the_other_value_is_not();
  the_pointer_of_one_way();
  neither_of_two_numbers(any());
  no_pointer_says_nothing();
  a_condition_kept(table, any());
  a_condition_kept_and_changed(table, any());
  a_condition_the_other_way(table, any());
  tested_result();
  result_not_tested();
  tested_the_wrong_way();
  result_kept_in_a_variable();
  variable_changed();
  result_of_another_call();
  both_tested();
  one_of_two();
  own_flag();
  own_flag_set_too_early();
  flag_of_the_last_turn(any());
  ended_and_begun_again(any());
  result_says_no_null();
  result_says_null();
  written_in_between();
  written_through_a_pointer(any());
  made();
  freed_in_between();
  freed_by_a_function();
  freed_and_given_back();
  freed_where_the_flag_is_set(any());
  not_freed_in_between(any());
  made_on_the_other_way_later(any() != 0);
  two_made();
  narrowed();
  recursive(any());
  recursive_through_a_pointer(any(), NULL);
  if (find(any(), &name))
    return name[0]; // SAFE: null-deref
  return 0;
}
