/* What a header of the system declares is of a library, which knows no name of the program: it reaches what it is given. */
static int x, y, z, w;
static int *kept = &z, *seen = &y;
int *named = &w;
# 1 "/usr/include/mystery.h" 1 3
extern int *mystery_place;
int *mystery(int **p);
# 9 "installed.c"

int main(void) {
    int *p = mystery(&seen);     // POINTS-TO: main::p -> {<outside>+?, mystery_place+?, seen+?, y+?}
    int *q = seen;               // POINTS-TO: main::q -> {<outside>+?, mystery_place+?, seen+?, y, y+?}
    int *r = kept;               // POINTS-TO: main::r -> {z}
    int *s = named;              // POINTS-TO: main::s -> {w}
    int *t = mystery_place;      // POINTS-TO: main::t -> {<outside>+?, mystery_place+?, seen+?, y+?}
    return *p + *q + *r + *s + *t + x;
}
