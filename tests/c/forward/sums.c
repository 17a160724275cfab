// Two numbers that make no more than a third: what is appended to a buffer, what is left of it, and strings put together.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int any(void);

static char out[8192];

/* Appended where there is room, or begun again. */
void append(int n, const char *from) {
    static int len;
    if (n < 0 || n > 4096)
        return;
    if (len + n > 8192) // SAFE: signed-overflow
        len = 0;
    memcpy(out + len, from, n); // SAFE: out-of-bounds
    len += n; // SAFE: signed-overflow
}

void append_one_more(int n, const char *from) {
    static int len;
    if (n < 0 || n > 4096)
        return;
    if (len + n > 8193)
        len = 0;
    char *to = out + len;
    memcpy(to, from, n); // POSSIBLE: out-of-bounds of memcpy(to)
    len += n;
}

/* What is compared is not what is copied. */
void append_another(int n, int more, const char *from) {
    static int len;
    if (n < 0 || n > 4096 || more < 0 || more > 4096)
        return;
    if (len + n > 8192)
        len = 0;
    n = more;
    char *to = out + len;
    memcpy(to, from, n); // POSSIBLE: out-of-bounds of memcpy(to)
    len += n;
}

/* What is left is asked for. */
void fill(void) {
    char buf[256];
    size_t len = 0;
    while (len < sizeof buf) {
        ssize_t n = read(0, buf + len, sizeof buf - len); // SAFE: out-of-bounds
        if (n <= 0)
            break;
        len += n;
    }
    if (len > 0)
        putchar(buf[len - 1]); // SAFE: out-of-bounds
}

void fill_one_more(void) {
    char buf[256];
    size_t len = 0;
    while (len < sizeof buf) {
        ssize_t n = read(0, buf + len, sizeof buf - len + 1); // POSSIBLE: out-of-bounds
        if (n <= 0)
            break;
        len += n;
    }
    if (len > 0)
        putchar(buf[len - 1]); // POSSIBLE: out-of-bounds
}

/* By a pointer to where the rest begins, and one behind the end. */
void fill_from(void) {
    char buf[256], *p = buf, *end = buf + sizeof buf;
    while (p < end) {
        ssize_t n = read(0, p, end - p); // SAFE: out-of-bounds
        if (n <= 0)
            break;
        p += n;
    }
}

/* Two strings in a block. */
static char *joined(const char *a, const char *b) {
    size_t x = strlen(a), y = strlen(b);
    char *p = malloc(x + y + 1);
    if (!p)
        return 0;
    strcpy(p, a); // SAFE: out-of-bounds of strcpy(p)
    strcat(p, b); // SAFE: out-of-bounds of strcat(p)
    return p;
}

static char *joined_without_end(const char *a, const char *b) {
    size_t x = strlen(a), y = strlen(b);
    char *p = malloc(x + y);
    if (!p)
        return 0;
    strcpy(p, a); // POSSIBLE: out-of-bounds of strcpy(p)
    strcat(p, b);
    return p;
}

static char *joined_as_bytes(const char *a, const char *b) {
    size_t x = strlen(a), y = strlen(b);
    char *p = malloc(x + y + 1);
    if (!p)
        return 0;
    memcpy(p, a, x); // SAFE: out-of-bounds
    memcpy(p + x, b, y + 1); // SAFE: out-of-bounds
    return p;
}

static char *joined_twice(const char *a, const char *b) {
    size_t x = strlen(a), y = strlen(b);
    char *p = malloc(x + y + 1);
    if (!p)
        return 0;
    memcpy(p, a, x); // SAFE: out-of-bounds
    char *to = p + x;
    memcpy(to, a, x + 1); // POSSIBLE: out-of-bounds of memcpy(to)
    return p;
}

/* Room in a variable. */
struct text {
    char *data;
    size_t len, cap;
};

static int add(struct text *t, const char *from, size_t n) {
    if (n > t->cap - t->len)
        return -1;
    memcpy(t->data + t->len, from, n); // SAFE: out-of-bounds
    t->len += n;
    return 0;
}

static int add_one_more(struct text *t, const char *from, size_t n) {
    if (n > t->cap - t->len + 1)
        return -1;
    char *to = t->data + t->len;
    memcpy(to, from, n); // POSSIBLE: out-of-bounds of memcpy(to)
    t->len += n;
    return 0;
}

/* What is left below nothing is much. */
static void wrapped(size_t len, size_t n, const char *from) {
    char buf[64];
    if (n > 64)
        return;
    if (n > sizeof buf - len)
        return;
    char *to = buf + len;
    memcpy(to, from, n); // POSSIBLE: out-of-bounds of memcpy(to)
}

/* A sum that wraps is small. */
static void wrapped_sum(size_t len, size_t n, const char *from) {
    char buf[64];
    if (len + n > sizeof buf)
        return;
    char *to = buf + len;
    memcpy(to, from, n); // POSSIBLE: out-of-bounds of memcpy(to)
}

/* What stays of a sum when a part becomes another. */
static void parts(int a, int b, int c) {
    if (a < 0 || b < 0 || a > 1000 || b > 1000 || a + b > 100)
        return;
    assert(a + b <= 100); // SAFE: assertion
    assert(a <= 100); // SAFE: assertion
    int d = b;
    b = c;
    assert(a + d <= 100); // SAFE: assertion
    if (b > -5 && b < 5)
        assert(a + b <= 100); // POSSIBLE: assertion
}

int main(int argc, char **argv) {
    char line[4096];
    struct text t, u;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    t.cap = 100 + strlen(line);
    t.len = 0;
    t.data = malloc(t.cap);
    u.cap = 100 + strlen(line);
    u.len = 0;
    u.data = malloc(u.cap);
    if (!t.data || !u.data)
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        append(strlen(line), line);
        append_one_more(strlen(line), line);
        append_another(any(), any(), line);
        add(&t, line, strlen(line));
        add_one_more(&u, line, strlen(line));
    }
    if (t.len > 0)
        putchar(t.data[t.len - 1]); // SAFE: out-of-bounds
    fill();
    fill_one_more();
    fill_from();
    if (argc > 2) {
        free(joined(argv[1], argv[2]));
        free(joined_without_end(argv[1], argv[2]));
        free(joined_as_bytes(argv[1], argv[2]));
        free(joined_twice(argv[1], argv[2]));
    }
    wrapped(any(), any(), line);
    wrapped_sum(any(), any(), line);
    parts(any(), any(), any());
    return 0;
}
