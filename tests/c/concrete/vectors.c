/* GNU C's vectors: operators element by element, scalars spread, comparisons, shuffles, casts, members, arguments and results. */
#include <stdio.h>
#include <string.h>

typedef int v4i __attribute__((vector_size(16)));
typedef unsigned v4u __attribute__((vector_size(16)));
typedef float v4f __attribute__((__vector_size__(4 * sizeof(float))));
typedef double v2d __attribute__((vector_size(16)));
typedef signed char v8c __attribute__((vector_size(8)));
typedef unsigned short v4s __attribute__((vector_size(8)));
__attribute__((vector_size(8))) int pair = {7, 8};

static v4i global = {1, 2, 3, 4}, fewer = {9};
static v4i literal = (v4i){5, 6, 7, 8};

struct holder {
    char c;
    v4i v;
    int after;
};

static void show(const char *name, v4i v)
{
    printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]);
}

static void shows(const char *name, v4f v)
{
    printf("%s %g %g %g %g\n", name, v[0], v[1], v[2], v[3]);
}

static v4i sum(v4i a, v4i *b)
{
    return a + *b;
}

static int calls;
static v4i counted(void)
{
    calls++;
    return global;
}

int main(void)
{
    v4i a = {2147483647, -2147483647, 10, -10}, b = {1, -2, 3, 4};
    show("+", a + b);
    show("-", a - b);
    show("*", a * b);
    show("/", a / b);
    show("%", a % b);
    show("&", a & b);
    show("|", a | b);
    show("^", a ^ b);
    show("<<", b << (v4i){1, 2, 3, 31});
    show(">>", a >> 1);
    show("scalar", 100 - b);
    show("neg", -b);
    show("not", ~b);
    show("plus", +b);
    show("<", a < b);
    show("==", b == (v4i){1, 0, 3, 0});
    v4u u = (v4u)a;
    printf("unsigned %u %u %u %u\n", u[0] / 2, (u >> 28)[1], (u > 5u)[2], (u * 3u)[3]);
    v4f f = {1.5f, -2, 0, 1e10f};
    shows("f*", f * 2.0f);
    shows("f/", f / (v4f){3, 4, 5, 6});
    shows("f-", -f);
    show("f<", f < (v4f){2, 2, 2, 2});
    v2d d = {1.25, -3};
    d += 1;
    printf("d %g %g %d\n", d[0], d[1], (int)sizeof d);
    v8c c = {127, -128, 1, 2, 3, 4, 5, 6};
    c += 1;
    printf("c %d %d %d %d\n", c[0], c[1], c[7], (c << 7)[2]);
    v4s s = {65535, 1, 2, 3};
    s = s * s;
    printf("s %d %d %d\n", s[0], s[1], (s >> 1)[3]);
    show("global", global);
    show("fewer", fewer);
    show("literal", literal);
    printf("pair %d %d\n", pair[0], pair[1]);
    show("sum", sum(global, &a));
    struct holder h = {'x', {1, 2, 3}, 5}, k = h;
    k.v[2] = 40;
    k.v += h.v;
    show("held", k.v);
    printf("%d %d %d\n", k.after, (int)sizeof k, (int)__alignof__(v4i));
    v4i many[3] = {{1}, {2, 3}, {4, 5, 6, 7}};
    many[1] = many[2] - many[0];
    show("many", many[1]);
    for (int i = 0; i < 4; i++)
        many[0][i] = i * i;
    show("set", many[0]);
    int *p = (int *)&many[0];
    p[2] = 77;
    show("through", many[0]);
    v4i copy;
    memcpy(&copy, &many[0], sizeof copy);
    show("copied", copy);
    show("cast", (v4i)f);
    show("chosen", calls ? a : b);
    counted()[0];
    show("both", counted() + counted());
    printf("calls %d\n", calls);
    show("comma", (calls++, a += b));
    a <<= 1;
    a |= b;
    show("compound", a);
    return 0;
}
