/* Members of a union share their bytes. */
union either {
    int *p;
    char *q;
    unsigned long n;
};
int x;

int main(void) {
    union either u;
    u.p = &x;
    char *a = u.q;           // POINTS-TO: main::a -> {x}
    unsigned long n = u.n;   // POINTS-TO: main::n -> {x}
    int *b = (int *)n;       // POINTS-TO: main::b -> {x}
    return *a + *b;
}
