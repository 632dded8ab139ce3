/*
 * Loaded before all else: a clock that is set again and again. The time of day is SHIFT_CLOCK_S seconds later than it
 * is at each odd call, and as much earlier at each even one; other clocks are as they were.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

static time_t shifted(time_t seconds)
{
    static _Atomic unsigned long calls;
    const char *text = getenv("SHIFT_CLOCK_S");
    const time_t shift = text != NULL ? (time_t)strtol(text, NULL, 10) : 0;

    return atomic_fetch_add(&calls, 1) % 2 == 0 ? seconds + shift : seconds - shift;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*_Atomic real)(clockid_t, struct timespec *);

    if (atomic_load(&real) == NULL)
        atomic_store(&real, (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime"));
    const int outcome = atomic_load(&real)(clock, now);
    if (outcome == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec = shifted(now->tv_sec);
    return outcome;
}

EXPORT time_t time(time_t *result)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL)
        *result = now.tv_sec;
    return now.tv_sec;
}

EXPORT int gettimeofday(struct timeval *restrict result, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *result = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}
