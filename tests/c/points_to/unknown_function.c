/* A function without a body may keep, change and return whatever it can reach. */
int x, y, z;
int *kept = &z, *seen = &y;
int *mystery(int **p);

int main(void) {
    int *p = mystery(&seen); // POINTS-TO: main::p -> {<outside>+?, seen+?, y+?}
    int *q = seen;           // POINTS-TO: main::q -> {<outside>+?, seen+?, y, y+?}
    int *r = kept;           // POINTS-TO: main::r -> {z}
    return *p + *q + *r;
}
