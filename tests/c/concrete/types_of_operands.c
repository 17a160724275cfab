/* Types that nothing but `sizeof`, a comparison or an inner scope shows. */
#include <stdio.h>

enum wide { FAR = 1LL << 33 };
enum near { LOW = 7, HIGH = 2147483647 };
struct tag { int a; };

/* Outside of functions, where there is none yet. */
char of_none[sizeof __func__ + sizeof __FUNCTION__];
static const char *no_name = __func__, *top = __PRETTY_FUNCTION__;

static int name_of_a_function(void) {
    char copy[sizeof __func__];
    snprintf(copy, sizeof copy, "%s", __func__);
    printf("%s %d %d\n", copy, (int)sizeof copy, (int)sizeof *&__FUNCTION__);
    return 0;
}

int main(int argc, char **argv) {
    long minus = -1;
    printf("%d %d\n", FAR < minus, LOW - 8 < 0);
    printf("%d %d [%s] [%s]\n", (int)sizeof of_none, (int)sizeof __PRETTY_FUNCTION__, no_name, top);

    char c = 1;
    short s = 2;
    _Bool b = 1;
    printf("%d %d %d\n", (int)sizeof(argc ? c : c), (int)sizeof(argc ? s : s), (int)sizeof(argc ? b : b));
    printf("%d %d\n", (int)sizeof(1 ? c : c), (int)sizeof(argc ? c : s));

    struct tag outer = {1};
    {
        struct tag;
        struct tag *p = 0;
        struct tag { short s, t; char more[20]; };
        printf("%d %d\n", (int)sizeof *p, (int)sizeof outer);
    }
    {
        /* The twin declares a variable as well: the tag is the outer one. */
        struct tag *p = &outer;
        printf("%d %d\n", (int)sizeof *p, p->a);
    }
    return name_of_a_function();
}
