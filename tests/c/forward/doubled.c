/* Blocks that begin as none and get twice the room: how far the room goes is asked of the number that it will be. */
#include <stdio.h>
#include <stdlib.h>

static int limited(void) {
  int *all = 0, count = 0, room = 0;
  for (int c = getchar(); c != EOF; c = getchar()) {
    if (count == room) {
      int more = room ? 2 * room : 8; // SAFE: signed-overflow
      if (more > 100000)
        exit(1);
      int *b = realloc(all, more * sizeof *b);
      if (!b)
        exit(1);
      all = b;
      room = more;
    }
    all[count++] = c; // SAFE: null-deref; SAFE: out-of-bounds; SAFE: signed-overflow
  }
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum ^= all[i]; // SAFE: null-deref; SAFE: out-of-bounds; SAFE: uninit-read
  free(all);
  return sum;
}

static int unlimited(void) {
  int *all = 0, count = 0, room = 0;
  for (int c = getchar(); c != EOF; c = getchar()) {
    if (count == room) {
      int more = room ? 2 * room : 8; // POSSIBLE: signed-overflow
      int *b = realloc(all, more * sizeof *b);
      if (!b)
        exit(1);
      all = b;
      room = more;
    }
    all[count++] = c; // SAFE: out-of-bounds - where nothing has wrapped
  }
  int sum = 0;
  for (int i = 0; i <= count; i++)
    sum ^= all[i]; // POSSIBLE: null-deref; POSSIBLE: out-of-bounds; POSSIBLE: uninit-read
  free(all);
  return sum;
}

int main(void) { return limited() + unlimited(); }
