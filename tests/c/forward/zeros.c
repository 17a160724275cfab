/* Where strings end whose length is not known. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int rand(void);

/* A zero at an index of which bounds are known, among characters of either sign. */
static int placed(int n) {
  char line[16];
  signed char row[16];
  memset(line, 'x', sizeof line);
  memset(row, 'x', sizeof row);
  line[n] = 0;
  row[n] = 0;
  int all = (int)strlen(line); // SAFE: out-of-bounds
  all += (int)strlen((char *)row); // SAFE: out-of-bounds
  line[n] = (char)rand();
  return all + (int)strlen(line); // POSSIBLE: out-of-bounds
}

/* What stands behind bytes that are written stays what it is. */
struct person { char name[8]; char town[8]; int age; char text[2000]; char last[4]; };
static int behind_members(void) {
  static struct person p, q;
  char from[3000] = "";
  fgets(from, sizeof from, stdin);
  memset(&p, 0, sizeof p);
  strncpy(p.name, from, 7);
  int n = (int)strlen(p.name); // SAFE: out-of-bounds
  n += (int)strlen(p.town); // SAFE: out-of-bounds
  n += 1 / (p.age + 1); // SAFE: div-by-zero
  strncpy(p.town, from, 8);
  n += (int)strlen(p.name); // SAFE: out-of-bounds
  n += (int)strlen(p.town); // SAFE: out-of-bounds
  p.age = 0x7a7a7a7a;
  memset(p.text, 'x', sizeof p.text);
  n += (int)strlen(p.town); // SAFE: out-of-bounds - it ends in the last member
  memset(&q, 0, sizeof q);
  strncpy(q.text, from, 1999);
  n += (int)strlen(q.text); // SAFE: out-of-bounds
  q.text[1999] = 'x';
  memset(q.last, 'x', sizeof q.last);
  return n + (int)strlen(q.text); // POSSIBLE: out-of-bounds
}

/* Bytes that may be written, up to one that is not. */
static int behind_unknown_lengths(int n) {
  char all[40] = "";
  memset(all + 8, 'x', (size_t)n);
  int length = (int)strlen(all + 8); // SAFE: out-of-bounds
  length += all[39] ? 0 : 1;
  memset(all + 8, 'x', (size_t)n + 17);
  return length + (int)strlen(all + 8); // POSSIBLE: out-of-bounds
}

int main(void) {
  char line[16];
  int n = 0;
  snprintf(line, sizeof line, "%d", rand());
  n = (int)strlen(line); // SAFE: out-of-bounds
  char *p = strchr(line, '1'); // SAFE: out-of-bounds
  if (p)
    *p = 0; // SAFE: out-of-bounds
  n += (int)strlen(line); // SAFE: out-of-bounds
  line[n & 15] = 'x'; // SAFE: out-of-bounds
  n += (int)strlen(line); // POSSIBLE: out-of-bounds
  printf("%s\n", strerror(errno)); // SAFE: out-of-bounds
  return n + placed(rand() & 15) + behind_members() + behind_unknown_lengths(rand() & 15);
}
