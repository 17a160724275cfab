/* strtol and kin, atoi, limits. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *texts[] = {"42", "  -17xyz", "0x1F", "077", "+5", "", "abc", "99999999999999999999", "-99999999999999999999", "0x", "1e3"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        long l = strtol(texts[i], &end, 0);
        printf("%ld %td ", l, end - texts[i]);
        unsigned long u = strtoul(texts[i], &end, 10);
        printf("%lu %td ", u, end - texts[i]);
        double d = strtod(texts[i], &end);
        printf("%g %td %d\n", d, end - texts[i], i == 7 || i == 8 ? 0 : atoi(texts[i]));
    }
    printf("%ld %ld %lx\n", strtol("zz", 0, 36), strtol("1012", 0, 2), strtol("-ff", 0, 16));
    printf("%g %g %g %g\n", atof("3.25abc"), strtod("0x1.8p3", 0), strtod("-.5e-2", 0), strtod("inf", 0));
    printf("%d %ld %d\n", abs(-5), labs(-6L), atoi("  12 34"));
    printf("%.17g %.9g\n", strtod("0.1", 0), (double)strtof("0.1", 0));
    return 0;
}
