/* Compound literals: addresses, arrays, in loops, as arguments. */
#include <stdio.h>

struct node { int value; struct node *next; };

static int total(const struct node *n) {
    int s = 0;
    for (; n; n = n->next)
        s = s * 10 + n->value;
    return s;
}

static const int *table = (const int[]){5, 6, 7};

int main(void) {
    printf("%d\n", total(&(struct node){1, &(struct node){2, &(struct node){3, 0}}}));
    int *p = (int[4]){1, 2};
    p[3] = p[0] + p[1];
    printf("%d %d\n", p[2], p[3]);
    int out[3];
    for (int i = 0; i < 3; i++) {
        struct node n = (struct node){.value = i * i};
        out[i] = (n.next == 0) + n.value;
    }
    printf("%d %d %d %d\n", out[0], out[1], out[2], table[2]);
    char *s = (char[]){"mutable"};
    s[0] = 'M';
    printf("%s %zu\n", s, sizeof((char[]){"mutable"}));
    return (int){3};
}
