/* Labels as values: an order within their function, offsets between them. */
#include <stdio.h>

static short offsets[3];

static void run(const short *next) {
  void *base = &&x;
  static void *const table[] = {&&x, &&y, &&z};
  if (next == NULL) {
    for (int i = 0; i < 3; i++)
      offsets[i] = (short)((char *)table[i] - (char *)base);
    return;
  }
x:
  putchar('x');
  goto *((char *)base + *next++);
y:
  putchar('y');
  goto *((char *)base + *next++);
z:
  puts("z");
}

int main(void) {
  run(NULL);
  short program[4] = {offsets[1], offsets[0], offsets[1], offsets[2]};
  run(program);
  return 0;
}
