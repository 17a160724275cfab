// A function writes through a pointer that only some callers set to a variable of theirs. What it leaves of the string there is said of no
// other caller's variable.

static char text[16] = "abc\0zzzzzzzzzzzz";
static char **cursor, **deep_cursor, **kept_cursor, **once_cursor;
static int *position, *kept_position;
static int last;

/* One summary for many callers: some have a cursor, and the last one has none. */
static void to_text(int k) {
    last = k;
    if (cursor)
        *cursor = text;
}

static int shared(void) {
    char *at = text;
    cursor = &at;
    to_text(2); to_text(3); to_text(4); to_text(5); to_text(6); to_text(7); to_text(8); to_text(9); to_text(10);
    at = text + 12;
    cursor = 0;
    to_text(1);
    while (*at) // POSSIBLE: out-of-bounds
        at++;
    return at - text;
}

/* The twin: the last call has a cursor, too. */
static void to_kept(int k) {
    last = k;
    if (kept_cursor)
        *kept_cursor = text;
}

static int kept(void) {
    char *at = text;
    kept_cursor = &at;
    to_kept(2);
    at = text + 12;
    to_kept(1);
    while (*at) // SAFE: out-of-bounds
        at++;
    return at - text;
}

/* All entries of a function that calls itself come together. */
static void to_text_deep(int k) {
    if (k > 0)
        to_text_deep(k - 1);
    else if (deep_cursor)
        *deep_cursor = text;
}

static int recursive(void) {
    char *at = text;
    deep_cursor = &at;
    to_text_deep(1);
    at = text + 12;
    deep_cursor = 0;
    to_text_deep(1);
    while (*at) // POSSIBLE: out-of-bounds
        at++;
    return at - text;
}

/* The twin: once, with a cursor. */
static void to_text_once(int k) {
    if (k > 0)
        to_text_once(k - 1);
    else if (once_cursor)
        *once_cursor = text;
}

static int recursive_once(void) {
    char *at = text + 12;
    once_cursor = &at;
    to_text_once(1);
    while (*at) // SAFE: out-of-bounds
        at++;
    return at - text;
}

/* The place in the string is a number of the caller's. */
static void to_end(int k) {
    last = k;
    if (position) {
        *position = 0;
        while (text[*position])
            ++*position;
    }
}

static int indexed(void) {
    int i = 0;
    position = &i;
    to_end(2); to_end(3); to_end(4); to_end(5); to_end(6); to_end(7); to_end(8); to_end(9); to_end(10);
    i = 12;
    position = 0;
    to_end(1);
    while (text[i]) // POSSIBLE: out-of-bounds
        i++;
    return i;
}

/* The twin: the last call finds the end, too. */
static void to_kept_end(int k) {
    last = k;
    if (kept_position) {
        *kept_position = 0;
        while (text[*kept_position])
            ++*kept_position;
    }
}

static int indexed_kept(void) {
    int i = 0;
    kept_position = &i;
    to_kept_end(2);
    i = 12;
    to_kept_end(1);
    while (text[i]) // SAFE: out-of-bounds
        i++;
    return i;
}

int main(int argc, char **argv) {
    switch (argc) {
    case 1: return shared();
    case 2: return kept();
    case 3: return recursive();
    case 4: return recursive_once();
    case 5: return indexed();
    default: return indexed_kept();
    }
}
