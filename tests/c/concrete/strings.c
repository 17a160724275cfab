/* string.h */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    char buf[64] = "hello";
    printf("%zu %zu %zu\n", strlen(buf), strnlen(buf, 3), sizeof buf);
    strcat(buf, ", world");
    strncat(buf, "!!!???", 3);
    printf("%s\n", buf);
    printf("%d %d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("abc", "ab")), strcmp("", ""), sign(strcmp("\x80", "\x7f")));
    printf("%d %d %d\n", sign(strncmp("abcx", "abcy", 3)), sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("ABx", "aby", 3)));
    printf("%s %s %s\n", strchr(buf, 'o'), strrchr(buf, 'o'), strchr(buf, 'z') ? "z" : "none");
    printf("%td %td\n", strchr(buf, 0) - buf, strstr(buf, "wor") - buf);
    printf("%zu %zu %s\n", strspn(buf, "ehl"), strcspn(buf, ",!"), strpbrk(buf, "!,"));
    char d[8];
    memset(d, 'x', sizeof d);
    strncpy(d, "ab", 5);
    for (int i = 0; i < 8; i++)
        printf("%d ", d[i]);
    printf("\n");
    memmove(buf + 2, buf, 5);
    printf("%.10s\n", buf);
    memcpy(d, "12345678", 8);
    printf("%d %d\n", sign(memcmp(d, "12345679", 8)), (int)((char *)memchr(d, '5', 8) - d));
    printf("%d\n", (int)((char *)memchr(d, '5', strlen("0123456789")) - d));
    char *copy = strdup("duplicate");
    copy[0] = 'D';
    printf("%s\n", copy);
    free(copy);
    strcpy(buf, "a,b;c");
    char *p = stpcpy(buf + 5, "+tail");
    printf("%s %td\n", buf, p - buf);
    return 0;
}
