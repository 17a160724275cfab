// Loops that control enters beside their heads: by `goto` and by `switch`.
static int beside(int n, int d) {
    int sum = 0, i = 0;
    if (n) goto inside;
    while (i < 10) {
        sum += 1;
    inside:
        i++;
        sum += 100 / (i - 12); // SAFE: div-by-zero
    }
    return sum / d; // ALWAYS: div-by-zero
}

static int only_beside(int d) {
    int i = 0;
    goto inside;
    while (i < 3) {
        i = i + 1;
    inside:
        d = d ^ i;
    }
    d = 10 / i; // SAFE: div-by-zero
    return d;
}

static int never_back(int d) {
    int i = 7;
    goto inside;
    while (i < 3) {
        i = 1;
    inside:
        d += i;
    }
    return 7 / (d - 7); // ALWAYS: div-by-zero
}

static int twice(int n, int d) {
    int i = 0, k = 0;
    switch (n) {
    case 0:
        do {
            i = i + 1;
            do {
    case 1:
                k = k + 1;
    case 2:
                d = 0;
            } while (k < 4);
        } while (i < 4);
    }
    return 10 / (n > 2 ? 1 : d); // POSSIBLE: div-by-zero
}

int main(int argc, char **argv) {
    switch (argc) {
    case 0: return beside(argc + (argv != 0), 0);
    case 1: return only_beside(0);
    case 2: return never_back(0);
    default: return twice(argc - 3, 1);
    }
}
