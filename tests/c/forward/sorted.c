// What qsort() and bsearch() leave: the elements in any order, and whatever comparisons do, as often as the library compares.
#include <stdlib.h>
#include <string.h>

extern int any(void);

static int one = 1, two = 2;

static int by_number(const void *p, const void *q) {
    return **(int *const *)p - **(int *const *)q;
}

static int by_number_or_null(const void *p, const void *q) {
    int *const *a = p, *const *b = q;
    return (*a ? **a : 0) - (*b ? **b : 0);
}

/* Pointers of the caller's caller, which the recursion leaves unknown. */
static void sort_pointers(int k, int **v) {
    int *a[2] = {&two, &one};
    if (k == 0) {
        qsort(v, 2, sizeof *v, by_number);
        return;
    }
    sort_pointers(k - 1, a);
    if (a[0] == &one)
        one / any(); // POSSIBLE: div-by-zero
    if (*a[0] == 1)
        one / any(); // POSSIBLE: div-by-zero
}

static int places[3];

static void sort_nulls(int k, int **v) {
    int *a[2] = {&two, 0};
    if (k == 0) {
        qsort(v, 2, sizeof *v, by_number_or_null);
        return;
    }
    sort_nulls(k - 1, a);
    if (a[1])
        places[*a[1] + 1] = 1; // POSSIBLE: out-of-bounds
    *a[0] = 2;                 // POSSIBLE: null-deref
}

/* The twin: what is sorted is another array. */
static void sort_others(int k, int **v) {
    int *a[2] = {&two, 0}, *b[2] = {&two, &one};
    if (k == 0) {
        qsort(v, 2, sizeof *v, by_number_or_null);
        return;
    }
    qsort(b, 2, sizeof *b, by_number_or_null);
    *a[0] = 2; // SAFE: null-deref
}

struct entry {
    const char *name;
    int value;
};

static int by_value(const void *p, const void *q) {
    return ((const struct entry *)p)->value - ((const struct entry *)q)->value;
}

static void sort_entries(int k, struct entry *v) {
    struct entry mine[2] = {{"z", 2}, {"y", 1}};
    if (k == 0) {
        qsort(v, 2, sizeof *v, by_value);
        return;
    }
    sort_entries(k - 1, mine);
    if (mine[0].name[0] == 'y')
        one / any(); // POSSIBLE: div-by-zero
}

static int by_text(const void *p, const void *q) {
    return strcmp(*(char *const *)p, *(char *const *)q);
}

static void direct(void) {
    const char *names[2] = {"b", "a"};
    qsort(names, 2, sizeof *names, by_text);
    if (names[0][0] == 'a')
        one / any(); // POSSIBLE: div-by-zero
}

/* Comparisons that leave something behind. */
static int numbers[8] = {3, 1, 2}, compared, single, looked, looked_once, seen;

static int counting(const void *x, const void *y) {
    if (compared < 9)
        compared++;
    int u = *(const int *)x, v = *(const int *)y;
    return u < v ? -1 : u > v;
}

static int counting_one(const void *x, const void *y) {
    single++;
    return 0;
}

static int marking(const void *x, const void *y) {
    seen = 1;
    return *(const int *)x - *(const int *)y;
}

static void often(void) {
    qsort(numbers, 8, sizeof *numbers, counting);
    if (compared == 9)
        one / (compared - 9);  // ALWAYS: div-by-zero
    if (compared == 8)
        one / (compared - 8);  // ALWAYS: div-by-zero
    one / (compared - 2);      // POSSIBLE: div-by-zero
    one / (compared - 10);     // SAFE: div-by-zero
    /* The twin: there is nothing to compare. */
    qsort(numbers, 1, sizeof *numbers, counting_one);
    one / (single - 2); // SAFE: div-by-zero
    /* Once or many times is the same to a mark. */
    qsort(numbers, 8, sizeof *numbers, marking);
    one / (seen - 2);   // SAFE: div-by-zero
}

static int looking(const void *key, const void *element) {
    if (looked < 9)
        looked++;
    return *(const int *)key - *(const int *)element;
}

static int looking_once(const void *key, const void *element) {
    looked_once = 1;
    return *(const int *)key - *(const int *)element;
}

static int search(int key) {
    int *found = bsearch(&key, numbers, 8, sizeof *numbers, looking);
    one / looked;       // SAFE: div-by-zero
    one / (looked - 1); // POSSIBLE: div-by-zero
    one / (looked - 2); // POSSIBLE: div-by-zero
    one / (looked - 9); // POSSIBLE: div-by-zero
    if (found)
        *found = 2;     // SAFE: null-deref; SAFE: out-of-bounds
    found = bsearch(&key, numbers, 8, sizeof *numbers, looking_once);
    one / looked_once;  // SAFE: div-by-zero
    return *found;      // POSSIBLE: null-deref; SAFE: out-of-bounds
}

/* Elements stay elements. */
static int by_size(const void *p, const void *q) {
    return *(const int *)p < *(const int *)q ? -1 : *(const int *)p > *(const int *)q; // SAFE: uninit-read
}

static int elements(int n) {
    int few[4] = {3, 1, 2, 5}, one_is_zero[4] = {3, 0, 2, 5}, part[4] = {3, 1, 2, 0};
    qsort(few, 4, sizeof *few, by_size);
    qsort(one_is_zero, 4, sizeof *one_is_zero, by_size);
    qsort(part, 3, sizeof *part, by_size);
    int sum = 100 / few[2]; // SAFE: div-by-zero
    sum += 100 / part[2];   // SAFE: div-by-zero
    if (n == 7)
        sum += 100 / one_is_zero[n - 5]; // POSSIBLE: div-by-zero
    if (n == 8)
        sum += 100 / part[n - 5]; // ALWAYS: div-by-zero
    return sum;
}

static int of_a_block(int n) {
    if (n < 1 || n > 100)
        return 0;
    int *all = malloc(n * sizeof *all);
    if (!all)
        return 0;
    for (int i = 0; i < n; i++)
        all[i] = (any() & 7) + 1;
    qsort(all, n, sizeof *all, by_size);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += 100 / all[i]; // SAFE: div-by-zero; SAFE: uninit-read
    free(all);
    return sum;
}

static int by_any_size(const void *p, const void *q) {
    return *(const int *)p < *(const int *)q; // POSSIBLE: uninit-read of *p; POSSIBLE: uninit-read of *q
}

/* The twin: one more is sorted than was set. */
static int one_more(int n) {
    if (n < 1 || n > 100)
        return 0;
    int *all = malloc((n + 1) * sizeof *all);
    if (!all)
        return 0;
    for (int i = 0; i < n; i++)
        all[i] = (any() & 7) + 1;
    qsort(all, n + 1, sizeof *all, by_any_size);
    int first = all[0] & 1; // POSSIBLE: uninit-read
    free(all);
    return first;
}

int main(int argc, char **argv) {
    direct();
    often();
    switch (argc) {
    case 1: sort_pointers(1, 0); break;
    case 2: sort_nulls(1, 0); break;
    case 3: sort_others(1, 0); break;
    case 4: sort_entries(1, 0); break;
    case 5: return of_a_block(any());
    case 6: return one_more(any());
    case 7:
    case 8: return elements(argc);
    }
    return search(argc);
}
