// A variable of a run that is under way goes into calls for the block that it points to, which may not stay the last one: another run of the
// same function has a variable of its own.
#include <stdlib.h>

struct node {
  int value, *cell;
  struct node *next;
};

static int ones = 1;
static int *held = &ones;
static struct node first = {1, &ones, &first}, *list = &first;

static struct node *third(int *a, int **b, struct node *s, struct node **t, int k);

static struct node *one(int *a, int **b, struct node *s, struct node **t, int k) {
  int *own = held;
  if (k > 0)
    list->next = third(&ones, &own, list->next, &list->next, k - 1);
  return list;
}

static struct node *other(int *a, int **b, struct node *s, struct node **t, int k) {
  struct node *q = list->next;
  struct node *e = malloc(sizeof *e);
  if (!e)
    exit(0);
  e->value = 3;
  e->cell = &ones;
  e->next = list;
  *t = e;
  if (k > 0)
    one(list->cell, &list->cell, q, &list, k - 1);
  return list;
}

static struct node *third(int *a, int **b, struct node *s, struct node **t, int k) {
  int y = 0;
  if (k > 0)
    s->next = one(held, b, *t, &list, k - 1);
  if (k > 0)
    other(&y, b, *t, &list->next, k - 1);
  return list;
}

int main(void) {
  int y = 0;
  int *l = &y;
  struct node *q = list->next;
  list->cell = q->cell;
  one(held, &l, q, &list, 3);
  list->next = other(q->cell, &l, list->next, &q, 1);
  list = q;
  q = third(list->cell, &l, list->next, &list->next, 2);
  list->next = one(&y, &l, q, &q, 2);
  other(&ones, &list->cell, list->next, &q, 3);
  list->next = one(&y, &held, q, &q, 1);
  return 0;
}
