/* With `MSG_TRUNC` the result is the length of the whole message, and only as much as there is room for is written. */
#include <stdlib.h>
#include <sys/socket.h>

int rand(void);

static int plain(int s) {
  char b[8];
  long n = recv(s, b, sizeof b, MSG_DONTWAIT); // SAFE: out-of-bounds
  if (n <= 0)
    return 0;
  b[n - 1] = 0; // SAFE: out-of-bounds
  return b[n]; // POSSIBLE: out-of-bounds
}

static int whole(int s) {
  char b[8];
  long n = recv(s, b, sizeof b, MSG_TRUNC); // SAFE: out-of-bounds
  if (n <= 0)
    return 0;
  b[n - 1] = 0; // POSSIBLE: out-of-bounds
  return 1;
}

static int perhaps(int s, int flags) {
  char b[8];
  long n = recv(s, b, sizeof b, flags); // SAFE: out-of-bounds
  if (n > 8)
    return 1 / (flags & MSG_TRUNC); // POSSIBLE: div-by-zero
  if (n > 0)
    b[n - 1] = 0; // SAFE: out-of-bounds
  return 1;
}

static int with_address(int s) {
  char b[8];
  long n = recvfrom(s, b, sizeof b, MSG_TRUNC | MSG_PEEK, 0, 0); // SAFE: out-of-bounds
  if (n <= 0)
    return 0;
  b[n - 1] = 0; // POSSIBLE: out-of-bounds
  n = recvfrom(s, b, sizeof b, MSG_PEEK, 0, 0);
  if (n <= 0)
    return 0;
  b[n - 1] = 0; // SAFE: out-of-bounds
  return 1;
}

static long too_much(int s) {
  char b[8];
  return recv(s, b, 9, MSG_TRUNC); // POSSIBLE: out-of-bounds
}

int main(void) {
  int s = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (s < 0)
    return 0;
  switch (rand() & 7) {
  case 0: return plain(s);
  case 1: return whole(s);
  case 2: return perhaps(s, rand());
  case 3: return with_address(s);
  default: return (int)too_much(s);
  }
}
