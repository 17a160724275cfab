/* Indices into arrays that are members of records or rows of other arrays. Pointers that are made of such arrays are pointers into the
   whole object: what leaves the array through them is not seen (docs/unsoundness.md, H2). */
#include <stddef.h>
#include <string.h>

int rand(void);

struct pair {
  int first[4];
  int second[4];
  int count;
};

static int checked(struct pair *p, int i) {
  if (i < 0 || i >= 4)
    return 0;
  p->first[i] = 1;      // SAFE: index-bound
  return p->second[i];  // SAFE: index-bound
}

static int unchecked(struct pair *p, int i) {
  return p->first[i]; // POSSIBLE: index-bound
}

static int one_too_many(struct pair *p, int i) {
  if (i < 0 || i > 4)
    return 0;
  p->first[i] = 1; // POSSIBLE: index-bound; SAFE: out-of-bounds
  return p->count;
}

static int below(struct pair *p) {
  int i = -1;
  return p->second[i]; // ALWAYS: index-bound
}

/* One behind the last is no element, but has an address. */
static long behind(struct pair *p) {
  int n = 4;
  int *end = &p->first[n]; // SAFE: index-bound
  return end - p->first;
}

static long behind_that(struct pair *p) {
  int n = 5;
  int *end = &p->first[n]; // ALWAYS: index-bound
  return end - p->first;
}

static int element_behind(struct pair *p) {
  int n = 4;
  return p->first[n]; // ALWAYS: index-bound
}

/* An index by a type that has no other numbers. */
struct by_byte {
  char table[256];
  char more[256];
};

static int by_byte(struct by_byte *p, unsigned char c) {
  int i = rand();
  p->table[c] = 1;       // SAFE: out-of-bounds
  p->table[i & 255] = 1; // SAFE: out-of-bounds
  return p->more[(unsigned char)i];
}

/* Rows. */
static int rows(int i, int j) {
  static int m[3][4];
  if (i < 0 || i > 2 || j < 0)
    return 0;
  if (j < 4)
    return m[i][j]; // SAFE: index-bound of m[i][j]
  if (j == 4)
    return *(&m[i][j] - 1); // SAFE: index-bound of m[i][j]
  return m[i][j]; // ALWAYS: index-bound of m[i][j]
}

static int row_of(int (*row)[4], int i) {
  return (*row)[i]; // POSSIBLE: index-bound
}

static int row_of_checked(int (*row)[4], unsigned i) {
  return i < 4 ? (*row)[i] : 0; // SAFE: index-bound
}

/* All elements of all rows: who converts the address means more than the first row. */
static int flattened(int (*m)[4]) {
  int *p = (int *)m, sum = 0;
  for (int i = 0; i < 12; i++)
    sum += p[i]; // SAFE: out-of-bounds
  return 7 / (sum - sum + 7); // SAFE: div-by-zero
}

static int in_any_row(int (*m)[4], int i) {
  int *p = (int *)m;
  if (i < 0 || i > 11)
    return 0;
  p[i] = 1;           // SAFE: out-of-bounds
  return 1 / (i - 7); // POSSIBLE: div-by-zero
}

struct matrix {
  int m[3][4];
  int after;
};

static int flattened_member(struct matrix *t) {
  int *p = (int *)t->m;
  int i;
  for (i = 0; i < 12; i++)
    p[i] = 1; // SAFE: out-of-bounds
  return 1 / (i - 12); // ALWAYS: div-by-zero
}

static int flattened_by_way_of_void(struct matrix *t) {
  int *p = (int *)(void *)t->m;
  int i;
  for (i = 0; i < 12; i++)
    p[i] = 1; // SAFE: out-of-bounds
  return 1 / (i - 12); // ALWAYS: div-by-zero
}

/* The last member may go on to the end of its object, and so may one of one element. */
struct last {
  int count;
  int items[2];
};

static int last_member(int i) {
  static union {
    struct last head;
    char room[64];
  } u;
  if (i < 0 || i > 14)
    return 0;
  return u.head.items[i]; // SAFE: out-of-bounds
}

