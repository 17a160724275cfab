// Pointers to variables that have ended, kept in static variables that others may write: shared memory tells that they have ended.
extern int any(void);

/* Long enough not to be followed. */
#define AGAIN(x) x x x x x x x x
static int busy;
static void work(void) {
    AGAIN(AGAIN(AGAIN(busy = busy / 2 + 1;)))
}

static int *kept, other;
static void look(void) {
    work();
    if (any())
        kept = &other;
}

static void keep(void) {
    int mine = 1;
    kept = &mine;
    look();
    look();
}

static int read_kept(void) {
    work();
    return *kept; // POSSIBLE: use-after-free
}

/* The twin keeps what does not end. */
static int *held;
static void look_at_held(void) {
    work();
    if (any())
        held = &other;
}

static void hold(void) {
    static int mine = 1;
    held = &mine;
    look_at_held();
    look_at_held();
}

static int read_held(void) {
    work();
    return *held; // SAFE: use-after-free
}

int main(void) {
    keep();
    hold();
    return read_kept() + read_held();
}
