#include <stdio.h>
#include <stdlib.h>

static int unchecked(void) {
    int *p = malloc(sizeof *p); // FINDS
    *p = 3;
    int n = *p;
    free(p);
    return n;
}

static int checked(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 3;
    int n = *p;
    free(p);
    return n;
}

static int checked_by_caller(int **out) {
    int *p = malloc(sizeof *p);
    *out = p;
    return p != NULL;
}

int main(void) {
    int *p;
    int n = checked_by_caller(&p);
    if (n)
        free(p);
    return unchecked() + checked();
}
