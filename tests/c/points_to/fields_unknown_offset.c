/* Twin of fields.c: the pointer is moved by a number that the text does not give. */
struct pair {
    int *first;
    int *second;
};
int x, y;

int main(int argc, char **argv) {
    struct pair pair;
    pair.first = &x;
    pair.second = &y;
    char *any = (char *)&pair + argc; // POINTS-TO: main::any -> {main::pair+?}
    int *a = *(int **)any; // POINTS-TO: main::a -> {x, y}
    int *b = pair.first; // POINTS-TO: main::b -> {x}
    *(int **)any = 0;
    return *a + *b;
}
