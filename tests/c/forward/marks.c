// A number that the program asks for in a variable tells what else is one number there: nothing has been read yet, nothing counted.
#include <assert.h>

extern int any(void);

static char out[16];

/* The first one goes in front; it is the first as long as there was none. */
void first_in_front(void) {
    int last = -1, count = 0, left;
    do {
        left = any();
        while (left > 0) {
            int c = any() & 255;
            left--;
            if (last == -1) {
                out[count++] = c; // SAFE: out-of-bounds; SAFE: signed-overflow
                last = c;
                continue;
            }
            count = c;
            last = c;
        }
    } while (any());
}

/* It may be the first again. */
void first_again(void) {
    int last = -1, count = 0, left;
    do {
        left = any();
        while (left > 0) {
            int c = any() & 255;
            left--;
            if (last == -1) {
                out[count++] = c; // POSSIBLE: out-of-bounds; POSSIBLE: signed-overflow
                last = any() ? c : -1;
                continue;
            }
            count = c;
            last = c;
        }
    } while (any());
}

/* What is counted changes while the mark stands. */
void counted_meanwhile(void) {
    int last = -1, count = 0, left;
    do {
        left = any();
        count++;
        while (left > 0) {
            int c = any() & 255;
            left--;
            if (last == -1) {
                out[count++] = c; // POSSIBLE: out-of-bounds
                last = c;
                continue;
            }
            count = c;
            last = c;
        }
    } while (any());
}

/* States by number, each with what holds in it. */
enum state { EMPTY, OPEN, FULL };

void states(void) {
    enum state now = EMPTY;
    int held = 0, rounds = any();
    while (any()) {
        for (int i = 0; i < rounds; i++) {
            if (now == EMPTY) {
                assert(held == 0); // SAFE: assertion
                held = 1;
                now = OPEN;
            } else if (now == OPEN) {
                held = any();
                now = FULL;
            }
        }
    }
}

void states_left_alone(void) {
    enum state now = EMPTY;
    int held = 0, rounds = any();
    while (any()) {
        for (int i = 0; i < rounds; i++) {
            if (now == EMPTY) {
                assert(held == 0); // POSSIBLE: assertion
                held = 1;
                now = OPEN;
            } else if (now == OPEN) {
                held = any();
                now = EMPTY;
            }
        }
    }
}

int main(void) {
    first_in_front();
    first_again();
    counted_meanwhile();
    states();
    states_left_alone();
    return 0;
}
