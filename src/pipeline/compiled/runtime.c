/* Runs a program again and again, each time on other inputs, and says whether a run shows anything new: edges of the
   control-flow graph with the orders of magnitude of their counts, comparisons that come closer to equality, places where it
   crashes.

   The program's `main` goes by another name. Each run is a process of its own that is shut in: what it opens is in memory, and it can
   neither reach files of the machine nor the network nor other processes.

   Asked over standard input: a word each of what is wanted (bits of TELL_...), the edges that the run may take, the arguments,
   the files, and for each of these its length and its bytes. Answered over standard output: a word each of how the run ended (0, 1: crashed, 2: took too long), what was new
   (bits of NEW_...), and how many pairs of compared numbers follow, of 64 bits each.

   See: Zalewski, "Technical whitepaper for afl-fuzz", Sect. 1, 2 and 8 (edges, fork server). */
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __i386__
#define MACHINE AUDIT_ARCH_I386
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#else
#error "runs cannot be shut in on this machine"
#endif

enum {
    /* Places of edges and of comparisons, powers of two. */
    EDGES = 1 << 16, COMPARISONS = 1 << 13,
    /* Pairs of compared numbers that are told. */
    TOLD = 1 << 11,
    /* Of one comparison, those that are told. */
    OF_ONE = 8,
    FILES = 16, WORDS = 64,
    /* Bytes of all inputs of a run. */
    ROOM = 1 << 22,
};

enum { NEW_EDGE = 1, NEW_COUNT = 2, NEW_CRASH = 4, CLOSER = 8, SAME = 16 };

/* What was compared; whether the run shows all that was new in the last one that was not asked this. */
enum { TELL_COMPARED = 1, TELL_SAME = 2 };

/* Seconds of the processor and of the clock that a run may take. */
static const unsigned PROCESSOR = 2, CLOCK = 4;

/* Readings that give nothing, after which a run ends. */
enum { READINGS_AT_ENDS = 8 };

/* Where requests come from and answers go to. */
enum { ASKED = 198, ANSWERED = 199 };

/* AddressSanitizer ends the run; blocks of any size may be asked for. */
const char *__asan_default_options(void) {
    return "detect_leaks=0:abort_on_error=1:symbolize=0:handle_segv=0:handle_abort=0:allocator_may_return_null=1:print_summary=0:"
           "detect_stack_use_after_return=0:detect_odr_violation=0:use_sigaltstack=0:max_allocation_size_mb=1024";
}

/* What a run writes for the one that waits for it. */
struct seen {
    unsigned char edges[EDGES];
    /* How close the sides of a comparison came: 64 less the bits of their difference, and one. */
    unsigned char close[COMPARISONS];
    unsigned char told_of[COMPARISONS];
    uint64_t pairs[TOLD][2];
    unsigned told;
    uint32_t last;
    int too_long;
};

static struct seen *seen;
static long edges_left;
static int is_told;

static struct {
    const unsigned char *bytes;
    unsigned size;
} files[FILES];
static unsigned file_count;

/* Instrumentation. */

static uint32_t hash(uintptr_t place) {
    uint32_t mixed = (uint32_t)(place ^ place >> 4) * 0x9e3779b1u;
    return mixed ^ mixed >> 15;
}

void __sanitizer_cov_trace_pc(void) {
    if (!seen) return;
    uint32_t here = hash((uintptr_t)__builtin_return_address(0));
    unsigned char *count = &seen->edges[(here ^ seen->last) % EDGES];
    if (*count != 255) ++*count;
    seen->last = here >> 1;
    if (--edges_left < 0) {
        seen->too_long = 1;
        _exit(0);
    }
}

static void compared(uintptr_t place, uint64_t a, uint64_t b) {
    if (!seen) return;
    uint32_t at = hash(place) % COMPARISONS;
    uint64_t apart = a > b ? a - b : b - a;
    unsigned char close = apart ? (unsigned char)__builtin_clzll(apart) + 1 : 65;
    if (close > seen->close[at]) seen->close[at] = close;
    if (is_told && apart && seen->told < TOLD && seen->told_of[at] < OF_ONE) {
        seen->told_of[at]++;
        seen->pairs[seen->told][0] = a;
        seen->pairs[seen->told++][1] = b;
    }
}

#define COMPARE(name, type)                                                            \
    void name(type a, type b) { compared((uintptr_t)__builtin_return_address(0), a, b); }
