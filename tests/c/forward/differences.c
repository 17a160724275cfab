// How far one number is above another, how much lies behind a pointer, how long a string is: where no interval says it.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int any(void);

/* Room for the characters and the zero, and for the characters alone. */
static char *copy(const char *text) {
    size_t n = strlen(text);
    char *p = malloc(n + 1);
    if (!p)
        return 0;
    return strcpy(p, text); // SAFE: out-of-bounds
}

static char *short_copy(const char *text) {
    size_t n = strlen(text);
    char *p = malloc(n);
    if (!p)
        return 0;
    size_t end = strlen(text);
    p[end] = 0; // POSSIBLE: out-of-bounds
    return p;
}

/* A string that has changed has another length. */
static char *late_copy(char *text) {
    size_t n = strlen(text);
    char *p = malloc(n + 1);
    if (!p)
        return 0;
    p[strlen(text)] = 0; // SAFE: out-of-bounds
    if (any())
        strcpy(text, "longer");
    size_t end = strlen(text);
    p[end] = 0; // POSSIBLE: out-of-bounds
    return p;
}

static void *get(size_t size) {
    void *p = malloc(size);
    if (!p)
        exit(1);
    return p;
}

/* What a function gives is related to what it was given. */
static int numbers(int n) {
    if (n < 1)
        return 0;
    int *a = get(n * sizeof *a), s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i; // SAFE: out-of-bounds
    a[n - 1] = 7; // SAFE: out-of-bounds
    a[n] = 7; // POSSIBLE: out-of-bounds
    free(a);
    return s;
}

static int up_to(int n) {
    if (n < 1)
        return 0;
    int *a = get(n * sizeof *a), s = 0;
    for (int i = 0; i <= n; i++)
        a[i] = i; // POSSIBLE: out-of-bounds
    free(a);
    return s;
}

/* The number is another one than that which was allocated. */
static void changed(int n, int *other) {
    if (n < 1)
        return;
    char *a = get(n);
    *other = any();
    if (*other > n)
        n = *other;
    a[n - 1] = 0; // POSSIBLE: out-of-bounds
    free(a);
}

/* Through a pointer to the number, too. */
static void changed_behind(void) {
    int n = any(), *p = &n;
    if (n < 1)
        return;
    char *a = get(n);
    *p = any();
    if (n > 0)
        a[n - 1] = 0; // POSSIBLE: out-of-bounds
    free(a);
}

/* A pointer with its end, and with one byte too many. */
static void clear(char *p, char *end) {
    while (p < end)
        *p++ = 0; // SAFE: out-of-bounds
}

static void clear_more(char *p, char *end) {
    while (p <= end)
        *p++ = 0; // POSSIBLE: out-of-bounds
}

static void ranges(void) {
    int n = any();
    if (n < 0)
        return;
    char *a = get(n), *b = get(n);
    clear(a, a + n);
    clear_more(b, b + n);
    free(a);
    free(b);
}

/* What was read is at most what was asked for. */
static void input(size_t size) {
    if (size < 1 || size > 1 << 20)
        return;
    char *buffer = get(size);
    ssize_t got = read(0, buffer, size);
    if (got > 0)
        buffer[got - 1] = 0; // SAFE: out-of-bounds
    if (got >= 0)
        buffer[got] = 0; // POSSIBLE: out-of-bounds
    free(buffer);
}

/* A difference of what is in order does not wrap. */
static unsigned rest(unsigned size, unsigned used) {
    if (used > size)
        return 0;
    unsigned left = size - used;
    assert(left <= size); // SAFE: assertion
    unsigned more = used - size;
    assert(more <= size); // POSSIBLE: assertion
    return left;
}

/* The arguments of the program: as many as it is told, and NULL behind them. */
static size_t arguments(int argc, char **argv) {
    size_t n = 0;
    for (int i = 1; i < argc; i++)
        n += strlen(argv[i]); // SAFE: null-deref
    for (int i = 1; i <= argc; i++)
        n += argv[i] != 0;
    char *last = argv[argc];
    n += strlen(last); // POSSIBLE: null-deref
    return n;
}

static size_t by_pointers(int argc, char **argv) {
    size_t n = 0;
    char **p = argv;
    for (; *p; p++)
        n += strlen(*p); // SAFE: null-deref
    while (--argc > 0)
        n += strlen(*++argv); // SAFE: null-deref
    return n;
}

/* What was put there may be NULL. */
static size_t cut(int argc, char **argv, int i) {
    size_t n = 0;
    if (i >= 0 && i < argc)
        argv[i] = 0;
    for (int k = 0; k < argc; k++) {
        char *one = argv[k];
        n += strlen(one); // POSSIBLE: null-deref
    }
    return n;
}

int main(int argc, char **argv) {
    char text[16];
    size_t n = 0;
    n += arguments(argc, argv) + by_pointers(argc, argv);
    if (argc > 1) {
        free(copy(argv[1]));
        free(short_copy(argv[1]));
        if (fgets(text, sizeof text, stdin))
            free(late_copy(text));
        numbers(argc);
        up_to(argc);
        n += cut(argc, argv, any());
    }
    int other;
    changed(argc, &other);
    changed_behind();
    ranges();
    input(n);
    return rest(any(), any());
}
