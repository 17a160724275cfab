/* Function pointers: tables, arguments, results, comparison. */
#include <stdio.h>

typedef int (*binary)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static const struct { char name; binary f; } table[] = {{'+', add}, {'-', sub}, {'*', mul}, {0, 0}};

static binary find(char name) {
    for (int i = 0; table[i].f; i++)
        if (table[i].name == name)
            return table[i].f;
    return 0;
}

static int fold(binary f, const int *v, int n) {
    int r = v[0];
    for (int i = 1; i < n; i++)
        r = (*f)(r, v[i]);
    return r;
}

static int apply(int (*choose(char c))(int, int)) { return choose('-') == sub; }

int main(void) {
    int v[] = {7, 3, 2};
    for (const char *p = "+-*"; *p; p++)
        printf("%c %d\n", *p, fold(find(*p), v, 3));
    printf("%d %d %d\n", find('/') == 0, apply(find), find('+') == find('*'));
    binary fs[2] = {add, &mul};
    binary *pf = fs;
    printf("%d\n", (**pf++)(2, 3) + (*pf)(4, 5));
    return 0;
}
