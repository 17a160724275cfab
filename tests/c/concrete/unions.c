/* Unions: type punning between integers, floats and bytes. */
#include <stdint.h>
#include <stdio.h>

union number {
    uint64_t u;
    int32_t i[2];
    double d;
    float f;
    unsigned char c[8];
};

struct tagged {
    int tag;
    union {
        int i;
        double d;
        const char *s;
    };
};

static void show(struct tagged t) {
    switch (t.tag) {
    case 0: printf("int %d\n", t.i); break;
    case 1: printf("double %g\n", t.d); break;
    default: printf("string %s\n", t.s);
    }
}

int main(void) {
    union number n = {.d = -2.5};
    printf("%016llx %d %d\n", (unsigned long long)n.u, n.i[0], n.i[1]);
    n.f = 1.0f;
    printf("%02x%02x%02x%02x\n", n.c[0], n.c[1], n.c[2], n.c[3]);
    n.u = 0x400921fb54442d18ULL;
    printf("%.15f\n", n.d);
    n.c[7] |= 0x80;
    printf("%.3f\n", n.d);
    show((struct tagged){0, {.i = 5}});
    show((struct tagged){1, {.d = 0.1}});
    show((struct tagged){2, {.s = "text"}});
    return 0;
}
