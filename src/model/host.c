#include "model/host.h"

#include "model/confined.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static enum machine_standing standing;
static bool watched, abandoned;
static uint32_t watched_seed;
static _Atomic uint64_t lived; /* steps of the launch that runs, as it last said */
static const struct schedule *asked;

void machine_watch(bool by_host, uint32_t seed)
{
    pthread_mutex_lock(&mutex);
    watched = by_host;
    watched_seed = seed;
    pthread_mutex_unlock(&mutex);
}

bool host_watches(uint32_t *seed)
{
    pthread_mutex_lock(&mutex);
    const bool does = watched;
    *seed = watched_seed;
    pthread_mutex_unlock(&mutex);
    return does;
}

void machine_follow(const struct schedule *schedule)
{
    pthread_mutex_lock(&mutex);
    asked = schedule;
    pthread_mutex_unlock(&mutex);
}

const struct schedule *host_asks(void)
{
    pthread_mutex_lock(&mutex);
    const struct schedule *schedule = asked;
    pthread_mutex_unlock(&mutex);
    return schedule;
}

enum machine_standing machine_standing(void)
{
    pthread_mutex_lock(&mutex);
    const enum machine_standing now = standing;
    pthread_mutex_unlock(&mutex);
    return now;
}

uint64_t machine_steps(void)
{
    return atomic_load_explicit(&lived, memory_order_relaxed);
}

void host_lives(uint64_t steps)
{
    atomic_store_explicit(&lived, steps, memory_order_relaxed);
}

void machine_look(void)
{
    confined_look();
}

static void answer(bool abandons)
{
    pthread_mutex_lock(&mutex);
    standing = MACHINE_GOES_ON;
    abandoned = abandons;
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&answered);
}

void machine_go_on(void)
{
    answer(false);
}

void machine_abandon(void)
{
    answer(true);
}

bool host_answers(enum machine_standing now)
{
    pthread_mutex_lock(&mutex);
    abandoned = false;
    standing = now;
    while (standing != MACHINE_GOES_ON)
        pthread_cond_wait(&answered, &mutex);
    const bool goes_on = !abandoned;
    pthread_mutex_unlock(&mutex);
    return goes_on;
}
