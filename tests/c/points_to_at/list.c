/* The node made last is one node; the list that it is put in front of is many. */
#include <stdlib.h>

struct node {
    struct node *next;
    int *value;
};

int x, y;

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 9; i++) {
        struct node *n = malloc(sizeof *n); // STATE: {both, none, recent}
        if (!n)
            break;
        n->next = head; // STRONG: malloc
        n->value = &x; // STRONG: malloc
        int *a = n->value; // GIVES: main::a -> {x}
        *a = i;
        if (head)
            head->value = &y; // WEAK: malloc
        head = n;
    }
    int sum = 0;
    for (struct node *n = head; n; n = n->next) {
        int *b = n->value; // GIVES: main::b -> {x, y}
        sum += *b;
    }
    return sum;
}
