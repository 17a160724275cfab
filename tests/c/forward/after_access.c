// What an access that went well says of later ones through the same pointer, of which nobody knows where it leads: that it is no null
// pointer, that its object lives, which bytes this has, and what was read there. Twins differ in what ends that.
#include <stdlib.h>
#include <string.h>

struct inner { int first, second; };
struct node {
    int number, other;
    struct node *next;
    struct inner *inner;
    char text[8];
};

extern struct node *given(int);
extern int any(void);
extern void anything(void);

static int again(struct node *p) {
    int n = p->other; // POSSIBLE: null-deref; POSSIBLE: out-of-bounds; POSSIBLE: use-after-free
    return p->other   // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free
         ^ p->number  // SAFE: null-deref; SAFE: use-after-free; POSSIBLE: out-of-bounds
         ^ n;
}

/* Bytes between two that the object has are its own; those behind are not known. */
static int between(struct node *p) {
    p->number = 1;
    p->text[0] = 1;                     // POSSIBLE: out-of-bounds
    return p->other ^ (p->next != 0)    // SAFE: null-deref; SAFE: out-of-bounds
         ^ p->text[1];                  // SAFE: null-deref; SAFE: use-after-free; POSSIBLE: out-of-bounds
}

/* On one of two ways only. */
static int sometimes(struct node *p, struct node *q) {
    if (any())
        p->number = q->number;
    q->other = 1;
    return p->number  // POSSIBLE: null-deref; POSSIBLE: out-of-bounds; POSSIBLE: use-after-free
         ^ q->other;  // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free
}

static int moved(struct node *p) {
    p->number = 1;
    p++;
    return p->number; // SAFE: null-deref; SAFE: use-after-free; POSSIBLE: out-of-bounds
}

static int replaced(struct node *p) {
    p->number = 1;
    p = given(1);
    return p->number; // POSSIBLE: null-deref; POSSIBLE: out-of-bounds; POSSIBLE: use-after-free
}

/* A pointer that another one changes. */
static int replaced_behind(struct node *p, struct node **q) {
    struct node **where = any() ? &p : q;
    p->number = 1;
    *where = given(2);
    return p->number; // POSSIBLE: null-deref; POSSIBLE: out-of-bounds; POSSIBLE: use-after-free
}

/* In part. */
static int replaced_in_part(struct node *p) {
    p->number = 1;
    ((char *)&p)[any() & 7] = (char)any();
    return p->number; // POSSIBLE: null-deref
}

static int freed(struct node *p) {
    p->number = 1;
    free(given(3));
    return p->number; // SAFE: null-deref; SAFE: out-of-bounds; POSSIBLE: use-after-free
}

static void free_one(struct node *q) {
    free(q);
}

static int freed_by_callee(struct node *p) {
    p->number = 1;
    free_one(given(4));
    return p->number; // SAFE: null-deref; SAFE: out-of-bounds; POSSIBLE: use-after-free
}

static int freed_elsewhere(struct node *p) {
    p->number = 1;
    anything();
    return p->number; // SAFE: null-deref; SAFE: out-of-bounds; POSSIBLE: use-after-free
}

/* What was tested stays, until something else may be there. */
static int tested(struct node *p) {
    int n = 100;
    if (p->number <= 0)
        return 0;
    n /= p->number;     // SAFE: div-by-zero; SAFE: uninit-read
    p->other = 0;
    n /= p->number;     // SAFE: div-by-zero; SAFE: uninit-read
    return n;
}

static int tested_and_overwritten(struct node *p, struct node *q) {
    int n = 100;
    if (p->number <= 0)
        return 0;
    q->number = any();
    n /= p->number;     // POSSIBLE: div-by-zero
    return n;
}

static int tested_and_copied_over(struct node *p, struct node *q) {
    int n = 100;
    if (p->number <= 0)
        return 0;
    *q = *given(5);
    n /= p->number;     // POSSIBLE: div-by-zero
    return n;
}

static int tested_and_set(struct node *p, struct node *q) {
    int n = 100;
    if (p->number <= 0)
        return 0;
    memset(q, any(), sizeof *q);
    n /= p->number;     // POSSIBLE: div-by-zero
    return n;
}

static void clear(struct node *q) {
    q->number = 0;
}

