/* Cleanups of variables run when their scope is left, in whatever way, newest first. */
#include <stdio.h>
#include <stdlib.h>

static void bye(const int *p) { printf("bye %d\n", *p); }
static void give_back(void *p) { free(*(void **)p); }

#define NOISY __attribute__((cleanup(bye))) int

static int returned(int n) {
  NOISY a = n;
  if (n > 2) {
    NOISY b = a + 10;
    return b++;
  }
  return a;
}

static int jumped(int n) {
  NOISY outer = 100;
again:;
  NOISY inner = n;
  if (n < 2) {
    NOISY deep = 50 + n;
    n++;
    goto again;
  }
  if (n == 2) {
    NOISY deepest = 70;
    goto done;
  }
  n = 0;
done:
  return n + outer - inner;
}

static void endless(void) {
  NOISY to_the_end = 7;
  exit(3);
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    NOISY x = i;
    if (i == 1)
      continue;
    if (i == 3)
      break;
    __attribute__((cleanup(give_back))) char *block = malloc(8);
    printf("in %d\n", i);
  }
  printf("%d\n", returned(1));
  printf("%d\n", returned(3));
  printf("%d\n", jumped(0));
  int value = ({
    NOISY y = 5;
    y + 1;
  });
  printf("%d\n", value);
  endless();
}
