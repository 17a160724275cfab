/* qsort: what every sort makes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big { int key; char pad[60]; };

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int by_key(const void *a, const void *b) { return ((const struct big *)a)->key - ((const struct big *)b)->key; }

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
    int v[] = {32, 11, 31, 12, 11, 5, 14, 1, 33};
    qsort(v, sizeof v / sizeof *v, sizeof *v, by_number);
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%d ", v[i]);
    struct big b[5] = {{4, "d"}, {1, "a"}, {3, "c"}, {5, "e"}, {2, "b"}};
    qsort(b, 5, sizeof *b, by_key);
    for (int i = 0; i < 5; i++)
        printf("%d%s ", b[i].key, b[i].pad);
    const char *s[] = {"pear", "apple", "fig", "banana"};
    qsort(s, 4, sizeof *s, by_text);
    printf("\n%s %s %s %s\n", s[0], s[1], s[2], s[3]);
    return 0;
}
