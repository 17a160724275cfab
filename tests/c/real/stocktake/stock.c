#include "stock.h"

#include <stdlib.h>
#include <string.h>

int by_name(const struct item *a, const struct item *b)
{
    return strcmp(a->name, b->name);
}

/* The most valuable first. */
int by_value(const struct item *a, const struct item *b)
{
    long left = item_value(a), right = item_value(b);

    return (left < right) - (left > right);
}

/* The scarcest first. */
int by_quantity(const struct item *a, const struct item *b)
{
    return (a->quantity > b->quantity) - (a->quantity < b->quantity);
}

void stock_init(struct stock *stock)
{
    stock->first = NULL;
    stock->items = 0;
    stock->totals = NULL;
    stock->groups = 0;
    stock->capacity = 0;
}

static struct group_total *find_group(struct stock *stock, const char *group)
{
    int i;

    for (i = 0; i < stock->groups; i++)
        if (strcmp(stock->totals[i].group, group) == 0)
            return &stock->totals[i];
    return NULL;
}

static struct group_total *add_group(struct stock *stock, const char *group)
{
    struct group_total *total;

    if (stock->groups == stock->capacity) {
        int capacity = stock->capacity == 0 ? 4 : 2 * stock->capacity;
        struct group_total *grown = realloc(stock->totals, (size_t)capacity * sizeof *grown);

        if (grown == NULL)
            return NULL;
        stock->totals = grown;
        stock->capacity = capacity;
    }
    total = &stock->totals[stock->groups];
    stock->groups++;
    memset(total, 0, sizeof *total);
    total->group = group;
    return total;
}

int stock_add(struct stock *stock, struct item *item)
{
    struct group_total *total = find_group(stock, item->group);

    if (total == NULL)
        total = add_group(stock, item->group);
    if (total == NULL) {
        item_free(item);
        return 0;
    }
    total->items++;
    total->pieces += item->quantity;
    total->value += item_value(item);

    item->next = stock->first;
    stock->first = item;
    stock->items++;
    return 1;
}

static struct item *insert_sorted(struct item *list, struct item *item, item_order order)
{
    struct item **link = &list;

    while (*link != NULL && order(*link, item) <= 0)
        link = &(*link)->next;
    item->next = *link;
    *link = item;
    return list;
}

void stock_sort(struct stock *stock, item_order order)
{
    struct item *rest = stock->first;
    struct item *sorted = NULL;

    while (rest != NULL) {
        struct item *item = rest;

        rest = item->next;
        sorted = insert_sorted(sorted, item, order);
    }
    stock->first = sorted;
}

void stock_keep_group(struct stock *stock, const char *group)
{
    struct item **link = &stock->first;
    int i, kept = 0;

    /* The totals borrow names from the items, so they go first. */
    for (i = 0; i < stock->groups; i++)
        if (strcmp(stock->totals[i].group, group) == 0)
            stock->totals[kept++] = stock->totals[i];
    stock->groups = kept;

    while (*link != NULL) {
        struct item *item = *link;

        if (strcmp(item->group, group) != 0) {
            *link = item->next;
            item_free(item);
            stock->items--;
        } else {
            link = &item->next;
        }
    }
}

void stock_free(struct stock *stock)
{
    struct item *item = stock->first;

    while (item != NULL) {
        struct item *next = item->next;

        item_free(item);
        item = next;
    }
    free(stock->totals);
    stock_init(stock);
}
