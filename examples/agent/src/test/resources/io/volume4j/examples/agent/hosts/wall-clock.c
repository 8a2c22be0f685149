/*
 * Steps the wall clock of a program that is started with this library in LD_PRELOAD. The file that WALL_CLOCK names holds the number
 * of nanoseconds, eight bytes in the machine's order, by which the clock is wrong; it may change at any time. The kernel has one wall
 * clock for all its namespaces. Time that only grows is the kernel's own. A program that does not ask the C library for the time, as
 * etcd, keeps the kernel's clock.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)
/* A time that only grows begins with the machine, and is never that large. */
#define SECONDS_OF_A_WALL_CLOCK 1000000000

static const volatile int64_t right = 0;
static const volatile int64_t *wrong_by = &right;

__attribute__((constructor)) static void find_file(void) {
    const char *name = getenv("WALL_CLOCK");
    int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        void *shared = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
        if (shared != MAP_FAILED) {
            wrong_by = shared;
        }
        close(file);
    }
}

static void add(struct timespec *time, int64_t nanos) {
    int64_t sum = time->tv_sec * SECOND + time->tv_nsec + nanos;
    time->tv_sec = sum / SECOND;
    time->tv_nsec = sum % SECOND;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int failed = (int) syscall(SYS_clock_gettime, clock, time);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        add(time, *wrong_by);
    }
    return failed;
}

int gettimeofday(struct timeval *time, void *zone) {
    struct timespec now;
    (void) zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL) {
        *result = now.tv_sec;
    }
    return now.tv_sec;
}

/* The kernel waits by its own clock: who waits until a time of the wrong clock must not wait longer, or less, for it. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    struct timespec end = *until;
    if (end.tv_sec < SECONDS_OF_A_WALL_CLOCK) {
        return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &end);
    }
    add(&end, -*wrong_by);
    return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &end);
}