/* Neither does its address say more than where it begins. */
static int last_by_address(struct last *l, int i) {
  int *p = (int *)&l->items;
  if (i < 0 || i > 14)
    return 0;
  p[i] = 1;            // SAFE: out-of-bounds
  return 1 / (i - 11); // POSSIBLE: div-by-zero
}

static int last_as_a_whole(struct last *l, int i) {
  int (*items)[2] = &l->items;
  int *p = *items;
  if (i < 0 || i > 14)
    return 0;
  p[i] = 1;            // SAFE: out-of-bounds
  return 1 / (i - 11); // POSSIBLE: div-by-zero
}

struct single {
  int items[1];
  int more[3];
};

static int one_element(struct single *p, int i) {
  if (i < 0 || i > 3)
    return 0;
  return p->items[i]; // SAFE: out-of-bounds
}

/* A pointer made of an array may leave it, as long as it stays in the object. */
static int walks(struct pair *p) {
  int sum = 0;
  for (int *q = p->first; q < p->first + 4; q++)
    sum += *q; // SAFE: out-of-bounds
  return sum;
}

static int walks_too_far(struct pair *p) {
  int sum = 0;
  for (int *q = p->first; q <= p->first + 4; q++)
    sum += *q; // SAFE: out-of-bounds
  return sum;
}

static int walks_backwards(struct pair *p, int n) {
  int *q = p->second;
  return q[-n]; // SAFE: out-of-bounds
}

/* What is written through a pointer may be in the other array. */
static int apart(int i) {
  struct pair s = {.second = {1, 2, 3, 4}};
  int *q = s.first;
  if (i < 0 || i > 9)
    return 0;
  q[i] = 0;               // POSSIBLE: out-of-bounds
  return 1 / s.second[0]; // POSSIBLE: div-by-zero
}

static int not_apart(int i) {
  struct pair s = {.second = {1, 2, 3, 4}};
  int *q = (int *)&s;
  if (i < 0 || i > 8)
    return 0;
  q[i] = 0;               // SAFE: out-of-bounds
  return 1 / s.second[0]; // POSSIBLE: div-by-zero
}

/* The operand of an access is no array because what was made of it is. */
static int other_member(struct pair *p, int i) {
  if (i < 0 || i > 3)
    return 0;
  *(p->first + i) = 1; // SAFE: out-of-bounds
  p->second[1] = 0;
  int *q = &p->count;
  *q = 1;                // SAFE: out-of-bounds
  return 1 / (*q - 1);   // ALWAYS: div-by-zero
}

/* An equal address may be made of something else. */
static int equal(struct pair *p) {
  int *q = (int *)p, i = 0;
  if (q == p->first) {
    for (i = 0; i < 8; i++)
      q[i] = 0; // SAFE: out-of-bounds
    return 1 / (i - 8); // ALWAYS: div-by-zero
  }
  return i;
}

/* From an array to its record. */
struct named {
  long number;
  char name[8];
  int counts[4];
  long divisor;
};

static long of_name(char *name) {
  struct named *p = (struct named *)((char *)name - offsetof(struct named, name));
  return 1 / p->divisor; // ALWAYS: div-by-zero
}

static long of_counts(int *counts) {
  struct named *p = (struct named *)((char *)counts - offsetof(struct named, counts));
  return 1 / p->divisor; // ALWAYS: div-by-zero
}

static long of_element(int *count, int i) {
  struct named *p = (struct named *)((char *)(count - i) - offsetof(struct named, counts));
  return 1 / (p->divisor + p->number); // ALWAYS: div-by-zero
}

static long by_number(char *name) {
  unsigned long at = (unsigned long)name + (offsetof(struct named, divisor) - offsetof(struct named, name));
  return 1 / *(long *)at; // ALWAYS: div-by-zero
}

static long in_place(void) {
  struct named s = {0};
  union {
    char *text;
    unsigned long number;
  } u;
  u.text = s.name;
  u.number += offsetof(struct named, divisor) - offsetof(struct named, name);
  *u.text = 0;          // SAFE: out-of-bounds
  return 1 / s.divisor; // ALWAYS: div-by-zero
}

