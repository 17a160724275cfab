/* Every function may stand behind the pointer; a call reaches those alone that take what it passes. */
typedef int (*binary)(int *, int);
static int *one(int *p) { return p; }
static int two(int *p, int n) { return *p + n; }
static int wider(int *p, long n) { return *p + (int)n; }
static int real(int *p, double d) { return *p + (int)d; }
static int other(char *p, unsigned n) { return *p + (int)n; }
static void quiet(int *p, int n) { *p = n; }
static int three(int *p, int n, int m) { return *p + n + m; }
static int few(int *p) { return *p; }
static int old_style();
static int old_style(p, n) int *p; int n; { return *p + n; }

static binary all[] = {two, (binary)one, (binary)wider, (binary)real, (binary)other, (binary)quiet, (binary)three,
                       (binary)few, (binary)old_style};

static int call(int i) { // CALLS: call -> {few, old_style, one, other, quiet, two}
    int x = 0;
    return all[i](&x, 1);
}

static int (*loose)() = two;

static int call_loosely(int i) { // CALLS: call_loosely -> {few, old_style, one, other, quiet, real, three, two, wider}
    int x = 0;
    loose = (int (*)())all[i];
    return loose(&x, 1);
}

int main(int argc, char **argv) {
    return call(argc) + call_loosely(argc);
}
