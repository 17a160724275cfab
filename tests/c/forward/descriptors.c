/* A call on a descriptor below 0 fails, and writes nothing. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char first = 'a';
  int fd = open("name", O_RDONLY);
  if (fd < 0) {
    assert(read(fd, &first, 1) == -1); // SAFE: assertion
    assert(first == 'a');              // SAFE: assertion
    assert(fcntl(fd, F_GETFD) == -1);  // SAFE: assertion
    assert(lseek(-1, 0, SEEK_SET) == -1); // SAFE: assertion
  } else {
    long got = read(fd, &first, 1);
    assert(first == 'a');              // POSSIBLE: assertion
    assert(got == -1);                 // POSSIBLE: assertion
    assert(fcntl(fd, F_GETFD) == -1);  // POSSIBLE: assertion
    assert(lseek(1, 0, SEEK_SET) == -1); // POSSIBLE: assertion
  }
  return 0;
}
