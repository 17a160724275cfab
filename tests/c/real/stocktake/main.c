/*
 * stocktake: reads a stock list from standard input and prints a report.
 *
 * usage: stocktake [-s name|value|quantity] [-g GROUP] [-l LOW] < list.csv
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE 256

struct options {
    item_order order;
    const char *group;          /* NULL: every group */
    long low;
};

static int usage(void)
{
    fprintf(stderr, "usage: stocktake [-s name|value|quantity] [-g GROUP] [-l LOW] < list.csv\n");
    return 2;
}

static int parse_order(const char *word, item_order *order)
{
    static const struct {
        const char *word;
        item_order order;
    } known[] = {
        { "name", by_name },
        { "value", by_value },
        { "quantity", by_quantity },
    };
    size_t i;

    for (i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].word, word) == 0) {
            *order = known[i].order;
            return 1;
        }
    }
    return 0;
}

static int parse_options(int argc, char **argv, struct options *options)
{
    int i;

    for (i = 1; i < argc; i += 2) {
        if (argv[i][0] != '-' || argv[i][1] == '\0' || i + 1 == argc)
            return 0;
        switch (argv[i][1]) {
        case 's':
            if (!parse_order(argv[i + 1], &options->order))
                return 0;
            break;
        case 'g':
            options->group = argv[i + 1];
            break;
        case 'l':
            options->low = strtol(argv[i + 1], NULL, 10);
            break;
        default:
            return 0;
        }
    }
    return 1;
}

/* Reads the whole list. Returns how many lines were wrong, or -1 when memory ran out. */
static int read_list(FILE *in, struct stock *stock)
{
    char line[LINE_SIZE];
    int number = 0, wrong = 0;

    while (fgets(line, sizeof line, in) != NULL) {
        struct item *item = NULL;
        enum parse_result result = item_parse(line, &item);

        number++;
        if (result == PARSE_OK) {
            if (!stock_add(stock, item))
                return -1;
        } else if (result == PARSE_MEMORY) {
            return -1;
        } else if (result != PARSE_SKIP) {
            fprintf(stderr, "line %d: %s\n", number, parse_message(result));
            wrong++;
        }
    }
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options = { by_name, NULL, 5 };
    struct stock stock;
    int wrong;

    if (!parse_options(argc, argv, &options))
        return usage();

    stock_init(&stock);
    wrong = read_list(stdin, &stock);
    if (wrong < 0) {
        fprintf(stderr, "stocktake: out of memory\n");
        stock_free(&stock);
        return 1;
    }
    if (options.group != NULL)
        stock_keep_group(&stock, options.group);
    stock_sort(&stock, options.order);

    report_items(&stock);
    report_groups(&stock);
    report_low(&stock, options.low);
    report_summary(&stock);

    stock_free(&stock);
    return wrong > 0;
}
