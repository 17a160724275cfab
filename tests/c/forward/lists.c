// Lists on the heap: blocks that are freed one after the other, taken out and put in, and what each of them owns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  char *name;
  struct node *next;
};

static struct node *make(int value) {
  struct node *one = malloc(sizeof *one);
  if (one == NULL)
    exit(1);
  one->value = value;
  one->name = malloc(8);
  if (one->name == NULL)
    exit(1);
  strcpy(one->name, "a name");
  one->next = NULL;
  return one;
}

static struct node *several(void) {
  struct node *first = NULL;
  int c;
  while ((c = getchar()) > ' ') {
    struct node *one = make(c);
    one->next = first;
    first = one;
  }
  return first;
}

// The next one is read before a block is freed.
static void in_front(void) {
  struct node *first = several();
  while (first != NULL) {
    struct node *next = first->next; // SAFE: use-after-free
    free(first->name); // SAFE: double-free
    free(first); // SAFE: double-free
    first = next;
  }
}

// The same from behind.
static void behind(void) {
  struct node *first = several();
  while (first != NULL) {
    struct node *gone = first;
    first = first->next; // SAFE: use-after-free
    free(gone->name); // SAFE: double-free
    free(gone); // SAFE: double-free
  }
}

// By a loop that counts on in its head.
static void counted(void) {
  for (struct node *p = several(), *next; p != NULL; p = next) {
    next = p->next; // SAFE: use-after-free
    free(p->name);  // SAFE: double-free
    free(p);        // SAFE: double-free
  }
}

static void too_late(void) {
  struct node *first = several();
  while (first != NULL) {
    free(first->name);
    free(first);
    first = first->next; // ALWAYS: use-after-free
  }
}

// The block is looked at once more where there is another one.
static void once_more(void) {
  struct node *first = several();
  while (first != NULL) {
    struct node *next = first->next;
    free(first->name);
    free(first);
    if (next != NULL && first->value > next->value) // ALWAYS: use-after-free of first->value
      return;
    first = next;
  }
}

static void drop(struct node *one) {
  free(one->name); // SAFE: double-free
  free(one);       // SAFE: double-free
}

// Where what is freed is in a function of its own.
static void by_calls(void) {
  struct node *first = several();
  while (first != NULL) {
    struct node *next = first->next; // SAFE: use-after-free
    drop(first);
    first = next;
  }
}

struct stack {
  int count;
  struct node *top;
};

static void push(struct stack *stack, int value) {
  struct node *one = make(value);
  one->next = stack->top;
  stack->top = one;
}

static int pop(struct stack *stack) {
  struct node *top = stack->top;
  if (top == NULL)
    return 0;
  int value = top->value;  // SAFE: use-after-free
  stack->top = top->next;  // SAFE: use-after-free
  free(top->name);
  free(top);               // SAFE: double-free
  return value;
}

static int stacked(void) {
  struct stack stack = {0, NULL};
  int c, sum = 0;
  while ((c = getchar()) > ' ') {
    if (c == '-')
      sum ^= pop(&stack);
    else
      push(&stack, c);
  }
  while (stack.top != NULL)
    sum ^= pop(&stack);
  return sum;
}

// Without the new top the block that is freed stays there.
static int popped(struct stack *stack) {
  struct node *top = stack->top;
  int value = top->value;
  free(top->name);
  free(top);
  return value;
}

static int still_there(void) {
  struct stack stack = {0, NULL};
  push(&stack, 1);
  int value = popped(&stack);
  return value ^ stack.top->value; // ALWAYS: use-after-free
}

// Blocks are taken out of the middle by a pointer to the pointer that leads there.
static void take_out(struct node **first, int value) {
  struct node **link = first;
  while (*link != NULL) {
    struct node *one = *link; // SAFE: use-after-free
    if (one->value == value) { // SAFE: use-after-free
      *link = one->next; // SAFE: use-after-free
      free(one->name); // SAFE: double-free
      free(one); // SAFE: double-free
    } else {
      link = &one->next;
    }
  }
}

