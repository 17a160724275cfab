/* A vector that a function of its own makes longer: where the pointer leads lives on every way, though each block may have ended on some. */
#include <stdio.h>
#include <stdlib.h>

static int cap, count;
static int *items;

static void make_room(void) {
    if (count >= cap) {
        cap += 5;
        items = realloc(items, sizeof(int) * cap); // SAFE: double-free; SAFE: invalid-free
        if (!items)
            exit(1);
    }
}

static int fill(void) {
    count = 0;
    cap = 5;
    items = malloc(sizeof(int) * cap);
    if (!items)
        return 1;
    for (;;) {
        if (getchar() < 0)
            return 0;
        make_room();
        items[count] = 1; // SAFE: null-deref; SAFE: use-after-free; SAFE: out-of-bounds
        count++;
    }
}

/* The twin: the new block is not kept. */
static int taken, room;
static int *kept;

static void make_room_elsewhere(void) {
    if (taken >= room) {
        room += 5;
        int *longer = realloc(kept, sizeof(int) * room);
        if (!longer)
            exit(1);
        longer[0] = 1;
    }
}

static int fill_what_is_gone(void) {
    taken = 0;
    room = 5;
    kept = malloc(sizeof(int) * room);
    if (!kept)
        return 1;
    for (;;) {
        if (getchar() < 0)
            return 0;
        make_room_elsewhere();
        kept[taken] = 1; // POSSIBLE: use-after-free; POSSIBLE: out-of-bounds
        taken++;
    }
}

int main(int argc, char **argv) {
    return argc > 1 ? fill() : fill_what_is_gone();
}
