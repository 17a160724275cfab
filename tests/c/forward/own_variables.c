/* Functions set variables of the library that programs can name. */
#define _GNU_SOURCE
#include <math.h>
#include <netdb.h>
#include <time.h>

int rand(void);

static int sign(void) {
  signgam = 5;
  double d = tgamma(2.5);
  int n = 1 / (signgam - 4); // SAFE: div-by-zero
  d += lgamma(-0.5);
  return n / (signgam - 4) + (d > 0); // POSSIBLE: div-by-zero
}

static int zone(void) {
  timezone = 3600;
  int n = 1 / (timezone - 3601); // SAFE: div-by-zero
  tzset();
  n = n / (timezone - 3601);                   // POSSIBLE: div-by-zero
  return n + tzname[0][0] + tzname[1][0];      // SAFE: null-deref
}

int main(void) { return rand() > 3 ? sign() : zone(); }
