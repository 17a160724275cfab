/* Twin of fields_unknown_offset.c: a write at an unknown offset may reach every member. */
struct pair {
    int *first;
    int *second;
};
int x, y;

int main(int argc, char **argv) {
    struct pair pair = {&x, &x};
    char *any = (char *)&pair + argc;
    *(int **)any = &y;
    int *a = pair.first;  // POINTS-TO: main::a -> {x, y}
    int *b = pair.second; // POINTS-TO: main::b -> {x, y}
    return *a + *b;
}
