#include "item.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

/*
 * Copies the field that starts at s, up to a comma or the end of the line,
 * without the blanks around it. Fields that are too long are cut.
 * Returns where the next field starts, or NULL after the last one.
 */
static const char *next_field(const char *s, char field[])
{
    int n = 0;

    s = skip_blanks(s);
    while (*s != '\0' && *s != ',' && *s != '\n') {
        if (n < FIELD_SIZE) {
            field[n] = *s;
            n++;
        }
        s++;
    }
    while (n > 0 && (field[n - 1] == ' ' || field[n - 1] == '\t' || field[n - 1] == '\r'))
        n--;
    field[n] = '\0';
    return *s == ',' ? s + 1 : NULL;
}

static int parse_number(const char *text, long limit, long *out)
{
    char *end;
    long value;

    if (!isdigit((unsigned char)text[0]))
        return 0;
    errno = 0;
    value = strtol(text, &end, 10);
    if (errno != 0 || *end != '\0' || value > limit)
        return 0;
    *out = value;
    return 1;
}

/* An amount of money: whole units, then a point and two digits if there are cents. */
static int parse_amount(const char *text, long limit, long *out)
{
    char whole[FIELD_SIZE];
    const char *point = strchr(text, '.');
    long units, cents = 0;

    if (point == NULL) {
        strcpy(whole, text);
    } else {
        size_t length = (size_t)(point - text);

        memcpy(whole, text, length);
        whole[length] = '\0';
        if (!isdigit((unsigned char)point[1]) || !isdigit((unsigned char)point[2]) || point[3] != '\0')
            return 0;
        cents = (point[1] - '0') * 10 + (point[2] - '0');
    }
    if (!parse_number(whole, limit / 100, &units))
        return 0;
    *out = units * 100 + cents;
    return *out <= limit;
}

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);

    if (copy != NULL)
        strcpy(copy, text);
    return copy;
}

static struct item *item_new(const char *name, const char *group, long quantity, long price)
{
    struct item *item = malloc(sizeof *item);

    if (item == NULL)
        return NULL;
    item->name = copy_text(name);
    item->group = copy_text(group);
    item->quantity = quantity;
    item->price = price;
    item->next = NULL;
    if (item->name == NULL || item->group == NULL) {
        item_free(item);
        return NULL;
    }
    return item;
}

enum parse_result item_parse(const char *line, struct item **out)
{
    char name[FIELD_SIZE], group[FIELD_SIZE], number[FIELD_SIZE];
    const char *s = skip_blanks(line);
    long quantity, price;

    if (*s == '\0' || *s == '\n' || *s == '\r' || *s == '#')
        return PARSE_SKIP;

    s = next_field(s, name);
    if (s == NULL || name[0] == '\0')
        return PARSE_FIELDS;
    s = next_field(s, group);
    if (s == NULL || group[0] == '\0')
        return PARSE_FIELDS;
    s = next_field(s, number);
    if (!parse_number(number, QUANTITY_MAX, &quantity))
        return PARSE_QUANTITY;
    if (s == NULL)
        return PARSE_FIELDS;
    next_field(s, number);
    if (!parse_amount(number, PRICE_MAX, &price))
        return PARSE_PRICE;

    *out = item_new(name, group, quantity, price);
    return *out == NULL ? PARSE_MEMORY : PARSE_OK;
}

long item_value(const struct item *item)
{
    return item->quantity * item->price;
}

void item_free(struct item *item)
{
    free(item->name);
    free(item->group);
    free(item);
}

const char *parse_message(enum parse_result result)
{
    switch (result) {
    case PARSE_OK:
    case PARSE_SKIP:
        return "no error";
    case PARSE_FIELDS:
        return "expected name,group,quantity,price";
    case PARSE_QUANTITY:
        return "the quantity is not a number in range";
    case PARSE_PRICE:
        return "the price is not an amount in range";
    case PARSE_MEMORY:
        return "out of memory";
    }
    return "unknown error";
}
