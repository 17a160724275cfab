/* Formats of printf. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d|]\n", 42, 42, 42, 42, 42, 42, 7, 7, 7);
    printf("[%i] [%d] [%d] [%.0d] [%5.0d]\n", -1, INT_MIN, INT_MAX, 0, 0);
    printf("[%u] [%x] [%X] [%o] [%#x] [%#o] [%#X] [%#x] [%08x] [%#010x]\n", UINT_MAX, 255, 255, 8, 255, 8, 255, 0, 48879, 48879);
    printf("[%hhd] [%hhu] [%hd] [%hu] [%hhx]\n", 300, 300, 70000, 70000, -1);
    printf("[%ld] [%lu] [%lx] [%lld] [%llu] [%zu] [%td] [%jd]\n", LONG_MIN, ULONG_MAX, -1L, LLONG_MAX, ULLONG_MAX, (size_t)-1, (ptrdiff_t)-5, (intmax_t)-6);
    printf("[%c] [%5c] [%-5c|] [%c%c]\n", 'a', 'b', 'c', 65, 0x142);
    printf("[%s] [%10s] [%-10s|] [%.2s] [%10.3s] [%.*s] [%*s]\n", "str", "str", "str", "str", "string", 2, "xyz", -6, "neg");
    printf("[%f] [%.0f] [%.1f] [%10.2f] [%-10.2f|] [%+.3f] [%010.3f] [%#.0f]\n", 3.14159265, 2.5, 0.25, 1e3, 1e3, 2.0, -1.5, 3.0);
    printf("[%e] [%.0e] [%.10e] [%E] [%e] [%15.3e]\n", 12345.678, 5.5, 1.0 / 3, 1e-10, 0.0, 1e100);
    printf("[%g] [%g] [%g] [%g] [%g] [%.3g] [%#g] [%G] [%g] [%.10g]\n", 100000.0, 1000000.0, 1e-4, 1e-5, 0.1, 1234.5, 1.0, 1e-20, 0.0, 123456789.123);
    printf("[%a] [%.2a] [%A] [%a]\n", 1.0, 3.14159, 0.1, -0.0);
    printf("[%f] [%F] [%e] [%5.1f] [%05f]\n", 1.0 / 0.0, -1.0 / 0.0, 1e308 * 10, 1.0 / 0.0, 1.0 / 0.0);
    printf("[%.20f] [%.15g] [%.17g]\n", 0.1, 0.1, 0.1);
    printf("[%p] [%%]\n", (void *)0);
    printf("[%ls] [%lc]\n", L"wide", L'w');
    char buf[16];
    int n = snprintf(buf, sizeof buf, "%s-%d", "truncated output", 12345);
    printf("%d [%s]\n", n, buf);
    n = sprintf(buf, "%d+%d", 1, 2);
    printf("%d [%s] %d\n", n, buf, snprintf(NULL, 0, "%100d", 1));
    return 0;
}
