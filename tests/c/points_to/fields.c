/* Members of one record are told apart, also when a pointer is moved between them. */
struct pair {
    int *first;
    int *second;
};
int x, y;

int main(void) {
    struct pair pair;
    pair.first = &x;
    pair.second = &y;
    int *a = pair.first; // POINTS-TO: main::a -> {x}
    struct pair *whole = &pair; // POINTS-TO: main::whole -> {main::pair}
    int **member = &whole->second; // POINTS-TO: main::member -> {main::pair+8}
    int *b = *member; // POINTS-TO: main::b -> {y}
    struct pair *back = (struct pair *)((char *)member - 8); // POINTS-TO: main::back -> {main::pair}
    int *c = back->first; // POINTS-TO: main::c -> {x}
    return *a + *b + *c;
}
