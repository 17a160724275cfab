/* The Cyber Grand Challenge's system calls by those of POSIX, for programs that are checked and replayed on other systems. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "libcgc.h"

#define PAGE 4096
#define OUT_OF_MEMORY 4
#define BROKEN 6

/* The secret page: flag_page.h has pseudo-random bytes. */
const unsigned char cgc_flag_page[PAGE] = {
#include "flag_page.h"
};

void cgc__terminate(unsigned int status) {
    exit((int)(status & 127));
}

int cgc_transmit(int fd, const void *buf, cgc_size_t count, cgc_size_t *tx_bytes) {
    ssize_t done = write(fd, buf, count);
    if (done < 0)
        return BROKEN;
    if (tx_bytes)
        *tx_bytes = (cgc_size_t)done;
    return 0;
}

int cgc_receive(int fd, void *buf, cgc_size_t count, cgc_size_t *rx_bytes) {
    ssize_t done = read(fd, buf, count);
    if (done < 0)
        return BROKEN;
    if (rx_bytes)
        *rx_bytes = (cgc_size_t)done;
    return 0;
}

/* What is waited for is there at once. */
int cgc_fdwait(int nfds, cgc_fd_set *readfds, cgc_fd_set *writefds, const struct cgc_timeval *timeout, int *readyfds) {
    (void)readfds;
    (void)writefds;
    (void)timeout;
    if (readyfds)
        *readyfds = nfds;
    return 0;
}

/* Whole pages of zeros. */
int cgc_allocate(cgc_size_t length, int is_x, void **addr) {
    (void)is_x;
    void *pages;
    if (length > (cgc_size_t)1 << 30)
        return OUT_OF_MEMORY;
    pages = calloc(1, (length + PAGE - 1) / PAGE * PAGE);
    if (!pages)
        return OUT_OF_MEMORY;
    if (addr)
        *addr = pages;
    return 0;
}

/* Pages go one by one, so that nothing is freed as a whole. */
int cgc_deallocate(void *addr, cgc_size_t length) {
    (void)addr;
    (void)length;
    return 0;
}

/* The same numbers each time, so that runs repeat. */
int cgc_random(void *buf, cgc_size_t count, cgc_size_t *rnd_bytes) {
    static unsigned long long state = 88172645463325252ULL;
    for (cgc_size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((unsigned char *)buf)[i] = (unsigned char)(state >> 32);
    }
    if (rnd_bytes)
        *rnd_bytes = count;
    return 0;
}

#define REAL(name)                                                                                                     \
    float cgc_##name##f(float x) { return name##f(x); }                                                                \
    double cgc_##name(double x) { return name(x); }                                                                    \
    long double cgc_##name##l(long double x) { return name##l(x); }
#define REALS(name)                                                                                                    \
    float cgc_##name##f(float x, float y) { return name##f(x, y); }                                                    \
    double cgc_##name(double x, double y) { return name(x, y); }                                                       \
    long double cgc_##name##l(long double x, long double y) { return name##l(x, y); }
#define SCALED(name, whole)                                                                                            \
    float cgc_##name##f(float x, whole by) { return name##f(x, by); }                                                  \
    double cgc_##name(double x, whole by) { return name(x, by); }                                                      \
    long double cgc_##name##l(long double x, whole by) { return name##l(x, by); }
REAL(sin) REAL(cos) REAL(tan) REAL(log) REAL(rint) REAL(sqrt) REAL(fabs) REAL(log2) REAL(exp2) REAL(exp) REAL(log10)
REALS(pow) REALS(atan2) REALS(remainder)
SCALED(scalbn, int) SCALED(scalbln, long)
