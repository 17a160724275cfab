/* Initializers of what was initialized before: of the whole, which ends all that was said of its parts, and of parts of it. */
#include <stdio.h>

struct kind { int kind, length; };
struct text { char s[8]; int n; };
union either { char c; struct { short a, b; } s; };
struct both { struct kind k; union either e; };
struct variant { int tag; union { int i; struct { short a, b; } s; }; };

#define TABLE {[0 ... 3] = {1, 2}, [1] = {3}}
#define TWO_TEXTS {{.s = "hello", .s = "hi"}, {.s = "hello", .s[1] = 'x', .n = 3}}
#define EITHER {.c = 1, .s.b = 3}
#define SAME {.s.a = 1, .s.b = 3}
#define BACK {{1, 2}, {3, 4}, [0] = {5}, {6}}
#define NESTED {.k = {1, 2}, .k.kind = 5, .k = {.length = 7}, .e.c = 1, .e.s.b = 3}
#define RANGES {[0 ... 1].k = {1, 2}, [1].k = {4}, [0].k.length = 9}
#define WORDS {"three", "seven", [0] = "a", [1][0] = 'S'}
#define TWICE {.kind = 1, .kind = 2}
#define VARIANTS {{.i = -1, .s.b = 2}, {.s.a = 3, .s.b = 4}, {.s = {5, 6}, .i = 7}}

static struct kind table[4] = TABLE;
static struct text texts[2] = TWO_TEXTS;
static union either either = EITHER, same = SAME;
static struct kind back[2] = BACK, twice = TWICE;
static struct both nested = NESTED, ranges[2] = RANGES;
static char words[2][6] = WORDS;
static struct variant variants[3] = VARIANTS;

static void print(const char *name, const void *object, unsigned long size) {
    printf("%s:", name);
    for (unsigned long i = 0; i < size; i++)
        printf(" %d", ((const unsigned char *)object)[i]);
    printf("\n");
}
#define PRINT(object) print(#object, &object, sizeof object)

static void print_variants(const struct variant *v) {
    printf("%d %d %d %d %d\n", v[0].s.a, v[0].s.b, v[1].s.a, v[1].s.b, v[2].i);
}

static void statics(void) {
    PRINT(table);
    PRINT(texts);
    PRINT(either);
    PRINT(same);
    PRINT(back);
    PRINT(twice);
    PRINT(nested);
    printf("%d %d\n", ranges[0].k.length, ranges[1].k.length);
    PRINT(words);
    print_variants(variants);
}

static void locals(void) {
    struct kind table[4] = TABLE;
    struct text texts[2] = TWO_TEXTS;
    union either either = EITHER, same = SAME;
    struct kind back[2] = BACK, twice = TWICE;
    struct both nested = NESTED, ranges[2] = RANGES;
    char words[2][6] = WORDS;
    struct variant variants[3] = VARIANTS;
    PRINT(table);
    PRINT(texts);
    PRINT(either);
    PRINT(same);
    PRINT(back);
    PRINT(twice);
    PRINT(nested);
    printf("%d %d\n", ranges[0].k.length, ranges[1].k.length);
    PRINT(words);
    print_variants(variants);
}

int main(void) {
    statics();
    locals();
    struct kind given = {7, 8};
    struct both value = {.k = given, .k = {9}};
    printf("%d %d\n", value.k.kind, value.k.length);
    return 0;
}
