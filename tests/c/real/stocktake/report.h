/* What stocktake prints. */
#ifndef REPORT_H
#define REPORT_H

#include "stock.h"

void report_items(const struct stock *stock);
void report_groups(const struct stock *stock);

/* The items of which fewer than `low` pieces are left. */
void report_low(const struct stock *stock, long low);

/* Totals over everything, and the mean value of an item. */
void report_summary(const struct stock *stock);

#endif
