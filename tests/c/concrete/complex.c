/* Complex numbers: parts, arithmetic with real ones, conversions, comparisons, arguments and results. */
#include <complex.h>
#include <stdio.h>

static void show(const char *name, double complex z)
{
    printf("%s %g %g\n", name, creal(z), cimag(z));
}

static float complex scaled(float complex z, int by)
{
    return z * by;
}

struct point {
    int id;
    double complex at;
};

int main(void)
{
    double complex z = 3.0 + 4.0 * I, w;
    __real__ w = 1.5;
    __imag__ w = -2;
    show("z", z);
    show("+", z + w);
    show("-", z - w);
    show("*", z * w);
    show("scaled", z * 2 + 1);
    show("/", z / 4);
    show("r-", 10 - z);
    show("neg", -w);
    show("conj", ~z);
    show("conj", conj(w));
    z += 1;
    show("+=", z);
    z *= w;
    show("*=", z);
    z = 7;
    show("real", z);
    double d = w;
    int i = w;
    _Bool b = 0.5 * I, none = 0 * I;
    printf("%g %d %d %d\n", d, i, b, none);
    printf("%d %d %d\n", z == 7, z == w, z != 7.0);
    if (z)
        puts("not zero");
    if (!(z - 7))
        puts("zero");
    float complex f = scaled(1.25f + 2.0if, 3);
    printf("%g %g %d %d\n", crealf(f), cimagf(f), (int)sizeof f, (int)sizeof z);
    struct point p = {1, 2.0}, q = p;
    q.at += 3i;
    show("member", q.at);
    double complex many[3] = {1, 2i, 3 + 4i};
    many[1] = many[2] * many[1];
    show("array", many[1]);
    __complex__ int n = 3 + 4i;
    n = n * n;
    printf("%d %d\n", __real__ n, __imag__ n);
    double complex *pz = &many[0];
    __imag__ (*pz) = 9;
    __real__ q.at *= 2;
    show("part", q.at);
    show("pointer", *pz);
    return 0;
}
