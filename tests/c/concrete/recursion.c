/* Recursion: mutual, with arrays, Ackermann, permutations. */
#include <stdio.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }

static void permute(char *s, int k, int n) {
    if (k == n) {
        printf("%s ", s);
        return;
    }
    for (int i = k; i < n; i++) {
        char t = s[k]; s[k] = s[i]; s[i] = t;
        permute(s, k + 1, n);
        t = s[k]; s[k] = s[i]; s[i] = t;
    }
}

static int depth(int n) {
    int local[4] = {n, n + 1, n + 2, n + 3};
    int *p = local;
    if (n > 0)
        depth(n - 1);
    return p[0] + p[3];
}

int main(void) {
    char s[] = "abcd";
    permute(s, 0, 4);
    printf("\n%d %d %d %d\n", is_even(100), is_odd(101), ack(2, 3), depth(50));
    return ack(1, 1);
}