static int taken_out(void) {
  struct node *first = several();
  take_out(&first, 'a');
  int sum = 0;
  for (struct node *p = first; p != NULL; p = p->next) // SAFE: use-after-free
    sum ^= p->value; // SAFE: use-after-free
  while (first != NULL) {
    struct node *next = first->next; // SAFE: use-after-free
    free(first->name); // SAFE: double-free
    free(first); // SAFE: double-free
    first = next;
  }
  return sum;
}

// What is freed is still in the list.
static int left_in(void) {
  struct node *first = make(1), *second = make(2);
  first->next = second;
  free(second->name);
  free(second);
  return first->next->value; // ALWAYS: use-after-free of first->next->value
}

// Each block is put where it belongs.
static struct node *put_in(struct node *list, struct node *one) {
  struct node **link = &list;
  while (*link != NULL && (*link)->value < one->value) // SAFE: use-after-free of (*link)->value
    link = &(*link)->next; // SAFE: use-after-free
  one->next = *link; // SAFE: use-after-free
  *link = one; // SAFE: use-after-free
  return list;
}

static int sorted(void) {
  struct node *rest = several(), *list = NULL;
  int sum = 0;
  while (rest != NULL) {
    struct node *one = rest;
    rest = one->next; // SAFE: use-after-free
    list = put_in(list, one);
  }
  while (list != NULL) {
    struct node *next = list->next;
    sum ^= list->value;
    free(list->name);
    free(list);
    list = next;
  }
  return sum;
}

// New ones are put behind the last one.
static void in_order(void) {
  struct node *first = NULL, **last = &first;
  int c;
  while ((c = getchar()) > ' ') {
    struct node *one = make(c);
    *last = one;
    last = &one->next;
  }
  while (first != NULL) {
    struct node *next = first->next; // SAFE: use-after-free
    free(first->name); // SAFE: double-free
    free(first); // SAFE: double-free
    first = next;
  }
}

// Two blocks with one name.
static void shared(void) {
  struct node *one = make(1), *other = make(2);
  free(other->name);
  other->name = one->name;
  one->next = other;
  while (one != NULL) {
    struct node *next = one->next;
    free(one->name); // POSSIBLE: double-free - the second time
    free(one);
    one = next;
  }
}

// What was put behind a new block at first is not what stands there when the block is put in.
static void put_in_twice(void) {
  struct node *first = several(), **link = &first;
  while (*link != NULL && (*link)->value < 'm')
    link = &(*link)->next;
  struct node *one = make(1);
  one->next = *link;
  one->next = first;
  *link = one;
  while (first != NULL) {
    struct node *next = first->next; // POSSIBLE: use-after-free - the list has no end
    free(first->name);
    free(first);
    first = next;
  }
}

static void give_back(char *name) {
  free(name);
}

// A name is freed by a function that knows nothing of the list.
static void by_another(void) {
  struct node *first = several();
  char *name = NULL;
  for (struct node *p = first; p != NULL; p = p->next)
    name = p->name;
  if (name != NULL)
    give_back(name);
  while (first != NULL) {
    struct node *next = first->next; // SAFE: use-after-free
    free(first->name); // POSSIBLE: double-free - the last one
    free(first); // SAFE: double-free
    first = next;
  }
}

// A list that begins again.
static void round_and_round(void) {
  struct node *one = make(1), *other = make(2);
  one->next = other;
  other->next = one;
  while (one != NULL) {
    struct node *next = one->next; // POSSIBLE: use-after-free - the third time
    free(one->name);
    free(one);
    one = next;
  }
}

int main(int argc, char **argv) {
  switch (argc) {
  case 1: in_front(); break;
  case 2: behind(); break;
  case 3: counted(); break;
  case 4: too_late(); break;
  case 5: once_more(); break;
  case 6: by_calls(); break;
  case 7: return stacked();
  case 8: return still_there();
  case 9: return taken_out();
  case 10: return left_in();
  case 11: return sorted();
  case 12: in_order(); break;
  case 13: shared(); break;
  case 14: round_and_round(); break;
  case 15: by_another(); break;
  case 16: put_in_twice(); break;
  }
  return 0;
}
