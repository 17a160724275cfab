#include <stdio.h>
#include <stdlib.h>

static void *may_be_negative(int n) {
    int size = n - 10;
    return size < 100 ? malloc(size) : NULL; // FINDS
}

static void *never_negative(int n) {
    int size = n - 10;
    if (size < 0 || size > 100)
        return NULL;
    return malloc(size);
}

int main(int argc, char **argv) {
    free(may_be_negative(argc));
    free(never_negative(argc));
    return 0;
}
