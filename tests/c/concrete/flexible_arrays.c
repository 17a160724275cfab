/* Flexible array members on the heap and initialized; variable-length arrays; alloca. */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { size_t len; char data[]; };
static struct text fixed = {3, "abc"};

static struct text *make(const char *s) {
    size_t n = strlen(s);
    struct text *t = malloc(sizeof *t + n + 1);
    if (!t)
        exit(2);
    t->len = n;
    memcpy(t->data, s, n + 1);
    return t;
}

static int vla(int n) {
    int a[n][n + 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++)
            a[i][j] = i * j;
    int *b = alloca(n * sizeof *b);
    b[n - 1] = a[n - 1][n];
    return b[n - 1] + (int)(sizeof a / sizeof(int));
}

int main(void) {
    struct text *t = make("flexible");
    printf("%zu %s %zu %s\n", t->len, t->data, fixed.len, fixed.data);
    t = realloc(t, sizeof *t + 100);
    if (!t)
        return 2;
    strcat(t->data, " array");
    printf("%s %zu\n", t->data, sizeof *t);
    free(t);
    for (int i = 1; i < 4; i++)
        printf("%d\n", vla(i));
    int *z = calloc(5, sizeof *z);
    printf("%d\n", z ? z[4] : 0);
    free(z);
    free(NULL);
    return 0;
}
