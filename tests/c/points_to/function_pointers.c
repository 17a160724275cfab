/* Calls through tables, members and parameters. */
static int add(int a) { return a + 1; }
static int sub(int a) { return a - 1; }
static int neg(int a) { return -a; }
static int unused(int a) { return a; }
struct operation {
    int code;
    int (*run)(int);
};
static const struct operation table[] = {{1, add}, {2, sub}};

static int apply(int (*f)(int), int n) { return f(n); } // CALLS: apply -> {neg}

int main(int argc, char **argv) { // CALLS: main -> {add, apply, sub}
    int n = table[argc & 1].run(argc);
    return apply(neg, n);
}
