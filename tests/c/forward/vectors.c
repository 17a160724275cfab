// Arrays of records that grow with a count beside them: what is asked for, and what is read and written, in multiples of the count.
#include <stdlib.h>

struct row {
  int index, size;
  char *chars;
};

struct {
  int count;
  struct row *rows;
} all, less;

static void append(int size) {
  int at = all.count;
  struct row *rows = realloc(all.rows, sizeof(struct row) * (all.count + 1)); // SAFE: signed-overflow - main has a bound
  if (!rows)
    exit(1);
  all.rows = rows;
  all.rows[at].index = at; // SAFE: out-of-bounds
  all.rows[at].size = size; // SAFE: out-of-bounds - also behind the start of the record
  all.count++; // SAFE: signed-overflow
}

// The same with room for one record less.
static void append_less(int size) {
  int at = less.count;
  struct row *rows = realloc(less.rows, sizeof(struct row) * less.count + 4);
  if (!rows)
    exit(1);
  less.rows = rows;
  less.rows[at].index = at; // SAFE: out-of-bounds - as much as there is
  less.rows[at].size = size; // ALWAYS: out-of-bounds - the first time
  less.count++;
}

int main(int argc, char **argv) {
  while (all.count < 1000)
    append(argc);
  while (less.count < argc && less.count < 1000)
    append_less(argc);
  int n = argc;
  if (n < 0 || n > 100000)
    return 0;
  struct row *rows = malloc(sizeof(struct row) * (n + 1));
  if (!rows)
    exit(1);
  rows[n].size = 1; // SAFE: out-of-bounds
  rows[n + 1].index = 1; // ALWAYS: out-of-bounds
  return 0;
}
