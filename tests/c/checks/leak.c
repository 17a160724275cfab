#include <stdlib.h>
#include <string.h>

static int lost(int n) {
    char *p = malloc(16); // FINDS
    if (p == NULL)
        return 0;
    memset(p, 0, 16);
    if (n > 3)
        return p[0];
    free(p);
    return 1;
}

static int kept(int n) {
    char *p = malloc(16);
    if (p == NULL)
        return 0;
    memset(p, 0, 16);
    if (n > 3) {
        free(p);
        return 0;
    }
    free(p);
    return 1;
}

static char *stored;

static void handed_on(void) {
    char *p = malloc(8);
    stored = p;
}

static char *given_back(void) {
    char *p = malloc(8);
    if (!p)
        abort();
    p[0] = 1;
    return p;
}

int main(int argc, char **argv) {
    char *p = given_back();
    int n = lost(argc) + kept(argc) + p[0];
    free(p);
    handed_on();
    return n;
}
