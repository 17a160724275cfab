#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CELLOG_RESULT, CELLOG_SUCCEEDS, CELLOG_FAILS, CELLOG_LENGTH, CELLOG_BYTES, CELLOG_CONVERSIONS, CELLOG_CONVERTED
};

/* One input: a number, a floating-point number, or bytes. */
struct cellog_input {
    int role;
    long long number;
    double real;
    const char *bytes;
    unsigned long size;
};

/* The inputs that one function gives, in order. */
struct cellog_queue {
    const char *function;
    const struct cellog_input *inputs;
    unsigned long count, next;
    int told;
};

/* The next input, if it is of this role. */
static const struct cellog_input *cellog_take(struct cellog_queue *queue, int role) {
    if (queue->next < queue->count && queue->inputs[queue->next].role == role) return &queue->inputs[queue->next++];
    return 0;
}

/* The same; what follows on a missing input is told once. */
static const struct cellog_input *cellog_need(struct cellog_queue *queue, int role) {
    const struct cellog_input *input = cellog_take(queue, role);
    if (!input && !queue->told) {
        queue->told = 1;
        fprintf(stderr, "cellog-replay: %s is asked for more than the precondition has\n", queue->function);
    }
    return input;
}

static long long cellog_number(struct cellog_queue *queue, int role) {
    const struct cellog_input *input = cellog_need(queue, role);
    return input ? input->number : 0;
}

/* Byte by byte, so that the sanitizers see every write. */
static void cellog_copy(void *to, const struct cellog_input *input) {
    unsigned long i;
    for (i = 0; input && to && i < input->size; i++) ((char *)to)[i] = input->bytes[i];
}

/* The next bytes as an address of the internet, which was cut if there was less room. */
static void cellog_address(struct cellog_queue *queue, void *address, void *length) {
    cellog_copy(address, cellog_take(queue, CELLOG_BYTES));
    if (length) *(int *)length = 16;
}

/* The next bytes and a terminator of `unit` bytes. */
static void cellog_text(struct cellog_queue *queue, char *to, int unit) {
    const struct cellog_input *bytes = cellog_take(queue, CELLOG_BYTES);
    unsigned long size = bytes ? bytes->size : 0;
    int i;
    cellog_copy(to, bytes);
    for (i = 0; i < unit; i++) to[size + i] = 0;
}

extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
extern void __gcov_dump(void);

/* A sanitizer that ends the program tells what was executed, too. */
__attribute__((constructor)) static void cellog_tell_at_death(void) {
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(__gcov_dump);
}
