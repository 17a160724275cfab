/* ctype.h over all characters. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int c = -1; c < 256; c++) {
        int bits = 0;
        bits |= !!isalpha(c) << 0 | !!isdigit(c) << 1 | !!isalnum(c) << 2 | !!isspace(c) << 3;
        bits |= !!isupper(c) << 4 | !!islower(c) << 5 | !!ispunct(c) << 6 | !!isprint(c) << 7;
        bits |= !!isgraph(c) << 8 | !!iscntrl(c) << 9 | !!isxdigit(c) << 10 | !!isblank(c) << 11;
        printf("%d:%x:%d:%d%c", c, bits, toupper(c), tolower(c), c % 8 == 7 ? '\n' : ' ');
    }
    return 0;
}
