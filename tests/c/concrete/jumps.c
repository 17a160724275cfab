/* setjmp and longjmp: out of calls, recursion, loops, through pointers; values; buffers in records and on the heap. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, inner;
static int depth;

static void leave(int value)
{
    depth++;
    longjmp(outer, value);
}

static int twice(int n)
{
    if (n == 0)
        leave(7);
    return twice(n - 1) + 1;
}

static _Noreturn void die(jmp_buf where, const char *why)
{
    printf("dies: %s\n", why);
    longjmp(where, 3);
}

static void (*chosen)(int) = leave;

struct task {
    int id;
    jmp_buf back;
    int done;
};

static void work(struct task *t)
{
    t->done = t->id * 2;
    longjmp(t->back, t->id);
}

static int protect(int n)
{
    jmp_buf own;
    switch (setjmp(own)) {
    case 0:
        if (n > 2)
            die(own, "too many");
        if (n > 1)
            longjmp(own, 0);
        return n;
    case 1:
        return 100 + n;
    case 3:
        return 300 + n;
    default:
        return -1;
    }
}

static int nested(void)
{
    if (setjmp(inner) == 0) {
        protect(5);
        longjmp(inner, 9);
    }
    return 9;
}

static struct { int a, b, c; } record(int n)
{
    if (n > 1)
        longjmp(outer, 44);
    __typeof__(record(0)) r = {n, n, n};
    return r;
}

int main(void)
{
    int first = setjmp(outer);
    printf("first %d\n", first);
    if (first == 0)
        twice(20);
    else if (first == 7)
        chosen(8);
    else if (first == 8)
        leave(-1);
    for (int i = 0; i < 4; i++)
        printf("protect %d\n", protect(i));
    printf("nested %d\n", nested());
    volatile int turns = 0;
    int r = setjmp(inner);
    turns++;
    if (turns < 5)
        longjmp(inner, turns);
    printf("turns %d %d\n", turns, r);
    struct task *t = malloc(sizeof *t);
    t->id = 21;
    if (!setjmp(t->back))
        work(t);
    printf("task %d\n", t->done);
    free(t);
    int n = 0, kept = 5;
    for (n = 0; n < 3; n++)
        if (setjmp(outer) != 0)
            printf("caught %d %d\n", kept, depth);
        else
            leave(1);
    if (setjmp(outer))
        puts("record");
    else
        printf("%d\n", record(1).b + record(2).c);
    printf("end %d\n", depth);
    return 0;
}
