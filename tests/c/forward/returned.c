// The bytes of an address go out of the program and may come back: what is read then may be the address. Twins in whether they have gone out.
#include <stdint.h>
#include <unistd.h>

static int sent(void) {
    int x = 1, *p = &x, *q;
    write(1, &p, sizeof p);
    if (read(0, &q, sizeof q) == sizeof q)
        *q = 0;
    return 1 / x; // POSSIBLE: div-by-zero
}

static int sent_as_number(void) {
    int x = 1, *p = &x;
    uintptr_t n;
    write(1, &p, sizeof p);
    if (read(0, &n, sizeof n) == sizeof n)
        *(int *)n = 0;
    return 1 / x; // POSSIBLE: div-by-zero
}

int main(void) { return sent() + sent_as_number(); }
