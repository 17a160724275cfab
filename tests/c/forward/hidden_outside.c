// The same where the bytes of an address go out of the program and come back.
#include <unistd.h>

extern long save(int, const void *, unsigned long, long);

static void hide(int *p) { pwrite(1, &p, sizeof p, 0); }

static void clear(int n) {
    if (n > 0) {
        clear(n - 1);
        return;
    }
    int *p;
    if (read(0, &p, sizeof p) == sizeof p)
        *p = 0;
}

int main(void) {
    int x = 1;
    hide(&x);
    clear(3);
    return 1 / x; // POSSIBLE: div-by-zero
}
