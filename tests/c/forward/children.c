/* Other processes: what a call stores is there where a child was waited for, and a program that is run in place of this one ends it. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int rand(void);

static int waited(void) {
  int status;
  pid_t child = waitpid(-1, &status, WNOHANG);
  if (child > 0)
    return status; // SAFE: uninit-read
  return status;   // ALWAYS: uninit-read - no child has changed its state
}

static int told(void) {
  int status, table[256] = {0};
  if (wait(&status) < 0)
    return 0;
  if (WIFEXITED(status))
    return table[WEXITSTATUS(status)]; // SAFE: out-of-bounds
  return table[status];                // POSSIBLE: out-of-bounds
}

static int not_told(void) { return wait(0) + waitpid(1, NULL, 0); }

static int run(char *path) {
  char *arguments[] = {path, 0}, **none = 0;
  int *p = 0;
  if (execv(path, arguments) != -1)
    return *p; // UNREACHABLE: null-deref
  if (execl(path, path, (char *)0) == -1)
    return execvp(path, none); // ALWAYS: null-deref of execvp(none)
  return 1;
}

static int forked(void) {
  int value;
  pid_t child = fork();
  if (child < 0)
    return 1;
  if (child == 0)
    value = 1;
  return value; // POSSIBLE: uninit-read - the parent's
}

int main(void) {
  char path[] = "/bin/true";
  switch (rand() & 7) {
  case 0: return waited();
  case 1: return told();
  case 2: return not_told();
  case 3: return run(path);
  default: return forked();
  }
}
