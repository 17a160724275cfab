/* An index may run from a member array into the next member: bytes of one object. */
struct box {
    int *slots[2];
    int *last;
};
int x, y;

int main(int argc, char **argv) {
    struct box box = {{&x, &x}, &y};
    int *a = box.slots[argc]; // POINTS-TO: main::a -> {x, y}
    int *b = box.last;        // POINTS-TO: main::b -> {y}
    return *a + *b;
}
