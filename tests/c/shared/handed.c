// What is known of pointers that are handed over, where shared memory calls what they lead to by the name of all blocks of an allocation.
#include <stdio.h>
#include <stdlib.h>

/* Long enough not to be followed. */
#define AGAIN(x) x x x x x x x x
static int busy;
static void work(void) {
    AGAIN(AGAIN(AGAIN(busy = busy / 2 + 1;)))
}

struct buffers {
    char *from, *to;
    size_t size;
};

static struct buffers create(size_t size) {
    struct buffers all;
    work();
    all.from = malloc(size);
    all.to = malloc(size);
    all.size = size;
    if (all.from == NULL || all.to == NULL)
        exit(1);
    return all;
}

static void destroy(struct buffers all) {
    work();
    free(all.from); // SAFE: double-free
    free(all.to); // SAFE: double-free
}

static void scale(char *to, const char *from, size_t size) {
    work();
    for (size_t i = 0; i < size; i++)
        to[i] = from[i] / 2; // SAFE: use-after-free
    to[0] = 1; // SAFE: use-after-free of to[0]; SAFE: out-of-bounds of to[0]
}

static void use(struct buffers all) {
    size_t n;
    work();
    while ((n = fread(all.from, 1, all.size, stdin)) > 0) { // SAFE: use-after-free of fread(all.from)
        scale(all.to, all.from, n);
        fwrite(all.to, 1, n, stdout);
    }
}

static void one(void) {
    struct buffers all = create(4096);
    work();
    use(all);
    destroy(all);
}

static void many(int n) {
    struct buffers all = create(8192);
    work();
    for (int i = 0; i < n; i++)
        use(all);
    destroy(all);
}

/* The twin uses what has been given back. */
static void use_gone(struct buffers all) {
    work();
    all.to[1] = 1; // POSSIBLE: use-after-free
}

static void gone(void) {
    struct buffers all = create(4096);
    work();
    destroy(all);
    use_gone(all);
}

int main(int argc, char **argv) {
    (void)argv;
    one();
    many(argc);
    if (argc == 7)
        gone();
    return 0;
}
