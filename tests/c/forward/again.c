/* A variable that control jumps back to is the same object as before. */
int main(int argc, char **argv) {
  int *p = 0;
  int n = 0;
again:;
  int x;
  x = n;
  if (p)
    *p = n + 1; // SAFE: use-after-free
  p = &x;
  n++;
  if (n < 3)
    goto again;
  return 10 / (n - 2); // SAFE: div-by-zero
}
