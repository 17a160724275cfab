// A block is freed on one way only, and there the pointer gets another block, or NULL: it leads to what lives, whatever has become of the
// block. Twins differ in one fact.
#include <stdlib.h>

struct table {
  int *rows;
  int size;
};

static int *kept;
static int *other;
static struct table table;

static int *grab(size_t n) {
  int *p = malloc(n);
  if (!p)
    exit(1);
  *p = 0;
  return p;
}

/* free(p); p = NULL; */
static void forgotten(int way) {
  int *p = grab(4);
  if (way > 1) {
    free(p); // SAFE: double-free
    p = NULL;
  }
  if (p)
    *p = 1; // SAFE: use-after-free
  free(p);  // SAFE: double-free
}

/* The pointer stays. */
static void remembered(int way) {
  int *p = grab(4);
  if (way > 1)
    free(p);
  if (p)
    *p = 1; // POSSIBLE: use-after-free
  free(p);  // SAFE: double-free - after the access above
}

/* Nor is it looked at. */
static void freed_twice(int way) {
  int *p = grab(4);
  if (way > 1)
    free(p);
  free(p); // POSSIBLE: double-free
}

/* Another pointer to the same block stays. */
static void shared(int way) {
  int *p = grab(4);
  int *q = p;
  if (way > 1) {
    free(p);
    p = NULL;
  }
  if (p)
    *p = 1; // SAFE: use-after-free
  *q = 2;   // POSSIBLE: use-after-free
}

/* It is freed behind the place where the ways meet. */
static void freed_behind(int way) {
  int *p = grab(4), *q = NULL;
  if (way > 1) {
    free(p);
    p = NULL;
  } else {
    q = p;
  }
  if (way == 1)
    free(q);
  if (p)
    *p = 1; // POSSIBLE: use-after-free
}

/* It is written behind that place. */
static void written_behind(int way) {
  int *p = grab(4), *q = p;
  if (way > 1) {
    free(p);
    p = NULL;
  }
  if (way > 2)
    p = q;
  if (p)
    *p = 1; // POSSIBLE: use-after-free
}

/* The same through a pointer to the pointer. */
static void written_through(int way) {
  int *p = grab(4), *q = p;
  int **at = &p;
  if (way > 1) {
    free(p);
    p = NULL;
  }
  if (way > 2)
    *at = q;
  if (p)
    *p = 1; // POSSIBLE: use-after-free
}

/* A vector that grows: the old block has ended, and the variable has the new one. */
static int grows(int n) {
  int *all = grab(4 * sizeof *all);
  int size = 4;
  for (int i = 0; i < n; i++) {
    if (i >= size) {
      size += 4;
      int *more = realloc(all, size * sizeof *all); // SAFE: double-free; SAFE: invalid-free
      if (!more)
        exit(1);
      all = more;
    }
    all[i] = i; // SAFE: use-after-free; SAFE: null-deref
  }
  int first = all[0]; // SAFE: use-after-free
  free(all);          // SAFE: double-free; SAFE: invalid-free
  return first;
}

/* The variable keeps the old one. */
static int stays(int n) {
  int *all = grab(4 * sizeof *all);
  int size = 4;
  for (int i = 0; i < n; i++) {
    if (i >= size) {
      size += 4;
      int *more = realloc(all, size * sizeof *all);
      if (!more)
        exit(1);
    }
    all[i] = i; // POSSIBLE: use-after-free
  }
  return 0;
}

/* In a function, and of a static variable and a member. */
static void reset(int way) {
  if (way > 3) {
    free(kept);
    kept = NULL;
  }
  if (way > 4) {
    free(table.rows);
    table.rows = grab(8);
  }
}

static void drop(int way) {
  if (way > 3)
    free(other);
}

static void members(int way) {
  kept = malloc(4);
  other = malloc(4);
  table.rows = malloc(4);
  reset(way);
  drop(way);
  if (kept)
    *kept = 1; // SAFE: use-after-free
  if (other)
    *other = 1; // POSSIBLE: use-after-free
  if (table.rows)
    table.rows[0] = 1; // SAFE: use-after-free
  free(kept); // SAFE: double-free
  kept = NULL;
}

/* A static pointer to a variable of a function that has returned. */
static void leaves(int way) {
  int own = 1, *p = grab(4);
  kept = &own;
  if (way > 1) {
    free(p);
    kept = p;
    kept = &own;
  }
}

static int dangles(int way) {
  leaves(way);
  return *kept; // ALWAYS: use-after-free
}

/* On one way a block that has ended, on the other one that lives. */
static int mixed(int way) {
  int *p = grab(4), *q = grab(8), *r;
  if (way > 1) {
    free(p);
    r = p;
  } else {
    r = q;
  }
  return *r; // POSSIBLE: use-after-free
}

/* Which of two, and the other one is freed. */
static int chosen(int way) {
  int *p = grab(4), *q = grab(8), *r;
  if (way > 1) {
    free(p);
    r = q;
  } else {
    free(q);
    r = p;
  }
  return *r; // SAFE: use-after-free
}

int main(int argc, char **argv) {
  forgotten(argc);
  remembered(argc);
  freed_twice(argc);
  shared(argc);
  freed_behind(argc);
  written_behind(argc);
  written_through(argc);
  grows(argc);
  stays(argc);
  members(argc);
  int n = mixed(argc) + chosen(argc);
  return n + dangles(argc);
}
