/* Cells of the same bytes: parts of integers, sums of parts, other signs, bytes of pointers, floats. */
struct mixed {
    unsigned int whole;
    float real;
    int *pointer;
};

int x;

int main(void) {
    struct mixed m;
    m.whole = 0x12345678;
    unsigned char *c = (unsigned char *)&m;
    unsigned char b0 = c[0], b1 = c[1], b2 = c[2], b3 = c[3];
    // PHI-PART: main::m 1 unsigned char <- 0 unsigned int >> 8
    // PHI-PART: main::m 3 unsigned char <- 0 unsigned int >> 24
    // PHI-SUM: main::m 0 unsigned int <- 2 unsigned char << 16
    int s = *(int *)&m.whole;
    // PHI-SAME: main::m 0 int <- 0 unsigned int
    m.real = 1.5f;
    unsigned bits = *(unsigned *)&m.real;
    // PHI-UNKNOWN: main::m 4 unsigned int <- 4 float
    m.pointer = &x;
    unsigned char p3 = c[11];
    // PHI-BYTE: main::m 11 unsigned char <- 8 int * byte 3
    return b0 + b1 + b2 + b3 + s + (int)bits + p3 + *m.pointer;
}
