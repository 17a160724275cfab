#include <stdio.h>

/* The mean of the numbers that are read; there may be none. */
int main(void) {
    int sum = 0, count = 0, number;
    while (count < 100 && scanf("%d", &number) == 1) {
        sum += number % 1000;
        count++;
    }
    printf("%d\n", sum / count);
    return 0;
}
