/* Waiting for descriptors: sets are read and written as far as the first argument says, records as many as the second one says. */
#include <poll.h>
#include <stdlib.h>
#include <sys/select.h>

int rand(void);

static int sets(void) {
  fd_set *part = calloc(1, 8);
  if (!part)
    return 0;
  int n = select(64, part, 0, 0, 0); // SAFE: out-of-bounds; SAFE: null-deref
  if (n > 0)
    return 1;
  return select(65, 0, part, 0, 0); // ALWAYS: out-of-bounds of select(part)
}

static int times(void) {
  const struct timespec now = {0};
  struct timeval later = {1, 0};
  if (pselect(0, 0, 0, 0, &now, 0) == 0 && select(0, 0, 0, 0, &later) == 0)
    return 1 / (later.tv_sec == 1); // POSSIBLE: div-by-zero
  return 0;
}

static int records(int many) {
  struct pollfd fds[2];
  fds[0].fd = 3;
  fds[0].events = POLLIN;
  if (poll(fds, 1, -1) < 0)
    return fds[0].revents;  // ALWAYS: uninit-read
  if (fds[0].revents & POLLIN) // SAFE: uninit-read
    return fds[0].fd / (fds[0].fd == 3); // SAFE: div-by-zero
  if (many)
    return poll(fds, 3, 0); // ALWAYS: out-of-bounds
  return fds[1].revents;    // ALWAYS: uninit-read
}

static int none(void) {
  int n = poll(0, 0, 10), m = select(0, 0, 0, 0, 0);
  return 1 / (n < 1) + 1 / (m < 1); // SAFE: div-by-zero
}

int main(void) {
  switch (rand() & 3) {
  case 0: return sets();
  case 1: return times();
  case 2: return records(rand() & 1);
  default: return none();
  }
}
