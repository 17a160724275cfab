/* Static storage: initial values, addresses, counters, tentative definitions, enums. */
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, LAST = -1 };
int tentative;
int tentative;
static int numbers[] = {1, 2, 3};
int *second = &numbers[1];
char *name = "static";
char buffer[8] = "12345678";
extern int later;
static long table[2][2] = {{1L << 30, -1}, {sizeof(int), 'x'}};
double pi = 3.14159;
struct list { int v; struct list *next; };
static struct list b, a = {1, &b};
static struct list b = {2, &a};

static int counter(void) {
    static int n = 10;
    return n++;
}

int main(void) {
    counter();
    counter();
    printf("%d %d %d %s\n", tentative, *second, counter(), name);
    printf("%.8s %d %ld %ld\n", buffer, later, table[0][0], table[1][1]);
    printf("%d %d %d %g\n", GREEN, BLUE, LAST, pi);
    printf("%d %d\n", a.next->v, a.next->next->v);
    enum color c = BLUE;
    printf("%d %zu\n", c == 6, sizeof c);
    second++;
    *second = 30;
    printf("%d\n", numbers[2]);
    return later;
}

int later = 17;