static int tested_and_cleared(struct node *p, struct node *q) {
    int n = 100;
    if (p->number <= 0)
        return 0;
    clear(q);
    n /= p->number;     // POSSIBLE: div-by-zero
    return n;
}

/* What is determinate stays so where determinate numbers are written, but not where anything is. */
static int set(struct node *p, struct node *q) {
    int n = p->number & 1; // POSSIBLE: uninit-read
    q->other = 7;
    n ^= p->number;    // SAFE: uninit-read
    *q = *given(36);
    return n ^ p->number; // POSSIBLE: uninit-read
}

/* Two steps along. */
static int two_steps(struct node *p) {
    p->inner->first = 1;            // POSSIBLE: null-deref; POSSIBLE: out-of-bounds; POSSIBLE: use-after-free
    p->inner->first = 2;            // POSSIBLE: null-deref of p->inner->first; SAFE: null-deref of p->inner
    return p->other;
}

static int two_steps_read(struct node *p) {
    int n = p->inner->second        // POSSIBLE: null-deref; POSSIBLE: out-of-bounds; POSSIBLE: use-after-free
          ^ p->inner->second;       // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free; SAFE: uninit-read
    p->number = 1;
    return n ^ p->inner->first;     // SAFE: null-deref; SAFE: use-after-free; POSSIBLE: out-of-bounds of p->inner->first
}

static int two_steps_by_another(struct node *p, struct inner **q) {
    int n = p->inner->second;
    *q = (struct inner *)given(6);
    return n ^ p->inner->second;    // POSSIBLE: null-deref of p->inner->second; POSSIBLE: out-of-bounds of p->inner->second
}

/* What is written may lead to where it is written. */
static int ring(struct node *p) {
    int n = 100;
    p->next = 0;
    p->next = p;
    if (p->next->next != 0)
        n /= any(); // POSSIBLE: div-by-zero
    return n;
}

static int no_ring(struct node *p, struct node *q) {
    int n = 100;
    p->next = 0;
    q = p;
    if (q->next != 0)
        n /= any(); // UNREACHABLE: div-by-zero
    return n;
}

/* A list. */
static int length(struct node *p) {
    int n = 0;
    for (; p; p = p->next) // SAFE: null-deref; POSSIBLE: out-of-bounds; SAFE: use-after-free
        n += p->number & 1; // POSSIBLE: null-deref; POSSIBLE: out-of-bounds; POSSIBLE: use-after-free
    return n;
}

static int second(struct node *p) {
    int n = p->number;
    if (p->next != 0) {
        struct node *next = p->next;
        n ^= next->number;         // POSSIBLE: null-deref
        n ^= next->number;         // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free
        n ^= p->next->number;      // SAFE: null-deref of p->next->number
    }
    return n;
}

/* A variable that ends. */
static int ended(struct inner *p) {
    int n = 0;
    {
        struct inner here = {1, 2};
        if (any())
            p = &here;
        n ^= p->first;
        n ^= p->first; // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free
    }
    return n ^ p->first; // POSSIBLE: use-after-free
}

/* What may be read may not always be written. */
static int constant(int which) {
    static const struct inner fixed = {1, 2};
    struct inner *p = any() ? (struct inner *)&fixed : (struct inner *)given(7);
    int n = p->first;
    if (which)
        p->first = 1; // POSSIBLE: null-deref
    return n ^ p->second;
}

int main(void) {
    struct node *p = given(8), *q = given(9);
    return again(given(10)) ^ between(given(11)) ^ sometimes(given(12), q) ^ moved(given(13)) ^ replaced(given(14))
        ^ replaced_behind(given(15), &p) ^ replaced_in_part(given(16)) ^ freed(given(17)) ^ freed_by_callee(given(18))
        ^ freed_elsewhere(given(19)) ^ tested(given(20)) ^ tested_and_overwritten(given(21), given(22))
        ^ tested_and_copied_over(given(23), given(24)) ^ tested_and_set(given(25), given(26))
        ^ tested_and_cleared(given(27), given(28)) ^ two_steps(given(29)) ^ two_steps_read(given(30))
        ^ two_steps_by_another(given(31), (struct inner **)given(32)) ^ length(given(33)) ^ second(given(34)) ^ ring(given(39)) ^ no_ring(given(40), given(41))
        ^ set(given(37), given(38)) ^ ended((struct inner *)given(35)) ^ constant(any());
}
