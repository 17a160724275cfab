/* Bytes of wider cells. */
int main(int argc, char **argv) {
  unsigned x = 0x01020304u;
  unsigned char *p = (unsigned char *)&x;
  int r = 1 / (p[0] - 3); // SAFE: div-by-zero
  p[3] = 0;
  r = 1 / (int)(x - 0x00020303u); // SAFE: div-by-zero
  short *h = (short *)&x;
  r = 1 / (h[1] - 1); // SAFE: div-by-zero
  double d = 1.0;
  unsigned char *q = (unsigned char *)&d;
  r = 1 / (q[7] - 0x3e); // SAFE: div-by-zero
  q[7] = (unsigned char)argc;
  r = (int)d; // POSSIBLE: float-conversion
  if (argc > 1)
    r = 1 / (p[0] - 4); // ALWAYS: div-by-zero
  return r;
}

int other(int n) {
  return 1 / n; // UNREACHABLE: div-by-zero - nobody calls it
}
