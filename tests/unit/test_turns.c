/* Whether each thread of the process has had a turn on a processor. */
#include "base/turns.h"

#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TURN_NS = 50 * 1000 };

static atomic_bool over;

static void *spin(void *ignored)
{
    (void)ignored;
    while (!atomic_load(&over))
        ;
    return NULL;
}

static void *sleep_on(void *ignored)
{
    (void)ignored;
    while (!atomic_load(&over))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return NULL;
}

static pthread_t begin(void *(*run)(void *ignored))
{
    pthread_t thread;
    atomic_store(&over, false);
    ck_assert_int_eq(pthread_create(&thread, NULL, run, NULL), 0);
    return thread;
}

static void end(pthread_t thread)
{
    atomic_store(&over, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* However long that takes: the test's own deadline ends it. */
static void wait_for_turns(struct turns *turns)
{
    while (!turns_had(turns, TURN_NS))
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

START_TEST(alone_there_is_nobody_to_wait_for)
{
    struct turns turns = {.begun = false};

    ck_assert(turns_had(&turns, TURN_NS));
    turns_fini(&turns);
}
END_TEST

START_TEST(a_thread_that_sleeps_needs_no_turn)
{
    const pthread_t thread = begin(sleep_on);
    struct turns turns = {.begun = false};

    wait_for_turns(&turns);
    turns_fini(&turns);
    end(thread);
}
END_TEST

/* Whether at some call it was waited for; at a single one it may have run meanwhile. */
static bool is_waited_for(void)
{
    bool had = true;

    for (int i = 0; i < 1000 && had; ++i) {
        struct turns turns = {.begun = false};
        had = turns_had(&turns, TURN_NS);
        turns_fini(&turns);
    }
    return !had;
}

START_TEST(a_thread_that_runs_must_have_had_a_turn)
{
    const pthread_t thread = begin(spin);
    struct turns turns = {.begun = false};

    ck_assert(is_waited_for());
    wait_for_turns(&turns);
    turns_fini(&turns);
    end(thread);
}
END_TEST

static uint64_t ran_ns(pthread_t thread)
{
    clockid_t clock;
    struct timespec time;

    ck_assert_int_eq(pthread_getcpuclockid(thread, &clock), 0);
    ck_assert_int_eq(clock_gettime(clock, &time), 0);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

START_TEST(a_turn_is_as_long_as_was_asked)
{
    enum { LONG_NS = 200 * 1000 * 1000 };
    const pthread_t thread = begin(spin);
    struct turns turns = {.begun = false};
    const uint64_t began_ns = ran_ns(thread);

    while (!turns_had(&turns, LONG_NS))
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    ck_assert_uint_ge(ran_ns(thread) - began_ns, LONG_NS);
    turns_fini(&turns);
    end(thread);
}
END_TEST

/* Behind this one, on the same processor. */
START_TEST(a_thread_that_waits_for_a_processor_is_waited_for)
{
    cpu_set_t one;
    struct turns turns = {.begun = false};

    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    const pthread_t thread = begin(spin);
    ck_assert_int_eq(pthread_setschedparam(thread, SCHED_IDLE, &(struct sched_param){0}), 0);
    ck_assert(is_waited_for());
    wait_for_turns(&turns);
    turns_fini(&turns);
    end(thread);
}
END_TEST

static pid_t begin_process(void (*run)(void))
{
    const pid_t process = fork();

    ck_assert_int_ge(process, 0);
    if (process == 0) {
        alarm(600);
        for (;;)
            run();
    }
    return process;
}

static void go_on(void)
{
}

static void sleep_once(void)
{
    pause();
}

/* Whether it was waited for until it had this turn, which it gets however busy the machine is. */
static bool another_had(void (*run)(void), uint64_t least_ns, int calls)
{
    struct turns turns = {.process = begin_process(run)};
    bool had = false;

    for (int i = 0; (calls == 0 || i < calls) && !had; ++i) {
        had = turns_had(&turns, least_ns);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    turns_fini(&turns);
    ck_assert_int_eq(kill(turns.process, SIGKILL), 0);
    ck_assert_int_eq(waitpid(turns.process, NULL, 0), turns.process);
    return had;
}

START_TEST(threads_of_another_process_are_waited_for)
{
    const uint64_t hour_ns = UINT64_C(3600) * 1000000000;

    ck_assert(another_had(go_on, TURN_NS, 0));
    ck_assert(!another_had(go_on, hour_ns, 20));
    ck_assert(another_had(sleep_once, hour_ns, 0));
}
END_TEST

START_TEST(of_a_process_that_is_none_nobody_is_waited_for)
{
    struct turns turns = {.process = begin_process(sleep_once)};

    ck_assert_int_eq(kill(turns.process, SIGKILL), 0);
    ck_assert_int_eq(waitpid(turns.process, NULL, 0), turns.process);
    ck_assert(turns_had(&turns, TURN_NS));
    turns_fini(&turns);
}
END_TEST

HARNESS_MAIN("turns", alone_there_is_nobody_to_wait_for, a_thread_that_sleeps_needs_no_turn,
             a_thread_that_runs_must_have_had_a_turn, a_turn_is_as_long_as_was_asked,
             a_thread_that_waits_for_a_processor_is_waited_for, threads_of_another_process_are_waited_for,
             of_a_process_that_is_none_nobody_is_waited_for)
