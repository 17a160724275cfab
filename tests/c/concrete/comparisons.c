/* Comparisons of arrays without a terminator that differ in time. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    char open[3] = {'a', 'B', 'c'};
    wchar_t wide[2] = {L'x', L'y'};
    printf("%d %d %d\n", sign(strcmp(open, "aBd")), sign(strcmp("aB", open)), sign(strcmp(open, "b")));
    printf("%d %d %d\n", sign(strncmp(open, "aBx", 9)), sign(strncmp(open, "aBc", 3)), sign(strncmp(open, "aBcd", 3)));
    printf("%d %d\n", sign(strcasecmp(open, "Abd")), sign(strncasecmp("AB", open, 8)));
    printf("%d %d\n", sign(wcscmp(wide, L"xz")), sign(wcsncmp(wide, L"xyz", 2)));
    printf("%d\n", strncmp(open + 3, "a", 0));
    return 0;
}
