/* Calendar time and clocks: what may fail, and how long the texts are. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
  time_t now = time(0);
  struct tm parts = {.tm_sec = 1000, .tm_year = rand()};
  struct timespec there;
  struct timeval then;
  switch (rand()) {
  case 0:
    mktime(&parts);
    assert(parts.tm_sec <= 60); // POSSIBLE: assertion - mktime fails where the year is too late, and changes nothing
    break;
  case 1:
    if (gmtime_r(&now, &parts))
      assert(parts.tm_sec <= 60); // SAFE: assertion
    break;
  case 2: {
    const char *text = ctime(&now);
    if (!text)
      return 1;
    assert(strlen(text) <= 32); // SAFE: assertion
    assert(strlen(text) <= 31); // POSSIBLE: assertion - a year of ten digits and a sign
    break;
  }
  case 3: {
    const char *text = asctime(&parts);
    if (!text)
      return 1;
    assert(strlen(text) <= 67); // SAFE: assertion
    assert(strlen(text) <= 66); // POSSIBLE: assertion - the least numbers of all
    assert(strlen(text) <= 26); // POSSIBLE: assertion - the numbers are anyone's
    break;
  }
  case 4:
    assert(clock_gettime(CLOCK_REALTIME, &there) == 0); // SAFE: assertion
    assert(there.tv_nsec >= 0);                         // SAFE: assertion
    break;
  case 5:
    assert(clock_gettime(rand(), &there) == 0); // POSSIBLE: assertion
    break;
  default:
    assert(gettimeofday(&then, 0) == 0); // SAFE: assertion
  }
  return 0;
}
