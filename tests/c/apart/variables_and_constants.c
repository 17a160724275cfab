// What calls leave of what is known of pointers where a program hides addresses: no call frees a variable, and what all callers may write a
// function may write.
#include <stdlib.h>

extern int any(void);

struct pair { int first, second; };

/* Long enough not to be followed. */
#define AGAIN(x) x x x x x x x x
static int shared;
static void *kept;
static void work(void) {
    AGAIN(AGAIN(AGAIN(shared = shared / 2 + 1;)))
    free(kept);
    kept = 0;
}

/* This is how the program hides addresses. */
static struct pair *hidden(unsigned long number) {
    return (struct pair *)number;
}

/* All callers have a variable. */
static int of_variables(struct pair *p) {
    work();
    return p->first; // SAFE: null-deref; SAFE: out-of-bounds; SAFE: use-after-free
}

/* One has a block. */
static int of_a_block(struct pair *p) {
    work();
    return p->first; // SAFE: null-deref; POSSIBLE: use-after-free
}

/* One has a variable or a block. */
static int of_either(struct pair *p) {
    work();
    return p->first; // SAFE: null-deref; POSSIBLE: use-after-free
}

/* One has a variable that has ended. */
static int of_an_ended_variable(struct pair *p) {
    work();
    return p->first; // SAFE: null-deref; POSSIBLE: use-after-free
}

static struct pair *own(void) {
    struct pair here = {1, 2}, *volatile p = &here;
    work();
    return p;
}

/* A variable in a block of statements has ended behind it, calls or none. */
static int behind_its_block(void) {
    struct pair *p, outer = {1, 2};
    p = &outer;
    {
        struct pair inner = {3, 4};
        if (any())
            p = &inner;
        work();
        shared = p->first; // SAFE: use-after-free
    }
    work();
    return p->first; // POSSIBLE: use-after-free
}

static const struct pair constant = {1, 2};

/* All callers have something to be written. */
static void set(struct pair *p) {
    work();
    shared = p->first; // SAFE: null-deref
    p->first = 1;      // SAFE: null-deref
}

/* One has a constant. */
static void set_a_constant(struct pair *p) {
    work();
    shared = p->first; // SAFE: null-deref
    p->first = 1;      // POSSIBLE: null-deref
}

/* One has a string. */
static void set_a_string(char *p) {
    work();
    *p = 'a'; // POSSIBLE: null-deref
}

struct part { const int fixed; int free; };

/* A part of what one has is constant. */
static void set_a_part(int *p) {
    work();
    *p = 1; // POSSIBLE: null-deref
}

static struct pair one, other;

static struct pair *chosen(int n) {
    work();
    return n ? &one : &other;
}

static struct pair *chosen_or_constant(int n) {
    work();
    return n ? &one : (struct pair *)&constant;
}

int main(void) {
    struct pair here = {1, 2}, there = {3, 4}, *p = malloc(sizeof *p);
    struct part part = {1, 2};
    char text[3] = "ab";
    if (!p)
        exit(1);
    p->first = p->second = 0;
    kept = any() ? p : 0;
    int n = of_variables(&here) ^ of_variables(&there) ^ of_a_block(&here) ^ of_a_block(p);
    n ^= of_either(any() ? p : &here) ^ of_an_ended_variable(&here) ^ of_an_ended_variable(any() ? own() : &here);
    n ^= behind_its_block();
    set(&here);
    set(&one);
    set_a_constant(&here);
    set_a_constant(any() ? (struct pair *)&constant : &here);
    set_a_string(text);
    set_a_string("ab");
    set_a_part(&part.free);
    set_a_part((int *)&part.fixed);
    chosen(any())->first = 1;             // SAFE: null-deref
    chosen_or_constant(any())->first = 1; // POSSIBLE: null-deref
    return n ^ (any() ? hidden((unsigned long)any())->first : 0);
}