static long records(void) {
  struct named s = {0};
  int which = rand() & 3;
  s.counts[which] = 0; // SAFE: index-bound
  if (which == 1)
    return of_name(s.name);
  if (which == 2)
    return of_counts(s.counts);
  if (which == 3)
    return of_element(&s.counts[which], which);
  return by_number(s.name);
}

/* Several arrays of one record, one after the other. */
static int sum(const int *of, int n) {
  int all = 0;
  for (int i = 0; i < n; i++)
    all += of[i]; // SAFE: out-of-bounds
  return all;
}

static int sums(struct pair *p) {
  return sum(p->first, 4) + sum(p->second, 4);
}

static int far_sum(const int *of, int n) {
  int all = 0;
  for (int i = 0; i < n; i++)
    all += of[i]; // SAFE: out-of-bounds
  return all;
}

static int far_sums(struct pair *p) {
  return far_sum(p->second, 4) + far_sum(p->first, 5);
}

/* Functions of the library that take characters. */
struct texts {
  char name[4];
  int count;
};

static int texts(void) {
  static struct texts s;
  strcpy(s.name, "abc"); // SAFE: out-of-bounds
  return s.count;
}

static int long_text(void) {
  static struct texts s;
  strcpy(s.name, "abcd"); // SAFE: out-of-bounds
  return s.count;
}

static int whole_record(void) {
  static struct pair s;
  memset(s.first, 1, sizeof s); // SAFE: out-of-bounds - bytes of the record
  return 1 / (s.count - 0x01010101); // ALWAYS: div-by-zero
}

/* Members of a union: the longest goes on to its end. */
union both {
  char few[4];
  char many[8];
};

static int unions(union both *u, int i) {
  if (i < 0 || i > 7)
    return 0;
  u->many[i] = 0;   // SAFE: out-of-bounds
  return u->few[i]; // POSSIBLE: index-bound
}

/* Addresses of arrays and of their elements before main. */
static struct pair kept;
static int *const start = kept.first, *const end = &kept.first[4];

static int before(void) {
  int n = 0;
  for (int *p = start; p != end; p++)
    n += *p; // SAFE: out-of-bounds
  return n;
}

int main(void) {
  static struct pair s;
  static struct by_byte b;
  static struct matrix t;
  static struct single one;
  static union both u;
  static union {
    struct last head;
    char room[64];
  } roomy;
  int m[3][4] = {{0}}, i = rand() - rand();
  switch (rand()) {
  case 0: return checked(&s, i);
  case 1: return unchecked(&s, i);
  case 2: return one_too_many(&s, i);
  case 3: return below(&s);
  case 4: return (int)behind(&s);
  case 5: return (int)behind_that(&s);
  case 6: return element_behind(&s);
  case 7: return by_byte(&b, (unsigned char)i);
  case 8: return rows(i, rand());
  case 9: return row_of(&m[1], i);
  case 10: return row_of_checked(&m[1], (unsigned)i);
  case 11: return flattened(m);
  case 12: return flattened_member(&t);
  case 13: return last_member(i);
  case 14: return one_element(&one, i);
  case 15: return walks(&s);
  case 16: return walks_too_far(&s);
  case 17: return walks_backwards(&s, i & 1);
  case 18: return apart(i);
  case 19: return not_apart(i);
  case 20: return other_member(&s, i);
  case 21: return equal(&s);
  case 22: return (int)records();
  case 23: return sums(&s);
  case 24: return far_sums(&s);
  case 25: return texts();
  case 26: return long_text();
  case 27: return whole_record();
  case 28: return unions(&u, i);
  case 29: return before();
  case 30: return (int)in_place();
  case 31: return flattened_by_way_of_void(&t);
  case 32: return in_any_row(m, i);
  case 33: return last_by_address(&roomy.head, i);
  case 34: return last_as_a_whole(&roomy.head, i);
  default: return 0;
  }
}
