static int *own(int n) { // FINDS
    int x = n;
    int *p = &x;
    return p;
}

static int *lasting(int n) {
    static int x;
    x = n;
    return &x;
}

static int *given(int *p) {
    return p;
}

int main(void) {
    int y = 2;
    own(1);
    return *lasting(3) + *given(&y);
}
