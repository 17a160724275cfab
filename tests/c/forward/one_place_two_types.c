/* One place in memory is written as an integer and read as a float: the bits of 0 are those of 0.0. */
#include <assert.h>
#include <stdlib.h>
union num {
  int i;
  float f;
};
int main(void) {
  union num *p = malloc(sizeof(union num));
  if (!p)
    return 1;
  p->i = 0;
  assert(p->f == 0); // SAFE: assertion
  p->i = 1;
  assert(p->f == 0); // ALWAYS: assertion - the bits of 1 are a small number
  free(p);
  return 0;
}
