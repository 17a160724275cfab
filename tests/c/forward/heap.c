/* Heap blocks: recency, freeing, sizes. */
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  int value;
};

static void *grab(size_t n) {
  void *p = malloc(n);
  if (!p)
    exit(1);
  return p;
}

int main(int argc, char **argv) {
  int *p = grab(12);
  p[2] = 1; // SAFE: null-deref; SAFE: out-of-bounds
  int *q = grab(argc > 2 ? 8 : 16);
  q[2] = 1; // POSSIBLE: out-of-bounds
  int *z = calloc(4, 4);
  if (z) {
    int r = 1 / (z[3] + 1); // SAFE: uninit-read
    if (argc > 9)
      r = 1 / (p[1] + 1); // ALWAYS: uninit-read
  }
  free(z); // SAFE: invalid-free; SAFE: double-free
  if (argc > 4)
    free(p); // SAFE: double-free
  free(p); // POSSIBLE: double-free
  struct node *list = 0;
  for (int i = 0; i < argc; i++) {
    struct node *n = grab(sizeof *n);
    n->value = i; // SAFE: null-deref; SAFE: use-after-free
    n->next = list;
    list = n;
  }
  while (list) {
    struct node *next = list->next; // SAFE: null-deref; SAFE: use-after-free - the list behind it is apart from what is freed
    free(list);
    list = next;
  }
  char *s = malloc(4);
  if (s) {
    memset(s, 0, 4); // SAFE: out-of-bounds
    memset(s, 0, 5); // ALWAYS: out-of-bounds
  }
  return 0;
}