COMPARE(__sanitizer_cov_trace_cmp1, uint8_t)
COMPARE(__sanitizer_cov_trace_cmp2, uint16_t)
COMPARE(__sanitizer_cov_trace_cmp4, uint32_t)
COMPARE(__sanitizer_cov_trace_cmp8, uint64_t)
COMPARE(__sanitizer_cov_trace_const_cmp1, uint8_t)
COMPARE(__sanitizer_cov_trace_const_cmp2, uint16_t)
COMPARE(__sanitizer_cov_trace_const_cmp4, uint32_t)
COMPARE(__sanitizer_cov_trace_const_cmp8, uint64_t)
void __sanitizer_cov_trace_cmpf(float a, float b) { (void)a, (void)b; }
void __sanitizer_cov_trace_cmpd(double a, double b) { (void)a, (void)b; }

/* The number of cases, the bits of the number, and the cases. */
void __sanitizer_cov_trace_switch(uint64_t number, void *all) {
    const uint64_t *cases = all;
    uintptr_t place = (uintptr_t)__builtin_return_address(0);
    for (uint64_t i = 0; i < cases[0] && i < 64; i++) compared(place + i * 64, number, cases[i + 2]);
}

/* What C leaves undefined and the compiler looks for is an edge of its own; the run goes on. */
#define UNDEFINED(what)                                                                              \
    void __ubsan_handle_##what(void) {                                                               \
        unsigned char *count = seen ? &seen->edges[hash((uintptr_t)__builtin_return_address(0)) % EDGES] : 0; \
        if (count && *count != 255) ++*count;                                                        \
    }
UNDEFINED(add_overflow)
UNDEFINED(sub_overflow)
UNDEFINED(mul_overflow)
UNDEFINED(negate_overflow)
UNDEFINED(divrem_overflow)
UNDEFINED(shift_out_of_bounds)
UNDEFINED(out_of_bounds)
UNDEFINED(type_mismatch_v1)
UNDEFINED(pointer_overflow)
UNDEFINED(float_cast_overflow)
UNDEFINED(load_invalid_value)
UNDEFINED(vla_bound_not_positive)
UNDEFINED(nonnull_arg)
UNDEFINED(nonnull_return_v1)
UNDEFINED(nullability_arg)
UNDEFINED(nullability_return_v1)
UNDEFINED(builtin_unreachable)
UNDEFINED(missing_return)
UNDEFINED(invalid_builtin)
UNDEFINED(function_type_mismatch_v1)

/* Files. They are numbered by the order in which they are first read, as the search numbers them: one that is open has its content from then on. */

static int memory_file(void) { return (int)syscall(__NR_memfd_create, "", 0); }

/* Names of files, and their numbers, -1 until they are read. The first one is standard input. */
static struct {
    char name[256];
    int number;
} names[FILES + 1] = {{"", -1}};
static unsigned known = 1;
static int numbered;

/* Which of these a descriptor is of that is not read yet: one more than its place, 0 for none. */
static unsigned char unread[256] = {1};

static void fill(int fd) {
    if (fd < 0 || fd >= (int)sizeof unread || !unread[fd]) return;
    int *number = &names[unread[fd] - 1].number;
    unread[fd] = 0;
    if (*number < 0) *number = numbered++;
    if (*number >= (int)file_count) return;
    for (unsigned done = 0; done < files[*number].size;) {
        ssize_t n = write(fd, files[*number].bytes + done, files[*number].size - done);
        if (n <= 0) break;
        done += (unsigned)n;
    }
    lseek(fd, 0, SEEK_SET);
}

/* The file of this name; there are no more than have contents. */
static int given(const char *name) {
    unsigned n = 1;
    while (n < known && strncmp(names[n].name, name, sizeof names[n].name - 1)) n++;
    if (n > file_count) {
        errno = ENOENT;
        return -1;
    }
    if (n == known) {
        strncpy(names[n].name, name, sizeof names[n].name - 1);
        names[n].number = -1;
        known++;
    }
    int fd = memory_file();
    if (fd >= 0 && fd < (int)sizeof unread) unread[fd] = (unsigned char)(n + 1);
    return fd;
}

static int opened(const char *name, int flags) {
    return (flags & O_ACCMODE) == O_RDONLY ? given(name) : memory_file();
}

static FILE *stream(const char *name, const char *mode) {
    int fd = *mode == 'r' ? given(name) : memory_file();
    return fd < 0 ? 0 : fdopen(fd, mode);
}

