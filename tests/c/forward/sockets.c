/* Addresses of sockets: as many bytes as there are and as the caller has room for, while the length may say more. */
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int rand(void);

static int accepted(int s) {
  char *b = malloc(8);
  socklen_t l = 8;
  if (!b || accept(s, (struct sockaddr *)b, &l) < 0) // SAFE: out-of-bounds; SAFE: null-deref
    return 0;
  int *p = 0;
  if (l > 8)
    return *p; // ALWAYS: null-deref - the length is that of the whole address
  if (l > 0)
    b[l - 1] = 0; // SAFE: out-of-bounds
  return b[8]; // ALWAYS: out-of-bounds
}

static int named(int s) {
  char *b = malloc(20);
  socklen_t l = 110;
  if (!b)
    return 0;
  if (getsockname(s, (struct sockaddr *)b, &l) < 0) // POSSIBLE: out-of-bounds of getsockname(b) - room for 20 only
    return 1;
  l = 20;
  if (getsockname(s, (struct sockaddr *)b, &l) < 0) // SAFE: out-of-bounds
    return 2;
  b[l - 1] = 0; // POSSIBLE: out-of-bounds
  return 3;
}

static int of_peer(int s, unsigned room) {
  char *b = malloc(room);
  socklen_t l = room;
  if (!b)
    return 0;
  if (getpeername(s, (struct sockaddr *)b, &l) < 0) // SAFE: out-of-bounds
    return 1;
  l = room + 1;
  return getpeername(s, (struct sockaddr *)b, &l); // POSSIBLE: out-of-bounds of getpeername(b)
}

static long received(int s) {
  char text[4], *b = malloc(20);
  socklen_t l = 21;
  if (!b)
    return 0;
  if (recvfrom(s, text, sizeof text, 0, (struct sockaddr *)b, &l) < 0) // POSSIBLE: out-of-bounds of recvfrom(b)
    return 1;
  struct sockaddr_in from;
  l = sizeof from;
  return recvfrom(s, text, sizeof text, 0, (struct sockaddr *)&from, &l); // SAFE: out-of-bounds
}

static long nameless(int s) {
  char text[4];
  return recvfrom(s, text, 4, 0, 0, 0) + accept(s, 0, 0); // SAFE: out-of-bounds
}

static long without_length(int s) {
  struct sockaddr_in from;
  return accept(s, (struct sockaddr *)&from, 0); // ALWAYS: null-deref
}

static int failed(void) {
  socklen_t l = 8;
  char b[8] = {0};
  accept(-1, (struct sockaddr *)b, &l);
  return 1 / (l == 8) + 1 / (b[0] == 0); // SAFE: div-by-zero
}

int main(void) {
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < 0)
    return 0;
  switch (rand() & 7) {
  case 0: return accepted(s);
  case 1: return named(s);
  case 2: return of_peer(s, (unsigned)rand());
  case 3: return (int)received(s);
  case 4: return (int)nameless(s);
  case 5: return (int)without_length(s);
  default: return failed();
  }
}
