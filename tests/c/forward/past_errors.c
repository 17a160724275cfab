/* Where no execution passes a check that compiled programs run past, what comes behind is judged all the same: one error at the start hides nothing. */
int rand(void);

/* A number that nothing was written to is any number, and the same one from then on. */
static int unset(int *to) {
    int i, n = 0;
    if (i < 3) // ALWAYS: uninit-read
        i++;   // SAFE: uninit-read; SAFE: signed-overflow
    if (i == 7) // SAFE: uninit-read
        n = 1;
    to[n] = i;     // SAFE: uninit-read; SAFE: out-of-bounds
    return 10 / n; // POSSIBLE: div-by-zero
}

/* A pointer leads nowhere, and a floating number has no value. */
static int nowhere(void) {
    int *p;
    *p = 1; // ALWAYS: uninit-read; UNREACHABLE: null-deref; UNREACHABLE: out-of-bounds; UNREACHABLE: use-after-free
    return 0;
}

static int too_large(int n) {
    int most = 2147483647;
    most += 1;    // ALWAYS: signed-overflow
    most -= most; // SAFE: signed-overflow
    return n / most; // ALWAYS: div-by-zero; UNREACHABLE: signed-overflow
}

static int apart(void) {
    int a[2] = {0}, b[2] = {0}, n = 1;
    if (a < b) // ALWAYS: pointer-compare
        n = 0;
    return 10 / n; // POSSIBLE: div-by-zero
}

/* What machines stop at stops here. */
static int divided(void) {
    int n = 0;
    n = 10 / n; // ALWAYS: div-by-zero
    return 10 / n; // UNREACHABLE: div-by-zero
}

int main(void) {
    int to[2] = {0, 0};
    switch (rand() & 7) {
        case 0: return unset(to);
        case 1: return nowhere();
        case 2: return too_large(rand());
        case 3: return apart();
        case 4: return divided();
        default: return 0;
    }
}
