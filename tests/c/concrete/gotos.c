/* goto: loops, out of nested blocks, into blocks, computed. */
#include <stdio.h>

static int interpret(const char *code) {
    static const void *const labels[] = {&&inc, &&dec, &&dbl, &&end};
    int acc = 0;
#define NEXT goto *labels[*code++ - 'a']
    NEXT;
inc: acc++; NEXT;
dec: acc--; NEXT;
dbl: acc *= 2; NEXT;
end: return acc;
}

int main(void) {
    int i = 0, found = -1;
again:
    if (i < 3) {
        i++;
        goto again;
    }
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            if (a * b == 6) {
                found = a * 10 + b;
                goto done;
            }
done:
    printf("%d %d\n", i, found);
    int n = 0;
    goto middle;
    while (n < 3) {
        printf("top %d\n", n);
    middle:
        printf("middle %d\n", n);
        n++;
    }
    printf("%d\n", interpret("aaacbd"));
    {
        int *p = 0, k = 0;
    loop:;
        int x = k;
        p = &x;
        if (++k < 3)
            goto loop;
        printf("%d\n", *p);
    }
    return 0;
}
