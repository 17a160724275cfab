/* Elements that fread reads whole, and the part of one more. */
#include <stdio.h>

static int blocks(FILE *from) {
  char block[40];
  int turns = 0;
  while (fread(block, 40, 1, from) > 0) // SAFE: out-of-bounds
    turns++;
  return turns;
}

static int too_many(FILE *from) {
  char block[40];
  return (int)fread(block, 41, 1, from); // POSSIBLE: out-of-bounds
}

static int part(FILE *from) {
  int pair[2] = {1, 2}, table[4] = {0};
  if (fread(pair, sizeof(int), 2, from) == 1)
    return table[pair[1]]; // POSSIBLE: out-of-bounds - a part of the second came
  return 0;
}

int main(void) {
  FILE *from = fopen("elements", "rb");
  if (!from)
    return 1;
  return blocks(from) + too_many(from) + part(from);
}
