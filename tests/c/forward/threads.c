/* A thread runs where it is created, and ends where its function returns or calls pthread_exit. */
#include <pthread.h>
#include <stdlib.h>

static int shared, zero;

static void *counts(void *p) {
  shared = *(int *)p; // SAFE: null-deref
  pthread_exit(&shared);
  return (void *)(long)(1 / zero); // UNREACHABLE: div-by-zero
}

static void deep(int n) {
  if (n > 2)
    pthread_exit(0);
  shared = n;
}

static void *loops(void *p) {
  for (int i = 0;; i++)
    deep(i);
  return p;
}

static int ends(void) {
  pthread_t t;
  int start = 4;
  void *given = 0;
  if (pthread_create(&t, 0, counts, &start))
    return 0;
  if (pthread_join(t, &given))
    return 0;
  if (given == 0)
    return 1 / zero; // UNREACHABLE: div-by-zero
  *(int *)given = 9;       // SAFE: null-deref
  return 1 / (shared - 9); // ALWAYS: div-by-zero
}

static int never_returns(void) {
  pthread_t t;
  if (pthread_create(&t, 0, loops, 0))
    return 0;
  return 1 / (shared - 3); // SAFE: div-by-zero
}

static void *nothing(void *p) { return rand() > 3 ? p : 0; }

static int of_several(void) {
  pthread_t t;
  int x = 0;
  void *given;
  if (pthread_create(&t, 0, nothing, 0) || pthread_create(&t, 0, nothing, &x) || pthread_join(t, &given))
    return 0;
  return *(int *)given; // POSSIBLE: null-deref
}

int main(void) {
  int n = rand() > 3 ? ends() : rand() > 3 ? never_returns() : of_several();
  if (rand() > 3)
    pthread_exit(0);
  return n;
}
