// What stands behind a designator of several steps goes on behind the subobject that it leads to (C11 6.7.9p17).
struct { struct { int a, b; } p; int z; } v = {.p.a = 1, 2, 3};
int t[][2] = {[0][0] = 1, 2};
struct { struct { int a, b; }; int c; } w = {.a = 1, 2, 3};

int main(void) {
  int d = 10 / (v.z - 2); // SAFE: div-by-zero
  int e = 10 / (w.b - 3); // SAFE: div-by-zero
  int i = sizeof t / sizeof t[0];
  return d + e + t[i][0]; // ALWAYS: out-of-bounds
}
