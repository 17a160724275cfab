static int one(int a) {
    return a;
}

static int two(int a, int b) {
    return a + b;
}

int main(void) {
    int (*fits)(int) = one;
    int (*odd)(int) = (int (*)(int))two;
    int (*either)(int) = fits(0) ? one : (int (*)(int))two;
    int n = fits(1) + either(3);
    return n + odd(2); // FINDS
}
