/* The interface of the Cyber Grand Challenge's seven system calls, for POSIX; libcgc.c implements it.
 * The page of secret bytes that programs find at a fixed address is an array here (cgc.py puts its name in that address' place). */
#ifndef CGC_SHIM_H
#define CGC_SHIM_H

#define STDIN 0
#define STDOUT 1
#define STDERR 2
#undef NULL
#define NULL ((void *)0)
#define PAGE_SIZE 4096
#define CGC_FLAG_PAGE_ADDRESS ((unsigned long)cgc_flag_page)
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

typedef unsigned long cgc_size_t;
typedef long cgc_ssize_t;
#define SSIZE_MAX ((cgc_ssize_t)(~(cgc_size_t)0 >> 1))
#define SIZE_MAX (~(cgc_size_t)0)
#define STD_SIZE_T unsigned long

#undef FD_SETSIZE
#undef FD_ZERO
#undef FD_SET
#undef FD_CLR
#undef FD_ISSET
#define FD_SETSIZE 1024
#define CGC_FD_SETSIZE FD_SETSIZE
#define _NFDBITS (8 * sizeof(long))
typedef long _fd_mask;
typedef struct {
    _fd_mask _fd_bits[FD_SETSIZE / _NFDBITS];
} cgc_fd_set;
#define FD_ZERO(set)                                                                                                   \
    do {                                                                                                               \
        for (unsigned cgc_i = 0; cgc_i < FD_SETSIZE / _NFDBITS; cgc_i++)                                               \
            (set)->_fd_bits[cgc_i] = 0;                                                                                \
    } while (0)
#define FD_SET(b, set) ((set)->_fd_bits[(b) / _NFDBITS] |= 1L << ((b) & (_NFDBITS - 1)))
#define FD_CLR(b, set) ((set)->_fd_bits[(b) / _NFDBITS] &= ~(1L << ((b) & (_NFDBITS - 1))))
#define FD_ISSET(b, set) (((set)->_fd_bits[(b) / _NFDBITS] >> ((b) & (_NFDBITS - 1))) & 1)
#define CGC_FD_ZERO FD_ZERO
#define CGC_FD_SET FD_SET
#define CGC_FD_CLR FD_CLR
#define CGC_FD_ISSET FD_ISSET

struct cgc_timeval {
    int tv_sec;
    int tv_usec;
};

#define EBADF 1
#define EFAULT 2
#define EINVAL 3
#define ENOMEM 4
#define ENOSYS 5
#define EPIPE 6
#define CGC_EBADF EBADF
#define CGC_EFAULT EFAULT
#define CGC_EINVAL EINVAL
#define CGC_ENOMEM ENOMEM
#define CGC_ENOSYS ENOSYS
#define CGC_EPIPE EPIPE

extern const unsigned char cgc_flag_page[PAGE_SIZE];

void cgc__terminate(unsigned int status) __attribute__((__noreturn__));
int cgc_transmit(int fd, const void *buf, cgc_size_t count, cgc_size_t *tx_bytes);
int cgc_receive(int fd, void *buf, cgc_size_t count, cgc_size_t *rx_bytes);
int cgc_fdwait(int nfds, cgc_fd_set *readfds, cgc_fd_set *writefds, const struct cgc_timeval *timeout, int *readyfds);
int cgc_allocate(cgc_size_t length, int is_X, void **addr);
int cgc_deallocate(void *addr, cgc_size_t length);
int cgc_random(void *buf, cgc_size_t count, cgc_size_t *rnd_bytes);

typedef struct {
    long words[25];
} jmp_buf[1];
#define cgc_setjmp _setjmp
#define cgc_longjmp longjmp
int _setjmp(jmp_buf);
void longjmp(jmp_buf, int) __attribute__((__noreturn__));

#define CGC_REAL(name)                                                                                                 \
    float cgc_##name##f(float);                                                                                        \
    double cgc_##name(double);                                                                                         \
    long double cgc_##name##l(long double);
#define CGC_REALS(name)                                                                                                \
    float cgc_##name##f(float, float);                                                                                 \
    double cgc_##name(double, double);                                                                                 \
    long double cgc_##name##l(long double, long double);
#define CGC_SCALED(name, whole)                                                                                        \
    float cgc_##name##f(float, whole);                                                                                 \
    double cgc_##name(double, whole);                                                                                  \
    long double cgc_##name##l(long double, whole);
CGC_REAL(sin) CGC_REAL(cos) CGC_REAL(tan) CGC_REAL(log) CGC_REAL(rint) CGC_REAL(sqrt) CGC_REAL(fabs) CGC_REAL(log2)
CGC_REAL(exp2) CGC_REAL(exp) CGC_REAL(log10) CGC_REAL(significand)
CGC_REALS(pow) CGC_REALS(atan2) CGC_REALS(remainder)
CGC_SCALED(scalbn, int) CGC_SCALED(scalbln, long)

#endif
