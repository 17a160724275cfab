// Functions that call themselves are analysed from all states in which they are called, to a fixpoint.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int any(void);

struct node {
    int value;
    struct node *left, *right;
};

static int table[10], made;

static struct node *make(int value) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->value = value;
    n->left = n->right = NULL;
    if (made < 1000)
        made++;
    return n;
}

static struct node *insert(struct node *t, int value) {
    if (!t)
        return make(value);
    if (value < t->value)                    // SAFE: uninit-read; SAFE: out-of-bounds; SAFE: null-deref
        t->left = insert(t->left, value);    // SAFE: out-of-bounds; SAFE: null-deref; SAFE: use-after-free
    else
        t->right = insert(t->right, value);  // SAFE: out-of-bounds; SAFE: null-deref; SAFE: use-after-free
    return t;
}

static int height(const struct node *t) {
    if (!t)
        return 0;
    int l = height(t->left), r = height(t->right); // SAFE: uninit-read; SAFE: null-deref
    return (l > r ? l : r) % 100 + 1;
}

/* What is nowhere checked is NULL at the end. */
static int leftmost(const struct node *t) {
    if (t->left)                  // POSSIBLE: null-deref; SAFE: uninit-read
        return leftmost(t->left); // SAFE: null-deref
    return t->value;              // SAFE: null-deref; SAFE: uninit-read
}

/* A bound that every call keeps, and one that one call does not. */
static int fill(int i) {
    if (i >= 10)
        return i;
    table[i] = i; // SAFE: out-of-bounds
    return fill(i + 1);
}

static int fill_more(int i) {
    if (i > 10)
        return i;
    table[i] = i; // POSSIBLE: out-of-bounds
    return fill_more(i + 1);
}

/* Two that call each other. */
static int odd(unsigned n);

static int even(unsigned n) {
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(unsigned n) {
    return n == 0 ? 0 : even(n - 1);
}

/* A variable of one run is not that of another. */
static int apart(int n, int *above) {
    int mine = n;
    if (n <= 0)
        return *above;
    *above = 0;
    int below = apart(n - 1, &mine);
    return 100 / mine + below % 2; // POSSIBLE: div-by-zero - the run below sets it
}

static int unshared(int n) {
    int mine = 5;
    if (n > 0)
        unshared(n - 1);
    return 100 / mine; // SAFE: div-by-zero
}

/* Nor is an array of one run that of another. */
static int arrays(int n) {
    int array[n + 1];
    array[0] = n;
    if (n > 0)
        arrays(n - 1);
    return 100 / (array[0] - 2); // POSSIBLE: div-by-zero; SAFE: use-after-free
}

/* A block that this run has made is not the last one any more when others have made theirs. */
static int blocks(int n) {
    int *block = malloc(sizeof *block);
    if (!block)
        exit(1);
    *block = n;
    if (n > 0)
        blocks(n - 1);
    int kept = *block;       // SAFE: null-deref; SAFE: out-of-bounds
    free(block);             // SAFE: double-free - the read above has shown that it lives
    return 100 / (kept - 2); // POSSIBLE: div-by-zero
}

/* What comes back from below. */
static int sum(int n) {
    if (n <= 0)
        return 1;
    return sum(n - 1) % 7 + 1;
}

static int deep, lowest;

static void descend(int n) {
    if (n > 0) {
        deep = n;
        descend(n - 1);
    } else {
        lowest = 3;
    }
}

static char *path(char *to, const char *end, int n) {
    if (to == end || n <= 0)
        return to;
    *to = '/'; // SAFE: out-of-bounds
    return path(to + 1, end, n - 1);
}

int main(int argc, char **argv) {
    struct node *t = NULL;
    int value;
    while (scanf("%d", &value) == 1)
        t = insert(t, value);
    printf("%d\n", height(t));
    fill(0);
    fill(any() & 7);
    printf("%d\n", 100 / sum(argc)); // SAFE: div-by-zero
    printf("%d\n", 100 / (sum(argc) - 1)); // POSSIBLE: div-by-zero
    printf("%d\n", 10 / (even(argc) + 1)); // SAFE: div-by-zero
    printf("%d\n", 10 / (even(argc) - 1)); // POSSIBLE: div-by-zero
    printf("%d\n", unshared(argc));
    arrays((argc & 1) + 4);
    blocks((argc & 1) + 4);
    int top = 1;
    printf("%d\n", apart(argc, &top));
    descend(argc & 3);
    printf("%d\n", 10 / lowest); // SAFE: div-by-zero
    printf("%d\n", 10 / deep); // POSSIBLE: div-by-zero
    char text[16];
    path(text, text + sizeof text, argc);
    if (argc == 2)
        printf("%d\n", leftmost(t));
    if (argc == 3)
        fill_more(0);
    return argv[0] == NULL;
}
