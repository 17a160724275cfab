/* A function without a body may keep, change and return whatever it can reach: by an address, or by an external name. */
static int x, y, z, w;
static int *kept = &z, *seen = &y;
int *named = &w;
int *mystery(int **p);

int main(void) {
    int *p = mystery(&seen); // POINTS-TO: main::p -> {<outside>+?, named+?, seen+?, w+?, y+?}
    int *q = seen;           // POINTS-TO: main::q -> {<outside>+?, named+?, seen+?, w+?, y, y+?}
    int *r = kept;           // POINTS-TO: main::r -> {z}
    int *s = named;          // POINTS-TO: main::s -> {<outside>+?, named+?, seen+?, w, w+?, y+?}
    return *p + *q + *r + *s + x;
}
