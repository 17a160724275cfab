/* Vectors of which a function of its own says how many elements there are and for how many there is room, made for each of several files. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    char *data;
    int type, size;
} section;

static section *sections;
static int allocated, count;

static void fatal(void) {
    exit(1);
}

static void reset(void) {
    if (sections == NULL) {
        sections = malloc(sizeof(section) * 5);
        allocated = 5;
    }
    count = 0;
}

static void make_room(void) {
    if (count > allocated)
        fatal();
    if (count >= allocated) {
        allocated += allocated / 2; // POSSIBLE: signed-overflow
        sections = realloc(sections, sizeof(section) * allocated);
        if (sections == NULL)
            fatal();
    }
}

static void read_all(FILE *f) {
    for (;;) {
        make_room();
        int c = fgetc(f);
        if (c == EOF)
            return;
        sections[count].type = c; // SAFE: out-of-bounds; SAFE: use-after-free
        sections[count].size = 0; // SAFE: out-of-bounds; SAFE: null-deref - there was a section before
        sections[count].data = NULL; // SAFE: out-of-bounds; SAFE: null-deref
        count += 1; // SAFE: signed-overflow - there is room for so many
    }
}

static section *create(int type) {
    make_room();
    sections[count].type = type; // SAFE: out-of-bounds; SAFE: use-after-free
    sections[count].data = NULL;
    return &sections[count++]; // SAFE: signed-overflow
}

static int sum_of_types(void) {
    int some = 0;
    for (int i = 0; i < count; i++)
        some ^= sections[i].type & 7; // SAFE: out-of-bounds - what only reads keeps what is known
    return some;
}

/* The twin: the capacity may be 1, and half of that is nothing. */
static int *few;
static int room_for_few, number_of_few;

static void make_room_for_few(void) {
    if (number_of_few >= room_for_few) {
        room_for_few += room_for_few / 2;
        few = realloc(few, sizeof(int) * room_for_few);
        if (few == NULL)
            fatal();
    }
}

static void read_few(void) {
    few = malloc(sizeof(int));
    if (few == NULL)
        return;
    room_for_few = 1;
    number_of_few = 0;
    while (getchar() != EOF) {
        make_room_for_few();
        few[number_of_few] = 1; // POSSIBLE: out-of-bounds
        number_of_few++;
    }
}

/* The twin of the reset: it forgets the vector, and not how much room it had. */
static int *gone;
static int room, used;

static void reset_badly(void) {
    gone = malloc(sizeof(int) * 5);
    if (gone == NULL)
        fatal();
    if (room == 0)
        room = 5;
    used = 0;
}

static void use_what_is_gone(void) {
    while (getchar() != EOF) {
        if (used >= room) {
            room += 5; // POSSIBLE: signed-overflow
            gone = realloc(gone, sizeof(int) * room);
            if (gone == NULL)
                fatal();
        }
        gone[used] = 1; // POSSIBLE: out-of-bounds
        used++; // SAFE: signed-overflow
    }
}

/* A block of `n` elements has room for the last one, where `n` is so small that its size did not wrap. */
static size_t set_last(size_t n) {
    long *many = malloc(n * sizeof *many);
    if (many == NULL || n > 1000000)
        return 0;
    if (n > 0)
        many[n - 1] = 1; // SAFE: out-of-bounds
    free(many);
    return n;
}

/* Sums that do not overflow are no less than what they are made of. */
static int table[16];
static void sums(int a, int b) {
    if (a < 0 || b < 2)
        return;
    int both = a + b; // POSSIBLE: signed-overflow
    if (both < 16)
        table[both - 2] = table[a]; // SAFE: out-of-bounds
    if (both < 17)
        table[both - 1] = 0; // SAFE: out-of-bounds
    if (both < 18)
        table[both - 1] = 0; // POSSIBLE: out-of-bounds
}

int main(int argc, char **argv) {
    int some = 0;
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL)
            continue;
        reset();
        read_all(f);
        create(i);
        some ^= sum_of_types();
        fclose(f);
        reset_badly();
        use_what_is_gone();
    }
    read_few();
    int a, b;
    if (scanf("%d %d", &a, &b) == 2)
        sums(a, b);
    return some + (int)set_last((size_t)argc);
}
