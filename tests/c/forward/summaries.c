// A summary stands for calls from several places: with other functions under way in the one than in the other.

static int g, out;

static void outer(int *a, int k, int last);

static void inner(int *a, int k) {
    if (k > 0) outer(a, k - 1, 0);
}

static void outer(int *a, int k, int last) {
    int y = 1;
    *a = 0;
    // What is called may be entered with the `y` of another run.
    inner(&y, k);
    if (last) out = 5 / y; // POSSIBLE: div-by-zero
}

// The same without a way back.
static void last_inner(int *a, int k) {
    if (k > 0) *a = k;
}

static void last_outer(int *a, int k, int last) {
    int y = 1;
    *a = 0;
    last_inner(&y, k);
    if (last) out = 5 / y; // SAFE: div-by-zero
}

int main(void) {
    g = 3;
    inner(&g, 2);
    outer(&g, 1, 0);
    g = 10;
    inner(&g, 0);
    g = 11;
    inner(&g, 0);
    g = 12;
    inner(&g, 0);
    g = 13;
    inner(&g, 0);
    outer(&g, 1, 0);
    inner(&g, 2);
    outer(&g, 1, 1);

    g = 3;
    last_inner(&g, 2);
    last_outer(&g, 1, 0);
    for (int i = 10; i < 16; i++) {
        g = i;
        last_inner(&g, 0);
    }
    last_outer(&g, 1, 1);
    return 0;
}
