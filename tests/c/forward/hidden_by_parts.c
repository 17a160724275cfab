// The same where an address is copied byte by byte.
static char parts[sizeof(int *)];

static void hide(int *p) {
    for (unsigned i = 0; i < sizeof p; i++)
        parts[i] = ((char *)&p)[i];
}

static void clear(int n) {
    if (n > 0) {
        clear(n - 1);
        return;
    }
    int *p;
    for (unsigned i = 0; i < sizeof p; i++)
        ((char *)&p)[i] = parts[i];
    *p = 0;
}

int main(void) {
    int x = 1;
    hide(&x);
    clear(3);
    return 1 / x; // ALWAYS: div-by-zero
}
