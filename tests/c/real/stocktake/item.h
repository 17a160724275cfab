/* One line of a stock list: what it is, how many there are, what one costs. */
#ifndef ITEM_H
#define ITEM_H

#define FIELD_SIZE 32           /* room for one field of a line, its terminator included */
#define QUANTITY_MAX 1000000L
#define PRICE_MAX 10000000L     /* cents */

struct item {
    char *name;
    char *group;
    long quantity;
    long price;                 /* of one piece, in cents */
    struct item *next;
};

enum parse_result {
    PARSE_OK,
    PARSE_SKIP,                 /* a blank line or a comment */
    PARSE_FIELDS,               /* a field is missing */
    PARSE_QUANTITY,             /* the quantity is not a number in range */
    PARSE_PRICE,                /* the price is not an amount in range */
    PARSE_MEMORY
};

/* Reads `name,group,quantity,price` and stores a new item on the heap at *out. */
enum parse_result item_parse(const char *line, struct item **out);

/* What all the pieces together are worth, in cents. */
long item_value(const struct item *item);

void item_free(struct item *item);

const char *parse_message(enum parse_result result);

#endif