int __wrap_open(const char *name, int flags, ...) { return opened(name, flags); }
int __wrap_open64(const char *name, int flags, ...) { return opened(name, flags); }
int __wrap_openat(int folder, const char *name, int flags, ...) { return (void)folder, opened(name, flags); }
int __wrap_creat(const char *name, int mode) { return (void)name, (void)mode, memory_file(); }
FILE *__wrap_fopen(const char *name, const char *mode) { return stream(name, mode); }
FILE *__wrap_fopen64(const char *name, const char *mode) { return stream(name, mode); }
FILE *__wrap_tmpfile(void) { return stream("", "w+"); }

/* Calls that read, or ask for what there is to read. */
#define REAL(type, name, ...)            \
    type __real_##name(__VA_ARGS__);     \
    type __wrap_##name(__VA_ARGS__)
REAL(off_t, lseek, int fd, off_t by, int from) { return fill(fd), __real_lseek(fd, by, from); }
REAL(off64_t, lseek64, int fd, off64_t by, int from) { return fill(fd), __real_lseek64(fd, by, from); }
REAL(int, fseek, FILE *f, long by, int from) { return fill(fileno(f)), __real_fseek(f, by, from); }
REAL(int, fstat, int fd, struct stat *to) { return fill(fd), __real_fstat(fd, to); }
REAL(int, fstat64, int fd, struct stat64 *to) { return fill(fd), __real_fstat64(fd, to); }
REAL(ssize_t, getline, char **to, size_t *size, FILE *f) { return fill(fileno(f)), __real_getline(to, size, f); }

static int scan(FILE *f, const char *format, va_list list) { return fill(fileno(f)), vfscanf(f, format, list); }
#define SCAN(name, from, ...)                  \
    int __wrap_##name(__VA_ARGS__ const char *format, ...) { \
        va_list list;                          \
        va_start(list, format);                \
        int n = scan(from, format, list);      \
        va_end(list);                          \
        return n;                              \
    }
#define ONE_MORE FILE *f,
SCAN(scanf, stdin, )
SCAN(__isoc99_scanf, stdin, )
SCAN(fscanf, f, ONE_MORE)
SCAN(__isoc99_fscanf, f, ONE_MORE)

/* A reading that gave nothing: who reads on and on at the end of a file comes to no other end. */
static void at_end(void) {
    static unsigned readings;
    if (seen && ++readings > READINGS_AT_ENDS) {
        seen->too_long = 1;
        _exit(0);
    }
}

REAL(ssize_t, read, int fd, void *to, size_t size) {
    fill(fd);
    ssize_t n = __real_read(fd, to, size);
    if (!n && size) at_end();
    return n;
}
REAL(size_t, fread, void *to, size_t size, size_t count, FILE *f) {
    fill(fileno(f));
    size_t n = __real_fread(to, size, count, f);
    if (!n && size && count) at_end();
    return n;
}
REAL(char *, fgets, char *to, int size, FILE *f) {
    fill(fileno(f));
    char *line = __real_fgets(to, size, f);
    if (!line) at_end();
    return line;
}
REAL(int, fgetc, FILE *f) {
    fill(fileno(f));
    int c = __real_fgetc(f);
    if (c == EOF) at_end();
    return c;
}
int __wrap_getc(FILE *f) { return __wrap_fgetc(f); }
int __wrap__IO_getc(FILE *f) { return __wrap_fgetc(f); }
int __wrap_getchar(void) { return __wrap_fgetc(stdin); }

#define STATUS(name, type, of)                                        \
    int __wrap_##name(const char *file, type *to) {                   \
        int fd = given(file), result = fd < 0 ? -1 : __wrap_##of(fd, to); \
        if (fd >= 0) close(fd);                                       \
        return result;                                                \
    }
STATUS(stat, struct stat, fstat)
STATUS(lstat, struct stat, fstat)
STATUS(stat64, struct stat64, fstat64)
STATUS(lstat64, struct stat64, fstat64)
int __wrap_access(const char *name, int mode) {
    int fd = given(name);
    if (fd >= 0) close(fd);
    return (void)mode, fd < 0 ? -1 : 0;
}

/* Shut in. */

