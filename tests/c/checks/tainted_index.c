#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int table[10] = {0};
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    int i = atoi(line);
    if (i < 0)
        return 1;
    int sum = table[i]; // FINDS
    if (i < 10)
        sum += table[i];
    for (int k = 0; k < 10; k++)
        sum += table[k];
    return sum;
}
