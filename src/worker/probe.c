#include "base/clock.h"
#include "core/board.h"
#include "device/cl_status.h"
#include "device/enqueuer.h"
#include "worker/batch.h"
#include "worker/launch.h"

#include <string.h>

enum {
    LOOPS_FIRST = 1000,
    LOOPS_MOST = 10000000,
    LOOPS_USUAL = 100000,             /* drivers that cut loops do so after 65,535 turns */
    LOOPS_LONG_NS = 50000000,         /* the next, ten times longer loop would take too long */
    LOOPS_USUAL_LONG_NS = 1000000000, /* even though it may be that one */
    POLLS_FIRST = 1000,
    POLLS_MOST = 1 << 22,
    POLLS_LONG_NS = 5000000,
    TIMED_LAUNCHES = 3,
    WAIT_PER_POLL = 2, /* a turn of a wait reads two words: that waited for, and the stop word */
    ECHO_GROUPS_PER_UNIT = 64,
    ECHO_GROUPS_MOST = 16384,
    ECHO_FIRST = 1024,
    ECHO_LONG_NS = 200000000, /* long enough for the host to be seen, or not, on a busy machine */
    ECHO_MOST_NS = 400000000,
    ECHO_TRIES = 100, /* at the longest loop that is not cut */
};

/* A launch of `groups` groups of one work-item; without `wait` it is still running on return. */
static int run_groups(struct session *session, uint32_t mode, uint32_t bound, uint32_t groups, bool wait,
                      struct launch_end *end, struct error *error)
{
    struct program *program;
    cl_int code;
    struct program_key key;

    session_key(session, mode == GL_MODE_LOOP ? "loop" : "probe", &key);
    if (session_kernel(session, &key, &program, &code, error) != 0 ||
        board_memory_need(session, &session->board, board_words(groups, 0), error) != 0)
        return -1;
    memset(session->board.copy, 0, board_words(groups, 0) * sizeof *session->board.copy);
    session->board.copy[GL_MODE] = mode;
    session->board.copy[GL_GROUPS] = groups;
    session->board.copy[GL_FUSE_TOTAL] = bound;
    if (board_memory_write(session, &session->board, board_words(groups, 0), error) != 0)
        return -1;
    code = memory_set_argument(&session->board.memory, program->kernel, 0);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clSetKernelArg", code);
    session_stage(session, STAGE_RUNNING);
    enqueuer_launch(session->enqueuer, &(struct launch){.queue = session->queue,
                                                        .kernel = program->kernel,
                                                        .dimensions = 1,
                                                        .global_size = {groups},
                                                        .local_size = {1}});
    if (!wait)
        return 0;
    while (!enqueuer_wait(session->enqueuer, 1000000000u, end))
        ; /* each loop of this kernel is bounded, and the watchdog watches */
    if (end->enqueue_code != CL_SUCCESS)
        return cl_status_error(error, "clEnqueueNDRangeKernel", end->enqueue_code);
    if (end->finish_code != CL_SUCCESS)
        return cl_status_error(error, "clWaitForEvents", end->finish_code);
    session_stage(session, STAGE_READING);
    return board_memory_read(session, &session->board, board_words(groups, 0), false, error);
}

static uint32_t entry_word(const struct session *session, uint32_t field)
{
    const struct board board = {session->board.copy, 1, 0};
    return board_entry(&board, 0, field);
}

/* One group, to its end. */
static int run_probe(struct session *session, uint32_t mode, uint32_t bound, struct launch_end *end,
                     struct error *error)
{
    if (run_groups(session, mode, bound, 1, true, end, error) != 0)
        return -1;
    const uint32_t started = session->board.copy[GL_STARTED];
    if (started > 1)
        return error_set(error, STATUS_SURPRISE, "a kernel was launched once, and its board shows that it ran %u times",
                         started);
    if (entry_word(session, GL_PHASE) != GL_PHASE_DONE || started != 1)
        return error_set(error, STATUS_SURPRISE, "the kernel returned, but its board shows that it did not run");
    return 0;
}

static int probe_dialect(struct session *session, enum dialect dialect, struct error *error)
{
    struct launch_end end;
    const enum dialect before = session->probe.dialect;

    session->probe.dialect = dialect;
    if (run_probe(session, GL_MODE_CANARY, 1, &end, error) != 0)
        return -1;
    session->probe.dialect_works[dialect] = true;
    if (before != DIALECT_NONE)
        session->probe.dialect = before;
    return 0;
}

/* sched_yield by inline assembly, which not every CPU driver takes. */
static int probe_yield(struct session *session, struct error *error)
{
    struct launch_end end;
    session->probe.yield = true;
    return run_probe(session, GL_MODE_CANARY, 1, &end, error);
}

/* The shortest of a few launches: any of them may have waited for its turn on a busy processor. One launch of a loop is
 * enough if it is short, or if no longer one follows. */
