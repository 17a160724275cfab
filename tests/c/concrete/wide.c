/* wchar.h */
#include <stdio.h>
#include <wchar.h>

int main(void) {
    wchar_t buf[32] = L"wide";
    wcscat(buf, L" string");
    printf("%zu %zu %ls\n", wcslen(buf), sizeof(wchar_t), buf);
    printf("%d %d\n", wcscmp(L"a", L"b") < 0, wcsncmp(L"abc", L"abd", 2));
    printf("%td %td\n", wcschr(buf, L's') - buf, wcsrchr(buf, L'i') - buf);
    wchar_t copy[32];
    wmemset(copy, L'x', 31);
    copy[31] = 0;
    wcsncpy(copy, buf, 4);
    printf("%.8ls\n", copy);
    wmemcpy(copy, buf, wcslen(buf) + 1);
    printf("%ls %d\n", copy, copy[0] == L'w');
    swprintf(copy, 32, L"%d %s %ls", 42, "narrow", L"wide");
    printf("%ls\n", copy);
    return 0;
}
