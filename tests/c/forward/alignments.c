/* Blocks of an alignment: what is none fails, with aligned_alloc in newer libraries only. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  void *block = 0;
  switch (rand()) {
  case 0:
    assert(posix_memalign(&block, 3, 8) == 22); // SAFE: assertion
    assert(block == 0);                         // SAFE: assertion
    break;
  case 1:
    assert(posix_memalign(&block, 16, 8) == 22); // ALWAYS: assertion
    break;
  case 2:
    assert(aligned_alloc(3, 8) == 0); // POSSIBLE: assertion
    break;
  default:
    assert(aligned_alloc(16, 8) == 0); // POSSIBLE: assertion
  }
  return 0;
}
