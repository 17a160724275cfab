// Blocks that are freed when all is done: what runs before finds them alive.
#include <stdlib.h>

struct store {
  int *numbers;
  int count;
};

/* Long enough not to be followed. */
#define AGAIN(x) x x x x x x x x
static int busy;
static void work(void) {
  AGAIN(AGAIN(AGAIN(busy = busy / 2 + 1;)))
}

static int sum(const struct store *s) {
  int all = 0;
  work();
  for (int i = 0; i < s->count; i++) {
    int k = i & 7;
    all ^= s->numbers[k]; // SAFE: use-after-free of s->numbers[k]
  }
  return all;
}

/* The twin: its stores are freed while others are summed. */
static int sum_again(const struct store *s) {
  int all = 0;
  work();
  for (int i = 0; i < s->count; i++) {
    int k = i & 7;
    all ^= s->numbers[k]; // POSSIBLE: use-after-free of s->numbers[k]
  }
  return all;
}

static struct store *make(int count) {
  struct store *s = malloc(sizeof *s);
  if (!s)
    exit(1);
  s->numbers = calloc(8, sizeof *s->numbers);
  if (!s->numbers)
    exit(1);
  s->count = count;
  return s;
}

static struct store *make_again(int count) {
  struct store *s = malloc(sizeof *s);
  if (!s)
    exit(1);
  s->numbers = calloc(8, sizeof *s->numbers);
  if (!s->numbers)
    exit(1);
  s->count = count;
  return s;
}

static void drop(struct store *s) {
  work();
  free(s->numbers);
  free(s);
}

int main(int argc, char **argv) {
  (void)argv;
  struct store *s = make(argc);
  int found = sum(s) ^ sum(s);
  drop(s);
  for (int i = 0; i < argc; i++) {
    struct store *t = make_again(i);
    found ^= sum_again(t);
    free(t->numbers);
    if (i % 3)
      found ^= sum_again(t);
    free(t);
  }
  return found;
}
