/* One of everything that the front end has a rule for. */
typedef unsigned long size_t;
typedef int T, *P, A[3];
typedef struct node { struct node *next; T value : 5; unsigned : 0; char name[]; } node;
struct __attribute__((packed)) tight { char c; long l; } __attribute__((aligned(4)));
union both { float f; int i; struct { short low, high; }; };
enum color { RED, GREEN = 5, BLUE = GREEN << 1 };
extern void *malloc(size_t), *realloc(void *, size_t);
extern void free(void *);
extern int printf(const char *, ...), scanf(const char *, ...), rand(void);
extern char *strcpy(char *, const char *), *fgets(char *, int, void *);
extern void abort(void) __attribute__((noreturn));
static const char *const words[] = { "a", "b" "c", [3] = "\x41\n\e" };
static int matrix[2][3] = { { 1, 2 }, [1] = { [0 ... 1] = 7 } }, counter;
static union both u0 = { .i = 3 };
__int128 wide = 1;
long double ld = 1.5L;
_Static_assert(sizeof(T) == 4, "T");
int old(a, b) char *b; { return a + *b; }
static inline int add(int x, int y) { return x + y; }
int (*table[2])(int, int) = { add, 0 };
static int sum(int n, ...) {
    __builtin_va_list ap;
    int s = 0;
    __builtin_va_start(ap, n);
    while (n-- > 0) s += __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return s;
}
static int dispatch(int op) {
    static void *labels[] = { &&zero, &&one };
    goto *labels[op & 1];
zero:
    return 0;
one:
    return 1;
}
static struct tight make(int n) { return (struct tight){ .c = n, .l = n }; }
static int control(int n, char *s, double d, P p) {
    int i, k = 0, vla[n + 1];
    register T t = (T)d;
    for (i = 0; i < n; i++) {
        if (i % 3 == 0 && s[i] != '\0') continue;
        else if (i > 100 || !p) break;
        vla[i] = i;
    }
    for (T *q = p; q && *q; q++) k += *q;
    do { k--; } while (k > 0 ? k < 3 : 0);
    switch (n) {
    case 0: { int inner = 1; k = inner; }
    case 1 ... 5: k++; __attribute__((fallthrough));
    case RED + 7: break;
    default: k = n ?: 4;
    }
    if (n > 3) goto end;
    k = ({ __typeof__(n) x = n; x > k ? x : k; });
    k += __builtin_types_compatible_p(T, int) + sizeof (union both){ .i = k };
    k += sizeof(vla) + sizeof(struct tight) + __alignof__(k) + __builtin_offsetof(node, name);
    k = _Generic(d, int: 1, double: 2, default: 3) + (k << 3 | ~k & 0xffu) - -k;
    __asm__ volatile("nop" : "=r"(k) : "r"(n) : "memory");
    t = make(3).c + u0.high + matrix[1][2] + wide + (int)ld + table[0](1, 2) + sum(2, 1, 2);
end:
    return k + t + (p ? p[n] : words[1][0]);
}
int main(int argc, char **argv) {
    char buffer[16] = "x", *copy = malloc(argc * 2);
    node *list = 0;
    int data, *q = &data;
    if (!copy) abort();
    if (scanf("%d %9s", &data, buffer) != 2) return 1;
    strcpy(copy, argv[0]);
    list = realloc(list, sizeof *list + 4);
    if (list) { list->value = data; list->next = list; list->name[1] = buffer[data]; }
    counter += old(1, buffer) + dispatch(data) + control(argc, buffer, 1.0 / data, q) + 100 / *q;
    printf("%d %s %ld\n", counter, copy, (long)(q - &data));
    free(copy);
    free(list);
    return copy == buffer;
}
