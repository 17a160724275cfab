/* Atomic loads and stores by pointers copy the whole object. */
#include <assert.h>
#include <stdlib.h>

struct pair {
  int first, second;
};

int main(void) {
  struct pair a = {1, 2}, b = {3, 4};
  long number = 5, copy = 6;
  switch (rand()) {
  case 0:
    __atomic_load(&a, &b, __ATOMIC_SEQ_CST);
    assert(b.first == 1 && b.second == 2); // SAFE: assertion
    break;
  case 1:
    __atomic_store(&a, &b, __ATOMIC_SEQ_CST);
    assert(b.first == 1); // ALWAYS: assertion
    break;
  case 2:
    __atomic_store(&number, &copy, __ATOMIC_RELAXED);
    assert(number == 6); // SAFE: assertion
    break;
  default:
    __atomic_load(&number, (long *)0, __ATOMIC_RELAXED); // ALWAYS: null-deref
  }
  return 0;
}
