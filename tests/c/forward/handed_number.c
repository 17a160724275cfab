// The twin of handed_as_number.c: where no number becomes a pointer, what code outside hands over as a number is one.
extern void later(void (*)(unsigned long), unsigned long);

static int count;

static void add(unsigned long by) {
    if (by < 10)
        count = 5 / (10 - (int)by); // SAFE: div-by-zero
}

int main(void) {
    int here = 1;
    later(add, (unsigned long)&here);
    return here;
}
