/* What `ioctl` and `fcntl` are to write is not there where they fail. */
#include <fcntl.h>
#include <sys/ioctl.h>

int main(void) {
  struct winsize seen, unseen;
  struct flock lock;
  lock.l_type = F_WRLCK;
  if (ioctl(0, TIOCGWINSZ, &unseen) == 0 && unseen.ws_col > 3) // SAFE: uninit-read of unseen.ws_col
    return 1;
  ioctl(0, TIOCGWINSZ, &seen);
  if (seen.ws_col > 3) // POSSIBLE: uninit-read of seen.ws_col
    return 2;
  if (fcntl(0, F_GETLK, &lock) == -1)
    return lock.l_type; // SAFE: uninit-read of lock.l_type
  return lock.l_pid; // SAFE: uninit-read of lock.l_pid
}
