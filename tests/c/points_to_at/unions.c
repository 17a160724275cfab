/* 000, Fig. 1: one place, several types. */
union word {
    int *p;
    unsigned long n;
    unsigned char bytes[8];
    unsigned short half;
};

int x, y;

int main(void) {
    union word w;
    w.p = &x; // STRONG: main::w
    int *a = w.p; // GIVES: main::a -> {x}
    w.p = &y; // STRONG: main::w
    int *b = w.p; // GIVES: main::b -> {y}
    unsigned long n = w.n;
    unsigned short h = w.half;
    // PHI-UNKNOWN: main::w 0 unsigned long <- 0 int *
    // PHI-PART: main::w 0 unsigned short <- 0 unsigned long >> 0
    return *a + *b + (int)n + h;
}
