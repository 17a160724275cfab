/* qsort: stability, order of comparisons, large elements, strings. C leaves the first two open. flags: approximated */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big { int key; char pad[60]; };
static int compared;

static int by_tens(const void *a, const void *b) {
    compared++;
    return *(const int *)a / 10 - *(const int *)b / 10;
}

static int by_key(const void *a, const void *b) {
    printf("%d?%d ", ((const struct big *)a)->key, ((const struct big *)b)->key);
    return ((const struct big *)a)->key - ((const struct big *)b)->key;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
    int v[] = {32, 11, 31, 12, 35, 5, 14, 1, 33};
    qsort(v, sizeof v / sizeof *v, sizeof *v, by_tens);
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%d ", v[i]);
    printf("%d\n", compared);
    struct big b[5] = {{4, "d"}, {1, "a"}, {3, "c"}, {5, "e"}, {2, "b"}};
    qsort(b, 5, sizeof *b, by_key);
    for (int i = 0; i < 5; i++)
        printf("%d%s ", b[i].key, b[i].pad);
    const char *s[] = {"pear", "apple", "fig", "banana"};
    qsort(s, 4, sizeof *s, by_text);
    printf("\n%s %s %s %s\n", s[0], s[1], s[2], s[3]);
    return 0;
}
