#include <stdio.h>

int main(void) {
    int c = getchar();
    int n = 0;
    if (c > 0)
        n = 100 / (c - 65); // FINDS
    if (c != 0)
        n += 100 / c;
    return n;
}
