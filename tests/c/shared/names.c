// A block that others were told of has one name for all who know it, and nothing that was known beside an object outlives a call that may
// change it.
#include <stdlib.h>
#include <string.h>

extern int any(void);

/* Long enough not to be followed. */
#define AGAIN(x) x x x x x x x x
static int busy;
static void work(void) {
    AGAIN(AGAIN(AGAIN(busy = busy / 2 + 1;)))
}

struct box { int x; };

static struct box *kept;
static void keep(struct box *p) {
    work();
    kept = p;
}

static int through_another_name(void) {
    struct box *a = malloc(sizeof *a);
    if (!a)
        return 0;
    a->x = 1;
    keep(a);
    kept->x = 0;
    return 5 / a->x; // POSSIBLE: div-by-zero
}

/* The twin keeps another block. */
static int through_its_own(void) {
    struct box *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 0;
    a->x = 1;
    b->x = 1;
    keep(b);
    kept->x = 0;
    return 5 / a->x; // SAFE: div-by-zero
}

static int freed_by_another_name(void) {
    struct box *a = malloc(sizeof *a);
    if (!a)
        return 0;
    a->x = 1;
    keep(a);
    free(kept);
    return a->x; // POSSIBLE: use-after-free
}

/* Short enough to be followed; the caller has another pointer to the block. */
static void keep_for(struct box *p) { keep(p); }

static int told_by_one_that_is_followed(void) {
    struct box *a = malloc(sizeof *a);
    struct box *const same = a;
    if (!a)
        return 0;
    a->x = 1;
    keep_for(a);
    kept->x = 0;
    return 5 / same->x; // POSSIBLE: div-by-zero
}

/* Short, but it calls itself, so that its calls come together; who calls it is followed. */
static int again;
static void clear(int *p) {
    if (again) {
        again = 0;
        clear(p);
    }
    *p = 0;
}
static void clear_for(int *p, int really) {
    if (really)
        clear(p);
}

static int told_on_one_way(void) {
    int *p = malloc(sizeof *p), *q = p;
    if (!p)
        return 0;
    *p = 1;
    clear_for(p, any());
    return 5 / *q; // POSSIBLE: div-by-zero
}

static int told_beside_an_older_one(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        p = malloc(sizeof *p);
        if (!p)
            exit(0);
        *p = 1;
    }
    clear_for(p, 1);
    return 5 / *p; // POSSIBLE: div-by-zero
}

/* What holds the block is a block itself, the last one beside older ones. */
struct holder { int *p; int x; };

static int told_with_what_holds_it(void) {
    struct holder *h = 0;
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    for (int i = 0; i < 2; i++) {
        h = malloc(sizeof *h);
        if (!h)
            exit(0);
        h->p = 0;
        h->x = 5;
    }
    h->x = 0;
    h->p = p;
    clear_for(p, 1);
    return 5 / h->x; // POSSIBLE: div-by-zero
}

static int number = 1;
static void set(int to) {
    work();
    number = to;
}

static int above(void) {
    int before = number, divisor = 1;
    set(9);
    if (number > before)
        divisor = 0;
    return 5 / divisor; // POSSIBLE: div-by-zero
}

/* The twin: what does not change stays as it is. */
static int constant = 1;
static int not_above(void) {
    int before = constant, divisor = 1;
    set(9);
    if (constant > before)
        divisor = 0;
    return 5 / divisor; // SAFE: div-by-zero
}

static char name[8] = "abc";
static void blot(void) {
    work();
    memset(name, 'x', sizeof name);
}

static unsigned long length(void) {
    strcpy(name, "xy");
    if (any())
        blot();
    return strlen(name); // POSSIBLE: out-of-bounds
}

int main(void) {
    int n = through_another_name() + through_its_own() + freed_by_another_name() + told_by_one_that_is_followed() +
            told_on_one_way() + told_beside_an_older_one() + told_with_what_holds_it();
    set(9);
    set(1);
    return n + above() + not_above() + (int)length();
}
