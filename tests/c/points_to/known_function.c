/* Twin of unknown_function.c: the function has a body that does nothing. */
int x, y, z;
int *kept = &z, *seen = &y;
static int *mystery(int **p) { return *p; }

int main(void) {
    int *p = mystery(&seen); // POINTS-TO: main::p -> {y}
    int *q = seen;           // POINTS-TO: main::q -> {y}
    int *r = kept;           // POINTS-TO: main::r -> {z}
    return *p + *q + *r;
}
