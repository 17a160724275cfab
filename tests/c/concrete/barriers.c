/* Assembler statements without a template: they move operands and do nothing else. */
#include <stdio.h>

static int hidden(int x) {
  __asm__("" : "+r"(x));
  return x;
}

int main(void) {
  int a = 3, b = 4;
  unsigned long place;
  __asm__ volatile("" : : : "memory");
  __asm__("" : "=r"(b) : "0"(a + 1));
  __asm__("" : [to] "=r"(place) : "[to]"(&a), "m"(b));
  *(int *)place += hidden(10);
  printf("%d %d\n", a, b);
  return a;
}
