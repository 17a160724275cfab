/* An index that is a difference moves a pointer at once: what lies between need not be in the object. */
#include <stdlib.h>

int main(int argc, char **argv) {
    int *block = malloc(argc * sizeof(int));
    if (!block) return 0;
    int *last = &block[argc - 1];            // POINTS-TO: main::last -> {malloc:5+0%4}
    char *odd = (char *)block + 4 * argc - 2; // POINTS-TO: main::odd -> {malloc:5+?}
    *last = 1;
    return *last + *odd;
}
