/* A call brings back what it may write, and nothing else. */
int x, y, z;

static void put(int **at) {
    *at = &z;
}

static int look(int **at) {
    return **at;
}

int main(void) {
    int *first = &x, *second = &x;
    int **kept = &second;
    *kept = &y; // STRONG: main::second
    int n = look(&second);
    int *a = *kept; // GIVES: main::a -> {y}
    put(&first);
    int *b = first; // GIVES: main::b -> {x, z}
    int *c = *kept; // GIVES: main::c -> {y}
    return *a + *b + *c + n;
}
