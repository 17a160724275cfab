// Bytes that a write may put in the place of some of a number or an address.

extern int any(void);

static int named = 5;

/* An address with a byte of something else in it is none. */
static int patched(void) {
    int *p = &named;
    ((char *)&p)[any() & 7] = (char)any();
    return *p; // POSSIBLE: null-deref
}

static int unpatched(void) {
    int *p = &named;
    ((char *)&p)[any() & 7] = 1;
    p = &named;
    return *p; // SAFE: null-deref; SAFE: out-of-bounds
}

/* What single bytes hold together is not what the number that they are read as may be. */
static int number(int which) {
    int a = 0, b = 0, *p = which ? &a : &b, n = 1;
    ((unsigned char *)p)[2] = 5;
    *p = 3;
    if (a == 3)
        n /= any(); // POSSIBLE: div-by-zero
    return n;
}

static int other_number(int which) {
    int a = 0, b = 0, *p = which ? &a : &b, n = 1;
    ((unsigned char *)p)[2] = 5;
    *p = 5 << 16;
    if (((unsigned char *)&a)[0] == 3)
        n /= which; // UNREACHABLE: div-by-zero
    return n;
}

int main(void) {
    return patched() ^ unpatched() ^ number(any()) ^ other_number(any());
}
