/* Padding holds some number, and which one nobody knows: strings may go on through it, and it ends none for sure. */
#include <stdlib.h>
#include <string.h>

struct gap {
  long head;
  short before;
  int behind;
  long tail;
};
union word {
  char first;
  int all;
};
struct bits {
  unsigned low : 3;
  int behind;
};

/* The low bytes of `tail` are 5 and 0. */
static struct gap ended = {0x1112131415161718, 0x2122, 0x31323334, 5};
/* Only its padding can be zero. */
static struct gap endless = {0x1112131415161718, 0x2122, 0x31323334, 0x4142434445464748};
/* Without an initializer padding is zero. */
static struct gap zero;
static union word open_word = {1};
static struct gap *looked_at;
static struct gap *endless_too;

/* Pointers into both are there while the loop runs. */
static int turns(void) {
  int n = 0;
  looked_at = &ended;
  endless_too = &endless;
  while (n < 3 && looked_at->tail == 5)
    n++;
  return n;
}

static unsigned long lengths(void) {
  unsigned long n = strlen((char *)looked_at); // SAFE: out-of-bounds; SAFE: uninit-read
  if (rand())
    n += strlen((char *)endless_too); // POSSIBLE: out-of-bounds; SAFE: uninit-read
  return n;
}

#define AT(object, place) (((const unsigned char *)&(object))[place])

static int initialized(void) {
  struct gap local = {1, 2, 3, 4};
  struct gap elements[2] = {{1}};
  int n = 10 / !AT(zero, 10);    // SAFE: div-by-zero
  n += 10 / !AT(ended, 10);      // POSSIBLE: div-by-zero
  n += 10 / !AT(open_word, 1);   // POSSIBLE: div-by-zero
  n += 10 / !AT(local, 10);      // POSSIBLE: div-by-zero
  n += 10 / !AT(elements[0], 10); // POSSIBLE: div-by-zero
  n += 10 / !AT(elements[1], 10); // SAFE: div-by-zero
  return n;
}

static int stored(void) {
  struct gap cleared, copy;
  memset(&cleared, 0, sizeof cleared);
  cleared.before = 7;
  int n = 10 / !AT(cleared, 10); // SAFE: div-by-zero
  memcpy(&copy, &cleared, sizeof copy);
  n += 10 / !AT(copy, 10); // SAFE: div-by-zero
  copy = cleared;
  n += 10 / !AT(copy, 10); // POSSIBLE: div-by-zero
  union word word = {.all = 0};
  n += 10 / !AT(word, 1); // SAFE: div-by-zero
  word.first = 1;
  n += 10 / !AT(word, 1); // POSSIBLE: div-by-zero
  struct bits bits = {1, 2}, others;
  n += 10 / !AT(bits, 1); // SAFE: div-by-zero - as docs/unsoundness.md says of units of bit-fields
  others = bits;
  n += 10 / !AT(others, 1); // POSSIBLE: div-by-zero
  return n;
}

static int passed(struct gap given) {
  return 10 / !AT(given, 10); // POSSIBLE: div-by-zero
}

/* One of two objects is assigned to: either may have got another padding. */
static int one_of_two(int which) {
  struct gap first, second;
  memset(&first, 0, sizeof first);
  memset(&second, 0, sizeof second);
  *(which ? &first : &second) = zero;
  int n = 10 / !AT(first, 10); // POSSIBLE: div-by-zero
  n += 10 / !AT(second, 10);   // POSSIBLE: div-by-zero
  return n + 10 / !AT(second, 8); // SAFE: div-by-zero - no byte of the padding
}

int main(void) {
  int n = turns();
  n += (int)lengths() + initialized() + stored();
  n += passed(zero) + one_of_two(rand());
  return n > 0;
}