static int time_launches(struct session *session, uint32_t mode, uint32_t bound, uint64_t *shortest_ns,
                         struct error *error)
{
    const uint64_t enough_ns = mode != GL_MODE_LOOP ? 0 : bound < LOOPS_MOST ? LOOPS_LONG_NS : UINT64_MAX - 1;
    struct launch_end end;

    *shortest_ns = UINT64_MAX;
    for (int i = 0; *shortest_ns > enough_ns && i < TIMED_LAUNCHES; ++i) {
        if (run_probe(session, mode, bound, &end, error) != 0)
            return -1;
        const uint64_t lasted_ns = end.ended_ns - end.began_ns;
        *shortest_ns = lasted_ns < *shortest_ns ? lasted_ns : *shortest_ns;
    }
    return 0;
}

/* What a poll costs one group alone, from launches that are long beside what launching costs. */
static int measure_poll(struct session *session, struct error *error)
{
    struct device_probe *probe = &session->probe;
    const uint32_t most = probe->loops_cut_at != 0 ? (uint32_t)probe->loops_cut_at / 4 * 3 : POLLS_MOST;
    uint64_t lasted_ns;

    for (uint32_t bound = POLLS_FIRST;; bound *= 4) {
        bound = bound < most ? bound : most;
        if (time_launches(session, GL_MODE_POLL, bound, &lasted_ns, error) != 0)
            return -1;
        probe->poll_ps = lasted_ns * 1000 / bound * WAIT_PER_POLL;
        if (lasted_ns > POLLS_LONG_NS || bound == most)
            return 0;
    }
}

/*
 * Longer and longer loops: where one ends early the driver has cut it. A loop that took long is only
 * the last one if it does so again: the first time it may have waited for its turn.
 */
static int probe_loops(struct session *session, struct error *error)
{
    struct device_probe *probe = &session->probe;
    uint64_t shortest_ns = 0;

    for (uint32_t bound = LOOPS_FIRST; bound <= LOOPS_MOST; bound *= 10) {
        if (shortest_ns > (bound <= LOOPS_USUAL ? LOOPS_USUAL_LONG_NS : LOOPS_LONG_NS))
            break;
        if (time_launches(session, GL_MODE_LOOP, bound, &shortest_ns, error) != 0)
            return -1;
        probe->loops_tried = bound;
        if (entry_word(session, GL_POLLS) < bound) {
            probe->loops_cut_at = entry_word(session, GL_POLLS);
            break;
        }
    }
    return measure_poll(session, error);
}

/* --- channel --- */

/* Watches one echo launch: when the host first saw it beat, and if the stop word ended it. */
struct echo {
    bool seen;
    bool stopped;
    uint64_t poked_ns; /* when the stop word was written */
    uint64_t read_ns;  /* what the read took that first saw the beat */
    uint64_t stop_ns;  /* from the write of the stop word to the end */
};

/* Groups enough to fill the device: some drivers serve a queue with the threads that run groups. */
static uint32_t echo_groups(const struct session *session)
{
    const uint64_t groups = (uint64_t)ECHO_GROUPS_PER_UNIT * session->info.compute_units;
    return groups == 0 ? ECHO_GROUPS_PER_UNIT : groups < ECHO_GROUPS_MOST ? (uint32_t)groups : ECHO_GROUPS_MOST;
}

/* Every group that started was ended by the stop word, and none by its fuse: so it was the host's. */
static bool only_stopped(const struct session *session, uint32_t groups)
{
    const struct board board = {session->board.copy, groups, 0};
    for (uint32_t group = 0; group < groups; ++group)
        if (board_started(&board, group) && board_entry(&board, group, GL_ENDED) != GL_ENDED_STOP)
            return false;
    return board_started(&board, 0);
}

/* One look at the running kernel; the first that sees it beat stops it. */
static int look_at_echo(struct session *session, struct echo *echo, struct error *error)
{
    const uint64_t began_ns = clock_ns();

    if (board_memory_read(session, &session->board, board_words(1, 0), true, error) != 0)
        return -1;
    if (session->board.copy[GL_BEAT] == 0)
        return 0;
    echo->poked_ns = clock_ns();
    echo->read_ns = echo->poked_ns - began_ns;
    echo->seen = true;
    return board_memory_poke(session, &session->board, GL_STOP, GL_STOP_HOST, error);
}

static int watch_echo(struct session *session, uint32_t bound, struct echo *echo, struct error *error)
{
    struct launch_end end;
    int looked = 0;
    const uint32_t groups = echo_groups(session);

    *echo = (struct echo){0};
    if (run_groups(session, GL_MODE_ECHO, bound, groups, false, &end, error) != 0)
        return -1;
    while (!enqueuer_wait(session->enqueuer, 50000, &end)) /* to its end in any case: the worker may go on */
        if (looked == 0 && !echo->seen)
            looked = look_at_echo(session, echo, error);
    if (looked != 0)
        return -1;
    if (end.enqueue_code != CL_SUCCESS || end.finish_code != CL_SUCCESS)
        return cl_status_error(error, "echo", end.enqueue_code != CL_SUCCESS ? end.enqueue_code : end.finish_code);
    if (board_memory_read(session, &session->board, board_words(groups, 0), false, error) != 0)
        return -1;
    echo->stopped = echo->seen && only_stopped(session, groups);
    echo->stop_ns = echo->seen && end.ended_ns > echo->poked_ns ? end.ended_ns - echo->poked_ns : 0;
    return 0;
}

