/* switch: fall through, GNU ranges, nested, Duff's device, on long and char. */
#include <stdio.h>

static const char *grade(int n) {
    switch (n) {
    case -2147483647 - 1 ... -1: return "negative";
    case 0: return "zero";
    case 1 ... 9: return "small";
    case 10: case 11: return "teen";
    default: return "big";
    }
}

static int count(int n) {
    int r = 0;
    switch (n) {
    case 3: r += 100;
    case 2: r += 10; /* fall through */
    case 1: r += 1; break;
    default: r = -1;
    case 0:;
    }
    return r;
}

static void duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void) {
    int values[] = {-5, 0, 5, 10, 11, 12, -2147483647 - 1};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        printf("%s %d\n", grade(values[i]), count(i));
    char buf[12] = {0};
    duff(buf, "hello duff!", 11);
    puts(buf);
    long big = 0x100000001L;
    switch (big) {
    case 1: puts("truncated"); break;
    case 0x100000001L: puts("long"); break;
    }
    unsigned char c = 255;
    switch (c) { case 255: puts("255"); break; case -1: puts("-1"); }
    switch (3) { int unused; case 3: unused = 4; printf("%d\n", unused); }
    return 0;
}
