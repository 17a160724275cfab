/* Pointer arithmetic, comparison, conversion, arrays of arrays, const strings. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct item { char c; int i; double d; };

static void swap(void *a, void *b, size_t n) {
    unsigned char *x = a, *y = b;
    while (n--) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

int main(void) {
    int m[3][4] = {{0}};
    int *flat = &m[0][0];
    for (int i = 0; i < 12; i++)
        *(flat + i) = i;
    int (*row)[4] = m + 1;
    printf("%d %d %td %td\n", row[1][2], *(*(m + 2) + 1), &m[2][3] - flat, (char *)&m[1] - (char *)m);
    printf("%zu %zu %zu\n", offsetof(struct item, i), offsetof(struct item, d), sizeof(struct item));
    struct item items[2] = {{'a', 1, 1.5}, {'b', 2, 2.5}};
    struct item *p = items, *q = &items[1];
    swap(p, q, sizeof *p);
    printf("%c %d %g %d %d\n", p->c, q->i, q->d, p < q, q - p == 1);
    const char *names[] = {"alpha", "beta", "gamma"};
    swap(&names[0], &names[2], sizeof names[0]);
    const char **pp = names;
    printf("%s ", *pp);
    printf("%s %c\n", *(pp + 1), **(pp + 2));
    intptr_t n = (intptr_t)&items[1];
    struct item *back = (struct item *)(n - (intptr_t)sizeof(struct item));
    printf("%c\n", back->c);
    void *copy[2] = {p, q};
    void *other[2];
    memcpy(other, copy, sizeof copy);
    printf("%d\n", ((struct item *)other[1])->i);
    char *s = "string" + 2;
    printf("%s %c %c\n", s, 2 [s], *s);
    int *null = 0;
    printf("%d %d\n", null == NULL, !null);
    return (int)(q - p);
}
