/* Numbers and texts of the library that are larger than they mostly are, or say that there is none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int rand(void);

static int no_descriptor(FILE *f, char *names) {
  int fd = fileno(f);
  if (fd < 0)
    return 1 / (fd + 1); // ALWAYS: div-by-zero - as of a stream in memory
  return 1 / (fd + 1);   // SAFE: div-by-zero
}

static void told(void) {
  char room[256], *text = dlerror();
  if (text)
    strcpy(room, text); // POSSIBLE: out-of-bounds of strcpy(room) - a file's name is in it
  char *copy = text ? malloc(strlen(text) + 1) : 0;
  if (copy)
    strcpy(copy, text); // SAFE: out-of-bounds
  free(copy);
}

static void in_locale(void) {
  char room[256], *text = setlocale(LC_ALL, 0);
  if (text)
    strcpy(room, text); // POSSIBLE: out-of-bounds of strcpy(room) - it may have a name for each category
}

static void at_time(const time_t *when) {
  char room[32], whole[33], *text = ctime(when);
  if (!text)
    return;
  strcpy(whole, text); // SAFE: out-of-bounds
  strcpy(room, text);  // POSSIBLE: out-of-bounds of strcpy(room) - a year of ten digits and a sign
}

static void in_folder(void) {
  char room[4096], *path = getcwd(0, 0);
  if (path)
    strcpy(room, path); // POSSIBLE: out-of-bounds of strcpy(room) - no path is too long for a block of its own
  free(path);
}

static int flags(int fd) {
  int n = fcntl(fd, F_GETFL);
  n = n > 1048576 ? 1 / (n - 1052672) : 1; // POSSIBLE: div-by-zero - O_SYNC is above all descriptors
  int owner = fcntl(fd, F_GETOWN);
  if (owner < -1)
    return 1 / (owner + 9); // POSSIBLE: div-by-zero - a group of processes
  int other = fcntl(fd, F_DUPFD, 3);
  return n + 1 / (other + 2) // SAFE: div-by-zero
      + 1 / (ioctl(fd, 1) + 1); // POSSIBLE: div-by-zero
}

int main(int argc, char **argv) {
  int fd = open("name", O_RDONLY);
  if (fd < 0)
    return 0;
  time_t when = argc * 1000000007L;
  told();
  in_locale();
  at_time(&when);
  in_folder();
  return (rand() & 1) ? no_descriptor(stdin, argv[0]) : flags(fd);
}
