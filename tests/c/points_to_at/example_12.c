/* 000, Example 12: before the first allocation there is no block, then the recent one, then both. */
#include <stdlib.h>

int main(void) {
    int *p = NULL;
    for (int i = 0; i < 5; i++) {
        p = malloc(sizeof(int)); // STATE: {both, none, recent}
    }
    int *q = malloc(sizeof(int)); // STATE: {none}
    free(q); // STATE: {none, recent}
    return p != NULL;
}
