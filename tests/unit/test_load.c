/* Whose work is the run's own: what its processes and their descendants do, and nothing else. */
#include "host/load.h"

#include "harness.h"
#include "host/jobs.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORK_MS = 400, UNIT_MS = 10, DEADLINE_MS = 60000 };

/* Who works between the two times that a process of the run looks. */
enum who { NOBODY, SIBLING, ITS_COMPILER, OWN_COMPILER, STRANGER };

struct board {
    _Atomic uint32_t looked, worked, over; /* the first look is over; so is the work; and the second look */
    _Atomic uint64_t grown_us;             /* what the run has used meanwhile, as it says itself */
};

static struct board *board;
static enum who who;

static void await(const _Atomic uint32_t *word)
{
    for (int ms = 0; ms < DEADLINE_MS && atomic_load(word) == 0; ++ms)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Processor time, however long that takes beside others. */
static void work(void)
{
    struct timespec used;

    await(&board->looked);
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < WORK_MS);
    atomic_store(&board->worked, 1);
}

/* One that goes on living until it is killed, so that nobody has waited for it when the run looks; its child works. */
static pid_t start_worker(int generations)
{
    const pid_t child = fork();

    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (generations > 1)
        start_worker(generations - 1);
    else
        work();
    for (;;)
        pause();
}

static void end_worker(pid_t child)
{
    kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
}

static void look(void)
{
    struct load before, after;

    if (!load_read(&before))
        return;
    atomic_store(&board->looked, 1);
    if (who == NOBODY)
        atomic_store(&board->worked, 1);
    await(&board->worked);
    if (load_read(&after))
        atomic_store(&board->grown_us, 1 + after.own_us - before.own_us);
}

/* The first one looks; the second is its sibling, with a worker as a driver has. */
static int run(void *context, size_t job, struct error *error)
{
    (void)context;
    (void)error;
    if (job == 0) {
        const pid_t child = who == OWN_COMPILER ? start_worker(2) : 0;
        look();
        atomic_store(&board->over, 1);
        if (child != 0)
            end_worker(child);
    } else if (who == SIBLING) {
        work();
    } else if (who == ITS_COMPILER) {
        const pid_t child = start_worker(2);
        await(&board->over);
        end_worker(child);
    }
    return 0;
}

static bool is_alone(void *context, size_t job)
{
    (void)context;
    (void)job;
    return false;
}

static void nothing(void *context, size_t ended)
{
    (void)context;
    (void)ended;
}

/* In a process of its own, so that what this one starts is no part of the run. */
static void measure(void)
{
    const struct jobs jobs = {.count = 2, .most = 2, .is_alone = is_alone, .run = run, .waiting = nothing};
    struct job_end ends[2] = {{.outcome = 0}};
    const pid_t run_process = fork();

    if (run_process == 0) {
        jobs_run(&jobs, ends);
        _exit(0);
    }
    const pid_t stranger = who == STRANGER ? start_worker(2) : 0;
    (void)waitpid(run_process, NULL, 0);
    if (stranger != 0)
        end_worker(stranger);
}

/* What the run says that it has used; false: this system does not tell. */
static bool measured_ms(enum who working, uint64_t *ms)
{
    who = working;
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(board, MAP_FAILED);
    measure();
    const bool looked = atomic_load(&board->looked) != 0;
    ck_assert(!looked || atomic_load(&board->grown_us) > 0);
    *ms = atomic_load(&board->grown_us) / 1000;
    munmap(board, sizeof *board);
    return looked;
}

START_TEST(run_and_what_it_starts_are_its_own)
{
    static const enum who own[] = {SIBLING, ITS_COMPILER, OWN_COMPILER};
    uint64_t ms;

    for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
        if (measured_ms(own[i], &ms))
            ck_assert_msg(ms >= WORK_MS - 2 * UNIT_MS, "%d: %d ms", (int)own[i], (int)ms);
}
END_TEST

START_TEST(others_are_not)
{
    static const enum who others[] = {NOBODY, STRANGER};
    uint64_t ms;

    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (measured_ms(others[i], &ms))
            ck_assert_msg(ms < WORK_MS / 2, "%d: %d ms", (int)others[i], (int)ms);
}
END_TEST

HARNESS_MAIN("load", run_and_what_it_starts_are_its_own, others_are_not)