static const int ALLOWED[] = {
    __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_close, __NR_fstat, __NR_lseek, __NR_munmap,
    __NR_mremap, __NR_mprotect, __NR_brk, __NR_exit, __NR_exit_group, __NR_rt_sigaction, __NR_rt_sigprocmask,
    __NR_rt_sigreturn, __NR_getpid, __NR_gettid, __NR_getppid, __NR_clock_gettime, __NR_gettimeofday, __NR_getrandom,
    __NR_memfd_create, __NR_dup, __NR_dup3, __NR_fcntl, __NR_uname, __NR_getuid, __NR_geteuid, __NR_getgid,
    __NR_getegid, __NR_times, __NR_getrusage, __NR_ftruncate, __NR_madvise, __NR_sigaltstack, __NR_futex,
    __NR_sched_yield,
/* `fstat` is one of these. */
#ifdef __NR_newfstatat
    __NR_newfstatat,
#endif
#ifdef __NR_fstatat64
    __NR_fstatat64,
#endif
#ifdef __NR_statx
    __NR_statx,
#endif
#ifdef __NR_mmap
    __NR_mmap,
#endif
#ifdef __NR_mmap2
    __NR_mmap2,
#endif
#ifdef __NR_dup2
    __NR_dup2,
#endif
#ifdef __NR_time
    __NR_time,
#endif
#ifdef __NR__llseek
    __NR__llseek,
#endif
#ifdef __NR_fstat64
    __NR_fstat64,
#endif
#ifdef __NR_fcntl64
    __NR_fcntl64,
#endif
#ifdef __NR_ftruncate64
    __NR_ftruncate64,
#endif
#ifdef __NR_getuid32
    __NR_getuid32, __NR_geteuid32, __NR_getgid32, __NR_getegid32,
#endif
#ifdef __NR_clock_gettime64
    __NR_clock_gettime64,
#endif
};

/* What changes files by name is said to have been done. */
static const int PRETENDED[] = {
#ifdef __NR_unlink
    __NR_unlink, __NR_rename, __NR_chmod, __NR_chown, __NR_mkdir, __NR_rmdir, __NR_link, __NR_symlink, __NR_utime,
    __NR_utimes,
#endif
    __NR_unlinkat, __NR_fchmodat, __NR_fchownat, __NR_fchmod, __NR_fchown, __NR_mkdirat, __NR_utimensat, __NR_sync, __NR_fsync,
};

/* What this process needs for its runs, and they do not. */
static const int OWN[] = {
    __NR_clone, __NR_wait4, __NR_prctl, __NR_prlimit64, __NR_setitimer, __NR_set_robust_list,
#ifdef __NR_fork
    __NR_fork,
#endif
#ifdef __NR_waitpid
    __NR_waitpid,
#endif
#ifdef __NR_alarm
    __NR_alarm,
#endif
#ifdef __NR_setrlimit
    __NR_setrlimit,
#endif
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define SAY(...) code[n++] = (struct sock_filter)__VA_ARGS__
/* What is loaded, and what is done where it is the number, or is not. */
#define LOAD(member) SAY(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member)))
#define WHERE(number, is, is_not) SAY(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(number), is, is_not))
#define END(how) SAY(BPF_STMT(BPF_RET | BPF_K, how))
#define FAILS (SECCOMP_RET_ERRNO | EPERM)

static int shut(struct sock_filter *code, unsigned short n) {
    struct sock_fprog program = {n, code};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Only these calls of the system from now on, here and in all runs. Whether that is so. */
static int shut_in(void) {
    enum { A = COUNT(ALLOWED), O = COUNT(OWN), P = COUNT(PRETENDED) };
    struct sock_filter code[A + O + P + 8];
    unsigned short n = 0, i;
    LOAD(arch);
    WHERE(MACHINE, 1, 0);
    END(SECCOMP_RET_KILL);
    LOAD(nr);
    for (i = 0; i < A; i++) WHERE(ALLOWED[i], (unsigned char)(A - i + O + P + 2), 0);
    for (i = 0; i < O; i++) WHERE(OWN[i], (unsigned char)(O - i + P + 2), 0);
    WHERE(__NR_tgkill, P + 2, 0);
    for (i = 0; i < P; i++) WHERE(PRETENDED[i], (unsigned char)(P - i), 0);
    END(FAILS);
    END(SECCOMP_RET_ERRNO | 0);
    END(SECCOMP_RET_ALLOW);
    return shut(code, n);
}

/* The same of a run, which starts no others and sends signals to none: `abort` may end it. */
static int shut_in_run(void) {
    enum { O = COUNT(OWN) };
    struct sock_filter code[O + 7];
    unsigned short n = 0, i;
    LOAD(nr);
    for (i = 0; i < O; i++) WHERE(OWN[i], (unsigned char)(O - i + 3), 0);
    WHERE(__NR_tgkill, 0, 2);
    LOAD(args[0]);
    WHERE(getpid(), 0, 1);
    END(SECCOMP_RET_ALLOW);
    END(FAILS);
    return shut(code, n);
}

static void limit(int what, unsigned long most) {
    struct rlimit to = {most, most};
    setrlimit(what, &to);
}

/* Requests. */

static void *all_of(int fd, void *to, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t n = read(fd, (char *)to + done, size - done);
        if (n <= 0) _exit(0);
        done += (size_t)n;
    }
    return to;
}

static uint32_t word(void) {
    uint32_t value;
    return *(uint32_t *)all_of(ASKED, &value, sizeof value);
}

static void answer(const void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t n = write(ANSWERED, (const char *)bytes + done, size - done);
        if (n <= 0) _exit(0);
        done += (size_t)n;
    }
}

