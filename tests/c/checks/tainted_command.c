#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char name[32], command[64];
    if (!fgets(name, sizeof name, stdin))
        return 1;
    strcpy(command, "ls ");
    strcat(command, name);
    system(command); // FINDS
    char fixed[] = "date";
    system(fixed);
    return 0;
}
