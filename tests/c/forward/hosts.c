/* Names and addresses of hosts: as many characters as there is room for, and a zero where the call succeeds. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int rand(void);

static int spelled(void) {
  struct in_addr address;
  char text[INET_ADDRSTRLEN], small[8];
  if (inet_pton(AF_INET, "10.0.0.1", &address) != 1)
    return (int)address.s_addr; // ALWAYS: uninit-read
  if (address.s_addr == 0)      // SAFE: uninit-read
    return 0;
  if (!inet_ntop(AF_INET, &address, text, sizeof text)) // SAFE: out-of-bounds
    return 1;
  if (strlen(text) > 15) // SAFE: out-of-bounds
    return text[16];     // UNREACHABLE: out-of-bounds
  if (!inet_ntop(AF_INET, &address, small, sizeof small)) // SAFE: out-of-bounds
    return 2;
  return inet_ntop(AF_INET, &address, small, 16) == 0; // POSSIBLE: out-of-bounds of inet_ntop(small)
}

static int longer(void) {
  unsigned char address[4];
  return inet_pton(AF_INET6, "::1", address); // ALWAYS: out-of-bounds
}

static int other_family(void) {
  int n = inet_pton(AF_UNIX, "", 0);
  return 1 / (n == -1); // SAFE: div-by-zero
}

static int own_name(void) {
  char large[65], small[4];
  if (gethostname(large, sizeof large) == 0 && strlen(large) > 64) // SAFE: out-of-bounds
    return 1;
  if (gethostname(small, sizeof small) == 0)
    return (int)strlen(small); // SAFE: out-of-bounds
  return (int)strlen(small); // POSSIBLE: out-of-bounds - a part without a zero
}

static int resolved(const char *name) {
  struct addrinfo *list, hints = {0};
  if (getaddrinfo(name, 0, &hints, &list) != 0)
    return list != 0; // ALWAYS: uninit-read
  int family = list->ai_family; // SAFE: null-deref; SAFE: uninit-read
  char *canonical = list->ai_canonname;
  if (family == 2)
    return canonical[0]; // POSSIBLE: null-deref
  freeaddrinfo(list);
  return list->ai_protocol; // ALWAYS: use-after-free
}

static int option(int s) {
  int error;
  socklen_t room = sizeof error;
  if (getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &room) < 0) // SAFE: out-of-bounds
    return 0;
  char small[2];
  room = sizeof error;
  if (error) // SAFE: uninit-read
    return 1;
  return getsockopt(s, SOL_SOCKET, SO_ERROR, small, &room); // ALWAYS: out-of-bounds of getsockopt(small)
}

static int user(void) {
  struct passwd entry, *found;
  char buffer[100], *copy = malloc(100);
  if (!copy || getpwuid_r(0, &entry, buffer, sizeof buffer, &found) || !found) // SAFE: out-of-bounds
    return 0;
  if (getpwnam_r("root", &entry, copy, 100, &found) == 0 && found) {
    char *home = found->pw_dir; // SAFE: null-deref
    free(copy);
    return home[0]; // POSSIBLE: use-after-free - the texts lie in the buffer
  }
  return 1;
}

int main(void) {
  switch (rand() & 7) {
  case 0: return spelled();
  case 1: return longer();
  case 2: return other_family();
  case 3: return own_name();
  case 4: return resolved("localhost");
  case 5: return option(rand());
  default: return user();
  }
}
