#include <stdio.h>

int main(void) {
    char line[64];
    char fixed[8] = "x%d\n";
    if (!fgets(line, sizeof line, stdin))
        return 1;
    printf(line); // FINDS
    printf("%s", line);
    printf(fixed, 3);
    return 0;
}
