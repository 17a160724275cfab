/* Arrays of records that are written at unknown indices: a member of one element is that of any other, and no other member. */
#include <stdlib.h>
#include <string.h>

struct row {
    int size;
    const char *text;
    int left;
};

static struct row table[500];
static struct row spoiled[500];
static struct row moved[500];
static struct row shifted[500];

static int any(int below) {
    int n = rand();
    return n >= 0 && n < below ? n : 0;
}

static void members(void) {
    table[any(500)].size = 3;
    table[any(500)].text = "abc";
    table[any(500)].left = 7;
    struct row *r = &table[any(500)];
    if (r->text)
        rand() < r->text[3]; // SAFE
    if (r->text)
        rand() < r->text[r->size]; // SAFE
    if (r->text)
        rand() < r->text[r->left]; // POSSIBLE
}

static void bytes(void) {
    spoiled[any(500)].size = 3;
    spoiled[any(500)].text = "abc";
    ((char *)spoiled)[any(sizeof spoiled)] = 1;
    struct row *r = &spoiled[any(500)];
    if (r->text)
        rand() < r->text[0]; // POSSIBLE
}

static void moves(void) {
    moved[any(500)].text = "abc";
    moved[any(500)].size = 2;
    int from = any(100), count = any(100);
    memmove(moved + from + 1, moved + from, count * sizeof *moved);
    struct row *r = &moved[any(500)];
    if (r->text)
        rand() < r->text[r->size]; // SAFE
    shifted[any(500)].text = "abc";
    shifted[any(500)].size = 2;
    memmove((char *)(shifted + from) + 4, shifted + from, count * sizeof *shifted);
    struct row *s = &shifted[any(500)];
    if (s->text)
        rand() < s->text[s->size]; // POSSIBLE
}

static void grows(void) {
    struct row *rows = NULL;
    int count = 0;
    while (rand() > 3 && count < 1000) {
        struct row *more = realloc(rows, (count + 1) * sizeof *rows);
        if (!more)
            break;
        rows = more;
        rows[count].size = 1;
        rows[count].text = "ab";
        rows[count].left = count;
        count++;
    }
    if (count > 0)
        rand() < rows[0].text[rows[0].size];
    free(rows);
}

int main(void) {
    members();
    bytes();
    moves();
    grows();
    return 0;
}
