// String literals with equal ends may be one object, or two (C11 6.4.5p7).
#include <stdint.h>
#include <string.h>

extern int any(void);

static const char *same(const char *s) { return s; }

/* Spelled alike, and two anyway. */
static void equal(void) {
    const char *a = "abc", *b = "abc";
    if (same(a) == same(b))
        1 / any(); // POSSIBLE: div-by-zero
    else
        1 / any(); // POSSIBLE: div-by-zero
    if ((uintptr_t)a != (uintptr_t)b)
        1 / any(); // POSSIBLE: div-by-zero
    if ("abc" == "abc")
        1 / any(); // POSSIBLE: div-by-zero
    else
        1 / any(); // POSSIBLE: div-by-zero
    /* The twins: other bytes, and other places in the same. */
    const char *c = "abd";
    if (same(a) == same(c))
        1 / any(); // UNREACHABLE: div-by-zero
    if (a == b + 1)
        1 / any(); // UNREACHABLE: div-by-zero
}

/* One literal is one object. */
static void alone(void) {
    const char *a = "alone", *b = a;
    if (same(a) != same(b))
        1 / any(); // UNREACHABLE: div-by-zero
    if (a + 1 == b)
        1 / any(); // UNREACHABLE: div-by-zero
    if (a == 0)
        1 / any(); // UNREACHABLE: div-by-zero
    int n = 0;
    for (const char *p = a, *end = a + strlen(a); p != end; p++) // SAFE: out-of-bounds of strlen(a)
        n += *p == 'x';                                          // SAFE: out-of-bounds
    for (const char *p = a; p < b + 5; p++)                      // SAFE: pointer-compare
        n += *p == 'x';                                          // SAFE: out-of-bounds
}

/* The end of one may be the other, and the end of one the start of another. */
static void ends(void) {
    const char *a = "abc", *x = "xabc", *y = "cab\0abc", *z = "bc\0d";
    if (x + 1 == a)
        1 / any(); // POSSIBLE: div-by-zero
    if (x + 2 == a + 1)
        1 / any(); // POSSIBLE: div-by-zero
    if (y + 4 == a)
        1 / any(); // POSSIBLE: div-by-zero
    if (a + 1 == z)
        1 / any(); // POSSIBLE: div-by-zero
    if (a + 3 == "")
        1 / any(); // POSSIBLE: div-by-zero
    /* The twins: what would have to be equal is not. */
    if (x == a)
        1 / any(); // UNREACHABLE: div-by-zero
    if (y + 1 == a)
        1 / any(); // UNREACHABLE: div-by-zero
    if (a == z)
        1 / any(); // UNREACHABLE: div-by-zero
    if (a == "")
        1 / any(); // UNREACHABLE: div-by-zero
}

/* Arrays are objects of their own, whatever is in them. */
static const char constant[] = "array";
static char variable[] = "array";

static void arrays(void) {
    const char *a = "array";
    if (a == constant)
        1 / any(); // UNREACHABLE: div-by-zero
    if (constant == variable)
        1 / any(); // UNREACHABLE: div-by-zero
}

/* Where they are one, they have an order and a distance. */
static void ordered(int n) {
    const char *a = "order", *b = "order", *c = "other";
    if (n == 1)
        1 / (a - b);  // POSSIBLE: pointer-diff; POSSIBLE: div-by-zero
    if (n == 2)
        n = a <= b;   // POSSIBLE: pointer-compare
    if (n == 3)
        1 / (a - c);  // ALWAYS: pointer-diff; POSSIBLE: div-by-zero
}

/* Of several, and anywhere in them. */
static void several(int n) {
    const char *a = n & 1 ? "one" : "two", *b = n & 2 ? "two" : "six";
    if (a == b)
        1 / any(); // POSSIBLE: div-by-zero
    const char *c = n & 1 ? "one" : "two", *d = n & 2 ? "ten" : "six";
    if (c == d)
        1 / any(); // UNREACHABLE: div-by-zero
    if (n < 0 || n > 3)
        return;
    const char *e = "1234", *f = "34";
    if (e + n == f)
        1 / any(); // POSSIBLE: div-by-zero
    const char *g = "35";
    if (e + n == g)
        1 / any(); // UNREACHABLE: div-by-zero
}

/* The name of a function is one array. */
static void named(void) {
    const char *a = __func__, *b = __func__;
    if (a != b)
        1 / any(); // UNREACHABLE: div-by-zero
}

int main(int argc, char **argv) {
    equal();
    alone();
    ends();
    arrays();
    ordered(argc);
    several(argc);
    named();
    return 0;
}