/* The fuse grows until the host is seen, or the kernel ran for long enough without seeing it. */
static int probe_channel(struct session *session, enum channel channel, enum shared_memory memory, struct error *error)
{
    struct device_probe *probe = &session->probe;
    struct launch_end warm;
    struct echo echo;
    uint32_t bound = ECHO_FIRST;
    int tries = ECHO_TRIES;
    const uint32_t most = probe->loops_cut_at != 0 ? (uint32_t)probe->loops_cut_at / 4 * 3 : UINT32_MAX / 8;

    probe->channel = channel;
    probe->memory = memory;
    /* Some drivers compile a kernel when it is first launched: not while its time is taken. */
    if (run_probe(session, GL_MODE_CANARY, 1, &warm, error) != 0)
        return -1;
    for (;;) {
        uint64_t began_ns = clock_ns();
        bound = bound < most ? bound : most;
        if (watch_echo(session, bound, &echo, error) != 0)
            return -1;
        uint64_t lasted_ns = clock_ns() - began_ns;
        if (echo.stopped) {
            probe->read_latency_ns = echo.read_ns;
            probe->stop_latency_ns = echo.stop_ns;
            return 0;
        }
        if (lasted_ns > ECHO_LONG_NS || (bound == most && --tries == 0))
            break;
        bound = bound > most / 4 ? most : lasted_ns * 4 < ECHO_MOST_NS ? bound * 4 : bound * 2;
    }
    probe->channel = CHANNEL_NONE;
    probe->memory = MEMORY_DEVICE;
    return 0;
}

/* A kernel that does nothing else, and a barrier of one group of so many work-items. */
static int run_barrier(struct session *session, uint32_t items, struct error *error)
{
    struct launch_end end;
    struct program *program;
    struct observation observation;
    struct stall_judge judge = {.suspect_ns = UINT64_MAX, .confirm_ns = UINT64_MAX};
    cl_int code;
    const struct trial trial = {
        .footprint = {.local_size = items}, .kind = TRIAL_BARRIER, .groups = 1, .rounds = 1, .repeats = 1};

    if (run_probe(session, GL_MODE_CANARY, 1, &end, error) != 0 ||
        session_limits_kernel(session, &trial.footprint, false, &program, &code, error) != 0)
        return -1;
    const struct launch_plan plan = {
        .trial = &trial, .program = program, .mode = GL_MODE_BARRIER, .fuse_idle = 1024, .fuse_total = 4096};
    if (launch_run(session, &plan, &judge, &observation, error) != 0)
        return -1;
    if (observation.outcome != OUTCOME_ENDED || observation.witnesses != 1)
        return error_set(error, STATUS_HARNESS, "a barrier of one group did not pass");
    return 0;
}

static int probe_groups(struct session *session, struct error *error)
{
    const uint64_t most = session->info.max_local_size;
    return run_barrier(session, most < PROBE_ITEMS ? (uint32_t)most : PROBE_ITEMS, error);
}

static int take_step(struct session *session, enum probe_step step, struct error *error)
{
    switch (step) {
    case PROBE_DIALECT_PTX:
        return probe_dialect(session, DIALECT_PTX, error);
    case PROBE_DIALECT_CL30:
        return probe_dialect(session, DIALECT_CL30, error);
    case PROBE_DIALECT_CL12:
        return probe_dialect(session, DIALECT_CL12, error);
    case PROBE_YIELD:
        return probe_yield(session, error);
    case PROBE_GROUPS:
        return probe_groups(session, error);
    case PROBE_LOOPS:
        return probe_loops(session, error);
    case PROBE_CHANNEL_SVM:
        return probe_channel(session, CHANNEL_SHARED, MEMORY_SVM, error);
    case PROBE_CHANNEL_MAPPED:
        return probe_channel(session, CHANNEL_SHARED, MEMORY_MAPPED, error);
    case PROBE_CHANNEL_QUEUE:
        return probe_channel(session, CHANNEL_QUEUE, MEMORY_DEVICE, error);
    }
    return error_set(error, STATUS_HARNESS, "unknown probe step %d", (int)step);
}

int probe_step(struct session *session, enum probe_step step, struct error *error)
{
    const struct device_probe before = session->probe;

    if (take_step(session, step, error) == 0)
        return 0;
    /* Another try is to meet nothing that this one has made. */
    session->probe = before;
    session_forget_programs(session);
    board_memory_free(session, &session->board);
    return -1;
}

/* --- canary --- */

int probe_canary(struct session *session, struct error *error)
{
    return run_barrier(session, 1, error);
}