/* The order of magnitude of a count that is not 0, as a bit. */
static unsigned char magnitude(unsigned char count) { return (unsigned char)(1u << (31 - __builtin_clz(count))); }

/* What of this run none before has shown. */
static uint32_t news(const struct seen *run, int crashed, int is_asked_for_the_same) {
    static unsigned char magnitudes[EDGES], closest[COMPARISONS], crashes[1 << 16];
    /* What was new in the last run that is compared with. */
    static struct {
        unsigned edge;
        unsigned char bit;
    } last[EDGES];
    static unsigned count, crash;
    uint32_t new = 0;
    if (is_asked_for_the_same) {
        unsigned i = 0;
        while (i < count && run->edges[last[i].edge] && magnitude(run->edges[last[i].edge]) == last[i].bit) i++;
        return i == count && (!crash || (crashed && run->last % sizeof crashes == crash - 1)) ? SAME : 0;
    }
    count = crash = 0;
    for (unsigned at = 0; at < EDGES; at += 8) {
        if (!*(const uint64_t *)(run->edges + at)) continue;
        for (unsigned i = at; i < at + 8; i++) {
            unsigned char bit = run->edges[i] ? magnitude(run->edges[i]) : 0;
            if (!(bit & ~magnitudes[i])) continue;
            new |= magnitudes[i] ? NEW_COUNT : NEW_EDGE;
            magnitudes[i] |= bit;
            last[count].edge = i;
            last[count++].bit = bit;
        }
    }
    for (unsigned at = 0; at < COMPARISONS; at++) {
        if (run->close[at] <= closest[at]) continue;
        closest[at] = run->close[at];
        new |= CLOSER;
    }
    if (crashed && !crashes[run->last % sizeof crashes]) {
        crashes[run->last % sizeof crashes] = 1;
        crash = run->last % sizeof crashes + 1;
        new |= NEW_CRASH;
    }
    return new;
}

extern int cellog_program_main();
extern char **environ;

/* The run itself. */
static void begin(int argc, char **argv, struct seen *to) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ASKED);
    close(ANSWERED);
    int in = memory_file();
    if (in < 0 || dup2(in, 0) < 0) _exit(0);
    close(in);
    limit(RLIMIT_CPU, PROCESSOR);
    alarm(CLOCK);
    if (!shut_in_run()) _exit(0);
    seen = to;
    exit(cellog_program_main(argc, argv, environ));
}

int main(void) {
    static unsigned char room[ROOM + 1];
    static char *argv[WORDS + 1];
    static char *no_environment[] = {0};
    if (dup2(0, ASKED) < 0 || dup2(1, ANSWERED) < 0) return 1;
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0) return 1;
    close(nothing);
    environ = no_environment;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 1ul << 26);
    struct seen *shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !shut_in()) return 1;
    for (;;) {
        uint32_t wanted = word(), edges = word(), words = word(), count = word(), used = 0;
        if (words > WORDS || count > FILES) return 1;
        for (uint32_t i = 0; i < words + count; i++) {
            uint32_t size = word();
            if (size >= ROOM + 1 - used) return 1;
            unsigned char *bytes = all_of(ASKED, room + used, size);
            bytes[size] = 0;
            used += size + 1;
            if (i < words) argv[i] = (char *)bytes;
            else files[i - words].bytes = bytes, files[i - words].size = size;
        }
        argv[words] = 0;
        file_count = count;
        memset(shared, 0, offsetof(struct seen, pairs));
        shared->told = shared->last = 0, shared->too_long = 0;
        edges_left = (long)edges;
        is_told = wanted & TELL_COMPARED;
        pid_t run = fork();
        if (run < 0) return 1;
        if (!run) begin((int)words, argv, shared);
        int ended = 0;
        if (waitpid(run, &ended, 0) != run) return 1;
        int by = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
        int late = shared->too_long || by == SIGXCPU || by == SIGALRM || by == SIGKILL;
        int crashed = by && !late;
        uint32_t said[3] = {late ? 2u : (uint32_t)crashed, 0, shared->told};
        said[1] = news(shared, crashed, !!(wanted & TELL_SAME));
        answer(said, sizeof said);
        answer(shared->pairs, shared->told * sizeof *shared->pairs);
    }
}
