/* Records behind the named parameters are passed with what they hold: padding and unset members too. */
#include <stdarg.h>

struct pair {
  int a;
  double b;
};

static int first(int n, ...) {
  va_list list;
  va_start(list, n);
  struct pair last = {0, 0};
  while (n-- > 0)
    last = va_arg(list, struct pair);
  va_end(list);
  return last.a;
}

int main(void) {
  struct pair set, half;
  set.a = 1;
  set.b = 2;
  half.a = 3;
  return first(2, set, half) == 3;
}
