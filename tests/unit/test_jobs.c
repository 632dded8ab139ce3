#include "host/jobs.h"

#include "harness.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { JOBS = 6, DEADLINE_MS = 60000 };

/* What the jobs and their parent share. */
struct board {
    _Atomic uint32_t begun, running, most_at_once, beside_alone;
    _Atomic uint32_t order[JOBS]; /* the turn in which each was begun, from 1 */
    uint32_t wanted;              /* jobs that must run at the same time before any ends; 0: none */
    uint32_t alone;               /* bits: jobs that want no other beside them */
    uint32_t doomed;              /* bits: jobs that fail, in the way of `doom` */
    enum doom { FAIL_DEVICE, FAIL_TOOL, FAIL_KILLED, FAIL_EXIT } doom;
    size_t ended; /* as the parent was told last */
};

static struct board *board;

static void new_board(void)
{
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(board, MAP_FAILED);
}

static bool is_alone(void *context, size_t job)
{
    (void)context;
    return (board->alone >> job & 1) != 0;
}

/* 0 if it does not come true. */
static int wait_for(const _Atomic uint32_t *word, uint32_t least)
{
    for (int ms = 0; ms < DEADLINE_MS; ++ms) {
        if (atomic_load(word) >= least)
            return 1;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return 0;
}

static int end_badly(struct error *error)
{
    switch (board->doom) {
    case FAIL_DEVICE:
        return error_set(error, STATUS_NO_DEVICE, "device");
    case FAIL_TOOL:
        return error_set(error, STATUS_HARNESS, "tool");
    case FAIL_KILLED:
        raise(SIGKILL);
        return 0;
    case FAIL_EXIT:
        _exit(9);
    }
    return 0;
}

static int run(void *context, size_t job, struct error *error)
{
    (void)context;
    const uint32_t at_once = atomic_fetch_add(&board->running, 1) + 1;
    atomic_store(&board->order[job], atomic_fetch_add(&board->begun, 1) + 1);
    if (at_once > atomic_load(&board->most_at_once))
        atomic_store(&board->most_at_once, at_once);
    if (at_once > 1 && is_alone(NULL, job))
        atomic_store(&board->beside_alone, 1);
    int outcome = wait_for(&board->begun, board->wanted) ? 0 : error_set(error, STATUS_HARNESS, "they did not meet");
    if (outcome == 0 && (board->doomed >> job & 1) != 0)
        outcome = end_badly(error);
    atomic_fetch_sub(&board->running, 1);
    return outcome;
}

static void waiting(void *context, size_t ended)
{
    (void)context;
    board->ended = ended;
}

static void run_jobs(uint32_t most, struct job_end ends[JOBS])
{
    const struct jobs jobs = {.count = JOBS, .most = most, .is_alone = is_alone, .run = run, .waiting = waiting};

    memset(ends, 0, JOBS * sizeof *ends);
    jobs_run(&jobs, ends);
}

START_TEST(all_run_at_the_same_time)
{
    struct job_end ends[JOBS];

    new_board();
    board->wanted = JOBS;
    run_jobs(JOBS, ends);
    for (size_t job = 0; job < JOBS; ++job) {
        ck_assert(ends[job].begun);
        ck_assert_msg(ends[job].outcome == 0, "%s", ends[job].error.text);
    }
    ck_assert_uint_eq(board->ended, JOBS);
}
END_TEST

START_TEST(no_more_run_at_a_time_than_allowed)
{
    struct job_end ends[JOBS];

    new_board();
    run_jobs(2, ends);
    ck_assert_uint_le(board->most_at_once, 2);
    ck_assert_uint_eq(board->begun, JOBS);
}
END_TEST

START_TEST(one_at_a_time_is_in_order)
{
    struct job_end ends[JOBS];

    new_board();
    run_jobs(1, ends);
    for (uint32_t job = 0; job < JOBS; ++job)
        ck_assert_uint_eq(board->order[job], job + 1);
}
END_TEST

START_TEST(one_that_is_alone_has_none_beside_it)
{
    struct job_end ends[JOBS];

    new_board();
    board->alone = 0x12;
    run_jobs(JOBS, ends);
    ck_assert_uint_eq(board->beside_alone, 0);
    ck_assert_uint_eq(board->begun, JOBS);
}
END_TEST

START_TEST(failure_of_a_device_costs_the_others_nothing)
{
    struct job_end ends[JOBS];

    new_board();
    board->doomed = 1;
    board->doom = FAIL_DEVICE;
    run_jobs(1, ends);
    ck_assert_uint_eq(board->begun, JOBS);
    ck_assert_int_eq(ends[0].outcome, -1);
    ck_assert_int_eq(ends[0].error.status, STATUS_NO_DEVICE);
    ck_assert_str_eq(ends[0].error.text, "device");
    for (size_t job = 1; job < JOBS; ++job)
        ck_assert_int_eq(ends[job].outcome, 0);
}
END_TEST

START_TEST(none_is_begun_after_a_failure_of_the_tool)
{
    struct job_end ends[JOBS];

    new_board();
    board->doomed = 2;
    board->doom = FAIL_TOOL;
    run_jobs(1, ends);
    ck_assert_uint_eq(board->begun, 2);
    ck_assert_int_eq(ends[0].outcome, 0);
    ck_assert_int_eq(ends[1].outcome, -1);
    ck_assert(!ends[2].begun);
}
END_TEST

/* The process of the first job dies so, and what is told of it. */
static void assert_named(enum doom doom, const char *words)
{
    struct job_end ends[JOBS];

    new_board();
    board->doomed = 1;
    board->doom = doom;
    board->wanted = JOBS;
    run_jobs(JOBS, ends);
    ck_assert_int_eq(ends[0].outcome, -1);
    ck_assert_int_eq(ends[0].error.status, STATUS_HARNESS);
    ck_assert_ptr_nonnull(strstr(ends[0].error.text, words));
    for (size_t job = 1; job < JOBS; ++job)
        ck_assert_int_eq(ends[job].outcome, 0);
}

START_TEST(process_that_is_killed_is_named)
{
    assert_named(FAIL_KILLED, "signal 9");
}
END_TEST

START_TEST(process_that_leaves_is_named)
{
    assert_named(FAIL_EXIT, "exit status 9");
}
END_TEST

HARNESS_MAIN("jobs", all_run_at_the_same_time, no_more_run_at_a_time_than_allowed, one_at_a_time_is_in_order,
             one_that_is_alone_has_none_beside_it, failure_of_a_device_costs_the_others_nothing,
             none_is_begun_after_a_failure_of_the_tool, process_that_is_killed_is_named, process_that_leaves_is_named)
