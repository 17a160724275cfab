#include "report.h"

#include <stdio.h>

static void print_amount(long cents)
{
    printf("%8ld.%02ld", cents / 100, cents % 100);
}

void report_items(const struct stock *stock)
{
    const struct item *item;

    for (item = stock->first; item != NULL; item = item->next) {
        printf("%-20s %-12s %8ld  ", item->name, item->group, item->quantity);
        print_amount(item->price);
        print_amount(item_value(item));
        printf("\n");
    }
}

void report_groups(const struct stock *stock)
{
    int i;

    for (i = 0; i < stock->groups; i++) {
        const struct group_total *total = &stock->totals[i];

        printf("%-20s %4d items %8ld pieces ", total->group, total->items, total->pieces);
        print_amount(total->value);
        printf("\n");
    }
}

void report_low(const struct stock *stock, long low)
{
    const struct item *item;

    for (item = stock->first; item != NULL; item = item->next)
        if (item->quantity < low)
            printf("low: %s (%ld left)\n", item->name, item->quantity);
}

void report_summary(const struct stock *stock)
{
    const struct item *item;
    long pieces = 0, value = 0;

    for (item = stock->first; item != NULL; item = item->next) {
        pieces += item->quantity;
        value += item_value(item);
    }
    printf("%d items, %ld pieces, worth", stock->items, pieces);
    print_amount(value);
    printf(", a mean of");
    print_amount(value / stock->items);
    printf("\n");
}
