/* Sorting and searching by hand: quicksort with callbacks, heaps, linked lists, hash tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { char *key; int count; struct entry *next; };
static struct entry *buckets[16];

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h % 16;
}

static struct entry *lookup(const char *s) {
    struct entry **p = &buckets[hash(s)];
    while (*p && strcmp((*p)->key, s))
        p = &(*p)->next;
    if (!*p) {
        *p = calloc(1, sizeof **p);
        if (!*p)
            exit(1);
        (*p)->key = strdup(s);
    }
    return *p;
}

static void sort(void *base, size_t n, size_t w, int (*cmp)(const void *, const void *)) {
    char *a = base, tmp[64];
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && cmp(a + (j - 1) * w, a + j * w) > 0; j--) {
            memcpy(tmp, a + j * w, w);
            memcpy(a + j * w, a + (j - 1) * w, w);
            memcpy(a + (j - 1) * w, tmp, w);
        }
}

static int by_count(const void *x, const void *y) {
    const struct entry *a = *(struct entry *const *)x, *b = *(struct entry *const *)y;
    return a->count != b->count ? b->count - a->count : strcmp(a->key, b->key);
}

int main(void) {
    char text[] = "the cat and the dog and the bird";
    for (char *word = text; *word;) {
        char *end = word + strcspn(word, " ");
        int last = *end == 0;
        *end = 0;
        lookup(word)->count++;
        word = last ? end : end + 1;
    }
    struct entry *all[16];
    size_t n = 0;
    for (int i = 0; i < 16; i++)
        for (struct entry *e = buckets[i]; e; e = e->next)
            all[n++] = e;
    sort(all, n, sizeof *all, by_count);
    for (size_t i = 0; i < n; i++)
        printf("%s %d\n", all[i]->key, all[i]->count);
    for (int i = 0; i < 16; i++)
        for (struct entry *e = buckets[i], *next; e; e = next) {
            next = e->next;
            free(e->key);
            free(e);
        }
    return (int)n;
}
