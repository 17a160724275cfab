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

static char *fixed(size_t n) {
    return malloc(n);
}

int main(void) {
    free(unbounded());
    free(bounded());
    free(as_long_as_a_text());
    free(fixed(12));
    return 0;
}
