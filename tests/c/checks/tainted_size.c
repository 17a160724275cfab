#include <stdio.h>
#include <stdlib.h>

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

static char *fixed(size_t n) {
    return malloc(n);
}

int main(void) {
    free(unbounded());
    free(bounded());
    free(fixed(12));
    return 0;
}
