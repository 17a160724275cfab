#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *unbounded(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return NULL;
    size_t n = (size_t)atoi(line);
    return malloc(n); // FINDS
}

static char *bounded(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return NULL;
    size_t n = (size_t)atoi(line);
    if (n > 100)
        return NULL;
    return malloc(n);
}

static char *as_long_as_a_text(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return NULL;
    size_t n = strlen(line);
    char *copy = malloc(n + 1);
    return copy ? strcpy(copy, line) : NULL;
}

struct text {
    int number;
    char line[16];
};

static char *as_long_as_a_member(struct text *t) {
    if (!fgets(t->line, sizeof t->line, stdin))
        return NULL;
    size_t n = strlen(t->line);
    char *copy = malloc(n + 1);
    return copy ? strcpy(copy, t->line) : NULL;
}

static size_t doubled(size_t n) {
    return 2 * n;
}

static char *sized_by_a_function(void) {
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return NULL;
    size_t n = doubled((size_t)atoi(line)), m = doubled(8);
    char *small = malloc(m);
    free(small);
    return malloc(n); // FINDS
}

static char *fixed(size_t n) {
    return malloc(n);
}

int main(void) {
    free(unbounded());
    free(bounded());
    free(as_long_as_a_text());
    struct text t;
    free(as_long_as_a_member(&t));
    free(sized_by_a_function());
    free(fixed(12));
    return 0;
}
