/* An allocator that is called through a pointer again and again: blocks of one call are not those of another, also when it has been entered
   in many states. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  void *(*get)(int, int);
  void (*give)(void *);
  void *state;
} Stream;
typedef struct {
  Stream *stream;
  unsigned *one, *other;
  int size, turns;
} State;

static void *get_block(int n, int m) { return malloc((size_t)n * (size_t)m); }
static void give_block(void *p) {
  if (p)
    free(p); // SAFE: double-free; SAFE: invalid-free
}

static int begin(Stream *stream, int k) {
  State *s = stream->get(sizeof(State), 1);
  if (s == NULL)
    return -1;
  s->stream = stream;
  s->one = s->other = NULL;
  int n = 1000 * k;
  s->one = stream->get(n, sizeof(unsigned));
  s->other = stream->get(n + 34, sizeof(unsigned));
  if (s->one == NULL || s->other == NULL) {
    stream->give(s->one);
    stream->give(s->other);
    stream->give(s);
    return -1;
  }
  s->size = n;
  s->turns = 0;
  stream->state = s; // SAFE: use-after-free
  return 0;
}

static void work(unsigned *a, unsigned *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] = i; // SAFE: out-of-bounds; SAFE: null-deref; SAFE: use-after-free
  for (int i = 0; i < n; i++)
    b[i] = a[n - 1 - i]; // SAFE: out-of-bounds of b[i]; SAFE: use-after-free
}

static int step(Stream *stream) {
  State *s = stream->state;
  if (s == NULL || s->stream != stream) // SAFE: uninit-read; SAFE: use-after-free
    return -1;
  work(s->one, s->other, s->size); // SAFE: uninit-read
  s->turns = (s->turns + 1) & 7;
  return s->turns;
}

static void end(Stream *stream) {
  State *s = stream->state;
  if (s == NULL)
    return;
  stream->give(s->one);   // SAFE: use-after-free
  stream->give(s->other); // SAFE: use-after-free
  stream->give(s);
  stream->state = NULL;
}

static int one(const char *name) {
  Stream stream = {get_block, give_block, NULL};
  char line[100];
  FILE *file = fopen(name, "r");
  if (!file)
    return 1;
  if (begin(&stream, 3) == 0) {
    while (fgets(line, sizeof line, file))
      if (step(&stream) < 0)
        break;
    end(&stream);
  }
  fclose(file);
  return 0;
}

int main(int argc, char **argv) {
  int failed = 0;
  for (int i = 1; i < argc; i++)
    failed |= one(argv[i]);
  return failed;
}
