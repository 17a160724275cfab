/* Conversions between floats and integers, float arithmetic in single precision. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    double d = 1234567.891;
    float f = d;
    printf("%.10f %.10f\n", d, f);
    printf("%d %d %lld %u\n", (int)d, (int)-d, (long long)1e15, (unsigned)4e9);
    printf("%llu %llu\n", (unsigned long long)1.8e19, (unsigned long long)3.7);
    printf("%.1f %.1f %.1f\n", (double)UINT64_MAX, (double)INT64_MIN, (float)16777217);
    float third = 1.0f / 3;
    printf("%.20f %.20f\n", third, third * 3 - 1.0f);
    printf("%.20f\n", 0.1f + 0.2);
    float sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += 0.1f;
    printf("%.10f\n", sum);
    double dsum = 0;
    for (int i = 0; i < 1000; i++)
        dsum += 0.1;
    printf("%.15f\n", dsum);
    printf("%d %d %d %d\n", 0.0 == -0.0, NAN == NAN, 1.0 / 0.0 > DBL_MAX, (int)(signed char)3.99);
    printf("%g %g %g %g\n", floor(-2.5), ceil(-2.5), trunc(-2.5), round(-2.5));
    printf("%g %g %g\n", sqrt(2.0), fabs(-3.5), fmod(-7.5, 2));
    printf("%g %d %d\n", FLT_MAX * 2.0f, isnan(NAN) != 0, isinf(INFINITY) != 0);
    printf("%d %d\n", (_Bool)0.1, !0.5);
    printf("%.3f %d\n", 7 / 2 + 7 / 2.0, (int)(7.0f / 2));
    long big = 9007199254740993;
    printf("%ld %.0f\n", (long)(double)big, (double)big);
    return 0;
}
