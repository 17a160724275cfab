/* Elements of an array are one place, but the members of its elements are told apart. */
struct item {
    int *key;
    int *value;
};
int x, y;

int main(int argc, char **argv) {
    struct item items[8];
    items[argc].key = &x;
    items[argc + 1].value = &y;
    int *a = items[0].key;   // POINTS-TO: main::a -> {x}
    int *b = items[3].value; // POINTS-TO: main::b -> {y}
    struct item *walk = items; // POINTS-TO: main::walk -> {main::items+0%16}
    while (argc--)
        walk++;
    int *c = walk->key; // POINTS-TO: main::c -> {x}
    return *a + *b + *c;
}
