/* Mutual recursion, also through a pointer; `leaf` and `main` are in no cycle. */
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); } // RECURSIVE: even
static int odd(int n) { return n == 0 ? 0 : even(n - 1); } // RECURSIVE: odd
static int leaf(int n) { return n; }                       // NOT-RECURSIVE: leaf
static int (*step)(int);
static int hop(int n) { return n ? step(n - 1) : leaf(n); } // RECURSIVE: hop

int main(int argc, char **argv) { // NOT-RECURSIVE: main
    step = hop;
    return even(argc) + hop(argc);
}
