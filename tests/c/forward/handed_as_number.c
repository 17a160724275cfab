// A number that code outside hands to a function may be an address that it was given as a number. Its twin makes no pointer of one:
// handed_number.c.
extern void later(void (*)(unsigned long), unsigned long);

static int zero;

static void clear(unsigned long where) {
    *(int *)where = 0;
    zero = 5 / zero; // POSSIBLE: div-by-zero
}

int main(void) {
    int here = 1;
    later(clear, (unsigned long)&here);
    return here;
}
