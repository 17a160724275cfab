/* The stock: a list of items, and totals by group in an array that grows. */
#ifndef STOCK_H
#define STOCK_H

#include "item.h"

struct group_total {
    const char *group;          /* borrowed from the first item of the group */
    int items;
    long pieces;
    long value;                 /* cents */
};

struct stock {
    struct item *first;
    int items;
    struct group_total *totals;
    int groups;
    int capacity;
};

/* Negative, zero or positive: how a is ordered before b. */
typedef int (*item_order)(const struct item *a, const struct item *b);

int by_name(const struct item *a, const struct item *b);
int by_value(const struct item *a, const struct item *b);
int by_quantity(const struct item *a, const struct item *b);

void stock_init(struct stock *stock);

/* Takes the item over. Returns 0 when memory ran out; the item is then freed. */
int stock_add(struct stock *stock, struct item *item);

void stock_sort(struct stock *stock, item_order order);

/* Drops every item of another group than the one given. */
void stock_keep_group(struct stock *stock, const char *group);

void stock_free(struct stock *stock);

#endif
