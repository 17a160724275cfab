// Elements of arrays behind pointers, at an index that is not known: what was written or tested there is known at the next access, as long as
// the index and the element stay what they are.
#include <stdlib.h>

struct row {
  int count;
  int *cells;
  struct row *next;
};

struct table {
  int rows;
  struct row *row;
};

extern int any(void);
extern struct table *made_elsewhere(void);
extern void change(int *);

static struct row all[8];
static int at;

static int tested(struct table *t, int i) {
  if (t->row[i].count == 0)
    return 0;
  return 100 / t->row[i].count; // SAFE: div-by-zero
}

static int tested_at_another(struct table *t, int i, int j) {
  if (t->row[i].count == 0)
    return 0;
  return 100 / t->row[j].count; // POSSIBLE: div-by-zero
}

static int moved(struct table *t, int i) {
  if (t->row[i].count == 0)
    return 0;
  i++;
  return 100 / t->row[i].count; // POSSIBLE: div-by-zero
}

static int written_at_another(struct table *t, int i, int j) {
  if (t->row[i].count == 0)
    return 0;
  t->row[j].count = any();
  return 100 / t->row[i].count; // POSSIBLE: div-by-zero
}

static int another_member_written(struct row *r, int i, int j) {
  if (r[i].count == 0)
    return 0;
  r[j].cells = 0;
  return 100 / r[i].count; // SAFE: div-by-zero - members of elements do not overlap
}

static int other_array(struct table *t, int i) {
  if (t->row[i].count == 0)
    return 0;
  t->row = made_elsewhere()->row;
  return 100 / t->row[i].count; // POSSIBLE: div-by-zero
}

static int pointer_in_it(int i) {
  if (all[i].next == 0)
    return 0;
  return all[i].next->count; // SAFE: null-deref
}

static int pointer_in_it_written(int i, int j) {
  if (all[i].next == 0)
    return 0;
  all[j].next = 0;
  return all[i].next->count; // POSSIBLE: null-deref
}

static int by_static_index(void) {
  if (at < 0 || at >= 8 || all[at].count == 0)
    return 0;
  return 100 / all[at].count; // SAFE: div-by-zero
}

static void step(void) {
  at = (at + 1) & 7;
}

static int by_static_index_that_a_call_moves(void) {
  if (at < 0 || at >= 8 || all[at].count == 0)
    return 0;
  step();
  return 100 / all[at].count; // POSSIBLE: div-by-zero
}

static int index_outside(int i) {
  i &= 7;
  change(&i);
  i &= 7;
  if (all[i].count == 0)
    return 0;
  change(&i);
  i &= 7;
  return 100 / all[i].count; // POSSIBLE: div-by-zero
}

static int ended(int i) {
  int sum = 0;
  for (int turn = 0; turn < 2; turn++) {
    int own[4];
    if (turn == 0)
      own[i & 3] = 1;
    sum += own[i & 3]; // POSSIBLE: uninit-read - another array in the second turn
  }
  return sum;
}

static int own_in_each_run(int n, int i) {
  int own[4] = {0};
  if (n < 1)
    return 0;
  own[i] = n;
  own_in_each_run(n - 1, i);
  return 100 / own[i]; // POSSIBLE: div-by-zero - the run below has another array, but may change this one, as far as the relations tell
}

static int copied_over(int i, int j) {
  if (all[i].count == 0)
    return 0;
  all[i] = all[j];
  return 100 / all[i].count; // POSSIBLE: div-by-zero
}

static int narrow(struct row *r, unsigned char i) {
  r[i].count = 1;
  i += 255;
  i += 1;
  return 100 / r[i].count; // POSSIBLE: div-by-zero - the index is the same again, which is not seen
}

int main(void) {
  struct table *t = made_elsewhere();
  int i = any(), j = any();
  for (int k = 0; k < 8; k++)
    all[k].count = any(), all[k].next = any() ? &all[any() & 7] : 0;
  at = any();
  tested(t, i), tested_at_another(t, i, j), moved(t, i), written_at_another(t, i, j), another_member_written(t->row, i, j);
  other_array(t, i), pointer_in_it(i & 7), pointer_in_it_written(i & 7, j & 7), by_static_index(), by_static_index_that_a_call_moves();
  if (any())
    ended(i);
  index_outside(i), own_in_each_run(any() & 7, i & 3), copied_over(i & 7, j & 7), narrow(t->row, j);
  return 0;
}
