#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_file = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again;
static int count, size;

static void in_order(void) {
    pthread_mutex_lock(&list);
    count++;
    pthread_mutex_unlock(&list);
    pthread_mutex_lock(&list);
    count--;
    pthread_mutex_unlock(&list);
}

static void taken_twice(int n) {
    pthread_mutex_lock(&list);
    if (n > 0)
        pthread_mutex_lock(&list); // FINDS
    count++;
    pthread_mutex_unlock(&list);
}

static void released_twice(int n) {
    pthread_mutex_lock(&list);
    count++;
    if (n > 0)
        pthread_mutex_unlock(&list);
    pthread_mutex_unlock(&list); // FINDS
}

static int held_at_return(int n) {
    pthread_mutex_lock(&table);
    if (n > size)
        return -1; // FINDS
    size = n;
    pthread_mutex_unlock(&table);
    return 0;
}

static int released_at_returns(int n) {
    if (pthread_mutex_lock(&table) != 0)
        return -2;
    if (n > size) {
        pthread_mutex_unlock(&table);
        return -1;
    }
    size = n;
    pthread_mutex_unlock(&table);
    return 0;
}

static void lock_log(void) { pthread_mutex_lock(&log_file); }
static void unlock_log(void) { pthread_mutex_unlock(&log_file); }

static void log_line(void) {
    lock_log();
    count++;
    unlock_log();
}

static void log_twice(void) {
    lock_log();
    log_line(); // FINDS
    unlock_log();
}

static void log_apart(void) {
    log_line();
    log_line();
}

static void one_order(void) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second); // FINDS
    count++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
}

static void other_order(void) {
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first); // FINDS
    count++;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
}

static void same_order_elsewhere(void) {
    pthread_mutex_lock(&list);
    pthread_mutex_lock(&table);
    count++;
    pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&list);
}

static void never_taken(void) {
    pthread_mutex_unlock(&never); // FINDS
}

static void taken_again(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &kind);
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    pthread_mutex_unlock(&again);
    pthread_mutex_unlock(&again);
}

static void tried(void) {
    if (pthread_mutex_trylock(&list) == 0) {
        count++;
        pthread_mutex_unlock(&list);
    }
}

struct node {
    pthread_mutex_t lock;
    struct node *next;
    int value;
};

static int hand_over_hand(struct node *n) {
    int sum = 0;
    pthread_mutex_lock(&n->lock);
    while (n->next) {
        struct node *next = n->next;
        pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&n->lock);
        n = next;
        sum += n->value;
    }
    pthread_mutex_unlock(&n->lock);
    return sum;
}

static int forgotten(struct node *n) {
    pthread_mutex_lock(&n->lock);
    if (n->value < 0)
        return 0; // FINDS
    pthread_mutex_unlock(&n->lock);
    return 1;
}

int main(int argc, char **argv) {
    struct node *n = calloc(2, sizeof *n);
    if (!n)
        return 1;
    n[0].next = &n[1];
    in_order();
    taken_twice(argc);
    released_twice(argc);
    held_at_return(argc);
    released_at_returns(argc);
    log_twice();
    log_apart();
    one_order();
    other_order();
    same_order_elsewhere();
    never_taken();
    taken_again();
    tried();
    return hand_over_hand(n) + forgotten(n);
}
