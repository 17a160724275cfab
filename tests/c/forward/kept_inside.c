// The twin of returned.c: what goes out is no address, so what is read is none of the program's.
#include <unistd.h>

static int kept(void) {
    int x = 1, *q;
    write(1, &x, sizeof x);
    if (read(0, &q, sizeof q) == sizeof q)
        *q = 0;
    return 1 / x; // SAFE: div-by-zero
}

int main(void) { return kept(); }
