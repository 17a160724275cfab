/* Declarations of one object or function together (6.2.7p4): lengths that one of them gives hold for all. */
#include <stdio.h>
int A2[2]; int A2[] = {1};
extern int A[4]; int A[] = {1};
int T[]; int T[3];
int U[]; 
int U[] = {1,2,3,4,5};
static int S[6]; 
extern int S[];
int (*rows)[]; extern int (*rows)[3];
int call(); int call(int x) { return x + 1; }
static int fn(int (*)[3]); static int fn(int (*a)[]);
static int fn(int (*a)[3]) { return (int) sizeof *a; }
int alone[];
static int in_block(void) { extern int A[]; extern int U[5]; extern int alone[]; alone[0] = 4; return sizeof A + sizeof U + alone[0]; }
char text[8]; char text[] = "ab";
int main(void) {
  printf("%zu %zu %zu %zu %zu %zu\n", sizeof A2, sizeof A, sizeof T, sizeof U, sizeof S, sizeof text);
  printf("%zu %d %d %d %d\n", sizeof *rows, fn(0), call(3), in_block(), A2[1] + A[3] + T[2] + U[4]);
  return 0;
}
