/* A loop whose cells change one after the other, for more rounds than are waited for: their content is given up, and nothing else. */
#include <stdlib.h>

static int v[49];

int main(void) {
  while (rand()) {
    v[48] = v[47]; v[47] = v[46]; v[46] = v[45]; v[45] = v[44]; v[44] = v[43]; v[43] = v[42];
    v[42] = v[41]; v[41] = v[40]; v[40] = v[39]; v[39] = v[38]; v[38] = v[37]; v[37] = v[36];
    v[36] = v[35]; v[35] = v[34]; v[34] = v[33]; v[33] = v[32]; v[32] = v[31]; v[31] = v[30];
    v[30] = v[29]; v[29] = v[28]; v[28] = v[27]; v[27] = v[26]; v[26] = v[25]; v[25] = v[24];
    v[24] = v[23]; v[23] = v[22]; v[22] = v[21]; v[21] = v[20]; v[20] = v[19]; v[19] = v[18];
    v[18] = v[17]; v[17] = v[16]; v[16] = v[15]; v[15] = v[14]; v[14] = v[13]; v[13] = v[12];
    v[12] = v[11]; v[11] = v[10]; v[10] = v[9]; v[9] = v[8]; v[8] = v[7]; v[7] = v[6];
    v[6] = v[5]; v[5] = v[4]; v[4] = v[3]; v[3] = v[2]; v[2] = v[1]; v[1] = v[0];
    v[0] = 1;
  }
  int *p = v;
  int i = rand() % 49;
  int s = p[i]; // SAFE: out-of-bounds; SAFE: use-after-free
  return 1 / s; // POSSIBLE: div-by-zero
}
