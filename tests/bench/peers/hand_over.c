/*
 * The peer of tests/bench/hand_over.py on a CPU: how long a hand-over takes between two threads, each bound to a
 * processor of its own, by C11 atomics with a plain spin.
 *
 *     cc -O3 -march=native -pthread hand_over.c -o hand_over
 *     ./hand_over ROUNDS LAUNCHES CPU CPU PLACE:PAIRS:PAYLOAD...
 *
 * PLACE and PAIRS are repeated only. Prints a line for each: place, pairs, payload, how many pairs, the shortest median
 * of the launches in picoseconds (half of a round trip), and how many payloads were wrong. One of the threads gives up
 * after 60 s without the other one.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { VECTORS_MOST = 4096, LINE = 128, FLAGS = 8, ROUNDS_A_FLAG = 32, PHASES = 1024 };

struct flag {
    _Alignas(LINE) atomic_uint round;
};

struct side {
    struct flag flags[FLAGS]; /* raised in turn */
    _Alignas(LINE) uint32_t cells[4 * VECTORS_MOST];
    unsigned cpu, wrong;
};

static struct side sides[2];
static unsigned rounds, count; /* words of the payload */
static uint32_t *trips;        /* in nanoseconds */

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t ticks(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static void bind_to(unsigned cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0) {
        fprintf(stderr, "hand_over: cannot use processor %u\n", cpu);
        exit(1);
    }
}

struct pair {
    struct side *own, *theirs;
    atomic_uint *own_flag, *their_flag; /* those whose turn it is */
};

/* What follows from the number of the round is computed before a trip begins. */
static void take_flags(struct pair *pair, unsigned round)
{
    const unsigned flag = (round - 1) / ROUNDS_A_FLAG % FLAGS;
    pair->own_flag = &pair->own->flags[flag].round;
    pair->their_flag = &pair->theirs->flags[flag].round;
}

static void send(const struct pair *pair, unsigned round)
{
    for (unsigned i = 0; i < count; ++i)
        pair->own->cells[i] = round + i / 4;
    atomic_store_explicit(pair->own_flag, round, memory_order_release);
}

static void receive(const struct pair *pair, unsigned round)
{
    uint32_t bad = 0;

    while (atomic_load_explicit(pair->their_flag, memory_order_acquire) != round)
        ;
    for (unsigned i = 0; i < count; ++i)
        bad |= pair->theirs->cells[i] ^ (round + i / 4);
    pair->own->wrong += bad != 0;
}

static void *answer(void *unused)
{
    struct pair pair = {.own = &sides[1], .theirs = &sides[0]};

    bind_to(sides[1].cpu);
    for (unsigned round = 1; round <= rounds; ++round) {
        take_flags(&pair, round);
        receive(&pair, round);
        send(&pair, round);
    }
    return unused;
}

/* The same varying times between trips as in the kernel. */
static uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Lets so many ticks pass. */
static void pass(uint32_t count)
{
    const uint64_t began = ticks();
    while (ticks() - began < count)
        ;
}

static void ask(void)
{
    struct pair pair = {.own = &sides[0], .theirs = &sides[1]};
    const uint64_t began_ns = now_ns(), began = ticks();

    for (unsigned round = 1; round <= rounds; ++round) {
        take_flags(&pair, round);
        pass(hash(round) % PHASES);
        const uint64_t sent = ticks();
        send(&pair, round);
        receive(&pair, round);
        trips[round - 1] = (uint32_t)(ticks() - sent);
    }
    const double half_tick_ps = 500.0 * (double)(now_ns() - began_ns) / (double)(ticks() - began);
    for (unsigned i = 0; i < rounds; ++i)
        trips[i] = (uint32_t)(trips[i] * half_tick_ps);
}

static int compare(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Returns the median. */
static uint32_t launch(void)
{
    pthread_t thread;

    for (unsigned i = 0; i < FLAGS; ++i) {
        atomic_store(&sides[0].flags[i].round, 0);
        atomic_store(&sides[1].flags[i].round, 0);
    }
    alarm(60);
    if (pthread_create(&thread, NULL, answer, NULL) != 0)
        exit(1);
    ask();
    pthread_join(thread, NULL);
    alarm(0);
    qsort(trips, rounds, sizeof *trips, compare);
    return trips[(rounds - 1) / 2];
}

int main(int argument_count, char **arguments)
{
    unsigned payload;

    if (argument_count < 6 || (rounds = (unsigned)atoi(arguments[1])) < 1) {
        fprintf(stderr, "usage: hand_over ROUNDS LAUNCHES CPU CPU PLACE:PAIRS:PAYLOAD...\n");
        return 2;
    }
    trips = calloc(rounds, sizeof *trips);
    if (trips == NULL)
        return 1;
    for (int i = 0; i < 2; ++i)
        sides[i].cpu = (unsigned)atoi(arguments[3 + i]);
    bind_to(sides[0].cpu);
    for (int i = 5; i < argument_count; ++i) {
        const char *last = strrchr(arguments[i], ':');
        uint32_t best = UINT32_MAX;
        if (last == NULL || sscanf(last, ":%u", &payload) != 1 || payload / 16 > VECTORS_MOST) {
            fprintf(stderr, "hand_over: %s is not PLACE:PAIRS:PAYLOAD\n", arguments[i]);
            return 2;
        }
        count = payload / 16 * 4;
        sides[0].wrong = sides[1].wrong = 0;
        for (int repeat = 0; repeat < atoi(arguments[2]); ++repeat) {
            const uint32_t median = launch();
            best = median < best ? median : best;
        }
        printf("%s 1 %u %u\n", arguments[i], best, sides[0].wrong + sides[1].wrong);
    }
    return 0;
}
