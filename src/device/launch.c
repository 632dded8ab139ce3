#include "device/launch.h"

#include "core/board.h"
#include "core/clock.h"
#include "device/cl_status.h"
#include "device/enqueuer.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

enum {
    SAMPLE_NS = 200 * 1000, /* least time between two samples; or as long as the last one took */
    SMALL_BOARD_WORDS = 1 << 14,
    WHOLE_NS = 20 * 1000000,     /* between two readings of a large board for its progress */
    UNSAMPLED_NS = 50 * 1000000, /* between looks for an interruption, without a channel */
};

/* The running launch, as the sampling loop sees it. */
struct watch {
    struct session *session;
    const struct launch_plan *plan;
    struct stall_judge *judge;
    struct observation *observation;
    size_t sampled_words; /* of the board, each time */
    uint64_t cost_ns;     /* of the last sample */
    bool stopped;         /* the stop word was written */
    bool closed;          /* the census was asked to close */
    bool looked;          /* the whole board was read since the last change, and had this digest */
    uint64_t digest;
    /* Progress of a scenario's kernel: when the whole board was read last, and when it had come further. */
    uint64_t progress;
    uint64_t whole_ns;
    uint64_t moved_ns;
    /* Arrivals of a census. */
    uint32_t arrivals;
    uint64_t arrived_ns;
};

enum outcome launch_possible(const struct session *session, const struct trial *trial, struct error *error)
{
    const struct footprint *footprint = &trial->footprint;
    uint64_t global_size;

    /* What the driver says of the kernel's own largest work-group is no reason to refuse: some say
     * less than they launch, and refuse by themselves what they cannot. */
    if (footprint->local_memory_bytes > session->info.local_memory_bytes) {
        error_set(error, STATUS_UNSUPPORTED, "%" PRIu64 " bytes of local memory: the device has %" PRIu64,
                  footprint->local_memory_bytes, session->info.local_memory_bytes);
        return OUTCOME_UNSUPPORTED;
    }
    if (trial->estimator == ESTIMATOR_WORK && footprint->local_size > session->info.max_local_size) {
        error_set(error, STATUS_UNSUPPORTED, "%u work-items in a group: the device allows %" PRIu64,
                  footprint->local_size, session->info.max_local_size);
        return OUTCOME_UNSUPPORTED;
    }
    if (trial->groups == 0 || trial->groups > MIRROR_GROUPS || trial_board_words(trial) > MIRROR_WORDS ||
        __builtin_mul_overflow((uint64_t)trial->groups, footprint->local_size, &global_size) ||
        global_size > UINT32_MAX) {
        error_set(error, STATUS_UNSUPPORTED,
                  "%u groups of %u work-items are too many: %d groups and 2^32 - 1 work-items are allowed",
                  trial->groups, footprint->local_size, MIRROR_GROUPS);
        return OUTCOME_UNSUPPORTED;
    }
    return OUTCOME_ENDED;
}

static int set_arguments(struct session *session, const struct launch_plan *plan, struct error *error)
{
    const uint64_t local_bytes = plan->trial->footprint.local_memory_bytes;
    cl_kernel kernel = plan->program->kernel;
    cl_int code = board_memory_set_argument(&session->board, kernel);
    if (code == CL_SUCCESS && local_bytes > 0)
        code = clSetKernelArg(kernel, 1, local_bytes, NULL);
    if (code == CL_SUCCESS && plan->data != NULL)
        code = data_set_arguments(plan->data, kernel);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelArg", code);
}

static int prepare(struct session *session, const struct launch_plan *plan, struct error *error)
{
    const struct trial *trial = plan->trial;

    if (board_memory_need(session, &session->board, trial_board_words(trial), error) != 0)
        return -1;
    /* Buffers are not zeroed, and an old board shows plausible counts for groups that never ran. */
    memset(session->board.copy, 0, trial_board_words(trial) * sizeof *session->board.copy);
    session->board.copy[GL_MODE] = plan->mode;
    session->board.copy[GL_GROUPS] = trial->groups;
    session->board.copy[GL_ROUNDS] = trial->rounds;
    session->board.copy[GL_FUSE_IDLE] = plan->fuse_idle;
    session->board.copy[GL_FUSE_TOTAL] = plan->fuse_total;
    session->board.copy[GL_CLOSE_POLLS] = plan->close_polls;
    session->board.copy[GL_PASS] = plan->pass;
    session->board.copy[GL_SEED] = plan->seed;
    session->board.copy[GL_JITTER] = trial->work.jitter;
    session->board.copy[GL_UNEVEN] = trial->work.uneven;
    memcpy(&session->board.copy[GL_OWN], trial->work.own, sizeof trial->work.own);
    if (board_memory_write(session, &session->board, trial_board_words(trial), error) != 0)
        return -1;
    if (plan->data != NULL && plan->pass == 0 && data_write(session, plan->data, error) != 0)
        return -1;
    return set_arguments(session, plan, error);
}

void launch_mirror_board(const struct session *session, uint32_t *area, size_t words, _Atomic uint32_t *counter)
{
    atomic_store_explicit(counter, 0, memory_order_release);
    memcpy(area, session->board.copy, words * sizeof *area);
    atomic_store_explicit(counter, (uint32_t)words, memory_order_release);
}

static int read_and_mirror(struct session *session, const struct trial *trial, bool running, struct error *error)
{
    const size_t words = trial_board_words(trial);
    if (board_memory_read(session, &session->board, words, running, error) != 0)
        return -1;
    launch_mirror_board(session, mirror_live(session->mirror), words, &session->mirror->live_words);
    return 0;
}

static int stop(struct watch *watch, struct error *error)
{
    session_stage(watch->session, STAGE_STOPPING);
    watch->stopped = true;
    return board_memory_poke(watch->session, &watch->session->board, GL_STOP, GL_STOP_HOST, error);
}

/* The stall judge has decided: what the board says now is the evidence. */
static int judged(struct watch *watch, struct error *error)
{
    const struct trial *trial = watch->plan->trial;
    const struct board board = trial_board(trial, watch->session->board.copy);
    struct observation live = {.outcome = OUTCOME_LEFT_RUNNING, .judged = true, .confirmed = true};

    live.relapsed = watch->judge->relapsed;
    live.gap_ns = watch->judge->gap_ns;
    if (observation_read(&live, trial, &board, error) != 0)
        return -1;
    watch->observation->judged = true;
    watch->observation->confirmed = true;
    if (watch->plan->suspect != NULL)
        watch->plan->suspect(watch->plan->context, &live);
    if (trial->live) {
        *watch->observation = live;
        return 0;
    }
    return stop(watch, error);
}

static int sample_census(struct watch *watch, uint64_t now_ns, struct error *error)
{
    const uint32_t arrivals = watch->session->board.copy[GL_CENSUS] & ~GL_CLOSED;

    if (arrivals == 0 || watch->closed)
        return 0;
    if (arrivals != watch->arrivals) {
        uint64_t gap_ns = now_ns - watch->arrived_ns;
        if (watch->arrivals != 0 && gap_ns > watch->observation->gap_ns)
            watch->observation->gap_ns = gap_ns;
        watch->arrivals = arrivals;
        watch->arrived_ns = now_ns;
        return 0;
    }
    if (now_ns - watch->arrived_ns < watch->plan->close_ns)
        return 0;
    watch->closed = true;
    return board_memory_poke(watch->session, &watch->session->board, GL_CLOSE, 1, error);
}

/* Reads the whole board, to see what the control words do not tell. */
static int look(struct watch *watch, uint64_t *digest, struct error *error)
{
    const struct board board = trial_board(watch->plan->trial, watch->session->board.copy);
    if (read_and_mirror(watch->session, watch->plan->trial, true, error) != 0)
        return -1;
    *digest = board_digest(&board);
    return 0;
}

/*
 * A small board of a scenario's kernel is read at each sample. Of others the control words are, and the whole board only twice in a stall: halfway through
 * the time that it must stand, and at its end. It must be the same both times. And no group may be
 * able to go on: one that runs, or has what it waits for, may only wait for its turn on a processor.
 */
static int sample_stall(struct watch *watch, uint64_t now_ns, struct error *error)
{
    struct stall_judge *judge = watch->judge;
    const struct board board = trial_board(watch->plan->trial, watch->session->board.copy);
    const uint64_t before_ns = judge->changed_ns;
    const uint32_t started = board.words[GL_STARTED];
    uint64_t digest;

    const bool whole = watch->sampled_words > GL_CONTROL_WORDS;
    const uint64_t sampled = whole ? board_digest(&board) : board_control_digest(&board);
    const enum stall_advice advice = stall_sample(judge, now_ns, sampled, started);
    if (judge->changed_ns != before_ns)
        watch->looked = false;
    if (advice == STALL_WAIT || (advice == STALL_LOOK && watch->looked))
        return 0;
    if (look(watch, &digest, error) != 0)
        return -1;
    const bool compared = watch->looked;
    const bool same = compared && digest == watch->digest;
    watch->digest = digest;
    watch->looked = true;
    if (advice == STALL_LOOK)
        return 0;
    if (!same)
        stall_refute(judge, clock_ns(), compared);
    else if (stall_decide(judge, now_ns, started, board_blocked(&board)))
        return judged(watch, error);
    return 0;
}

/*
 * Each sample of a small board tells of progress; a large one is read for it now and then. A launch that changes without
 * any for long enough is ended.
 */
static int sample_progress(struct watch *watch, uint64_t now_ns, struct error *error)
{
    const struct trial *trial = watch->plan->trial;
    const struct board board = trial_board(trial, watch->session->board.copy);

    if (watch->sampled_words == GL_CONTROL_WORDS) {
        if (now_ns - watch->whole_ns < WHOLE_NS)
            return 0;
        if (read_and_mirror(watch->session, trial, true, error) != 0)
            return -1;
    }
    watch->whole_ns = now_ns;
    const uint64_t progress = board_progress(&board);
    if (progress != watch->progress || watch->moved_ns == 0)
        watch->moved_ns = now_ns;
    watch->progress = progress;
    if (trial->live || !stall_churns(watch->judge, now_ns, watch->moved_ns))
        return 0;
    watch->observation->churned = true;
    return stop(watch, error);
}

static int sample(struct watch *watch, struct error *error)
{
    struct session *session = watch->session;
    uint64_t began_ns = clock_ns();

    if (board_memory_read(session, &session->board, watch->sampled_words, true, error) != 0)
        return -1;
    uint64_t now_ns = clock_ns();
    watch->cost_ns = now_ns - began_ns;
    if (watch->plan->mode == GL_MODE_CENSUS)
        return sample_census(watch, now_ns, error);
    if (watch->stopped)
        return 0;
    if (sample_stall(watch, now_ns, error) != 0)
        return -1;
    if (watch->stopped)
        return 0;
    return watch->plan->mode == GL_MODE_WORK ? sample_progress(watch, now_ns, error) : 0;
}

/* Waits for the end, sampling. True in *ended unless the kernel was left running. */
static int watch_launch(struct watch *watch, struct launch_end *end, bool *ended, struct error *error)
{
    struct session *session = watch->session;
    const bool live = watch->plan->trial->live;
    const bool sampled = session->probe.channel != CHANNEL_NONE;

    for (;;) {
        uint64_t pause_ns = !sampled ? UNSAMPLED_NS : watch->cost_ns;
        *ended = enqueuer_wait(session->enqueuer, pause_ns > SAMPLE_NS ? pause_ns : SAMPLE_NS, end);
        if (*ended)
            return 0;
        if (!watch->stopped && session_is_interrupted(session)) {
            watch->observation->outcome = OUTCOME_INTERRUPTED;
            if (live)
                return 0; /* it does not look at the stop word */
            if (sampled && stop(watch, error) != 0)
                return -1;
            watch->stopped = true;
        }
        if (sampled && sample(watch, error) != 0)
            return -1;
        if (watch->observation->outcome == OUTCOME_LEFT_RUNNING)
            return 0;
    }
}

static void take_codes(struct observation *observation, const struct launch_end *end)
{
    observation->duration_ns = end->ended_ns - end->began_ns;
    observation->device_ns = end->device_ns;
    if (end->enqueue_code == CL_SUCCESS && end->finish_code == CL_SUCCESS)
        return;
    observation->outcome = cl_launch_outcome(end->enqueue_code, end->finish_code);
    observation->code = end->enqueue_code != CL_SUCCESS ? end->enqueue_code : end->finish_code;
}

/*
 * A launch that spun tells what a poll costs here, under this contention. A scenario's kernel may do other things
 * than poll; it tells only if it stalled, and so did little else.
 */
static void note_poll(struct session *session, const struct trial *trial, const struct observation *observation)
{
    enum { POLLS_THAT_TELL = 4096 };
    if (observation->polls < POLLS_THAT_TELL || (trial->estimator == ESTIMATOR_WORK && !observation->judged))
        return;
    uint64_t lasted_ns = observation->device_ns != 0 ? observation->device_ns : observation->duration_ns;
    uint64_t poll_ps = lasted_ns / observation->polls * 1000;
    if (poll_ps > session->worst_poll_ps)
        session->worst_poll_ps = poll_ps;
}

static int read_end(struct session *session, const struct launch_plan *plan, struct observation *observation,
                    struct error *error)
{
    const struct board board = trial_board(plan->trial, session->board.copy);
    session_stage(session, STAGE_READING);
    if (read_and_mirror(session, plan->trial, false, error) != 0) {
        observation->outcome = OUTCOME_DEVICE_LOST;
        return 0;
    }
    if (observation_read(observation, plan->trial, &board, error) != 0)
        return -1;
    note_poll(session, plan->trial, observation);
    return 0;
}

/* The launch came further after the last sample, which on a busy machine may be long ago: then it was not still. */
static void note_late_progress(struct watch *watch, uint64_t ended_ns)
{
    const struct board board = trial_board(watch->plan->trial, watch->session->board.copy);
    if (watch->moved_ns != 0 && watch->observation->board_read && board_progress(&board) != watch->progress)
        watch->moved_ns = ended_ns - 1;
}

static void enqueue(const struct session *session, const struct launch_plan *plan)
{
    const struct trial *trial = plan->trial;
    const struct nd_range *range = &trial->work.range;
    struct launch launch = {
        .queue = session->queue,
        .kernel = plan->program->kernel,
        .dimensions = 1,
        .global_size = {(size_t)trial->groups * trial->footprint.local_size},
        .local_size = {trial->footprint.local_size},
    };
    if (range->dimensions != 0)
        launch.dimensions = range->dimensions;
    for (uint32_t i = 0; i < range->dimensions; ++i) {
        launch.global_size[i] = range->global[i];
        launch.local_size[i] = range->local[i];
    }
    enqueuer_launch(session->enqueuer, &launch);
}

int launch_run(struct session *session, const struct launch_plan *plan, struct stall_judge *judge,
               struct observation *observation, struct error *error)
{
    struct launch_end end;
    bool ended = false;
    struct watch watch = {.session = session, .plan = plan, .judge = judge, .observation = observation};
    const size_t words = trial_board_words(plan->trial);

    watch.sampled_words =
        plan->trial->estimator == ESTIMATOR_WORK && words <= SMALL_BOARD_WORDS ? words : GL_CONTROL_WORDS;
    *observation = (struct observation){.outcome = OUTCOME_ENDED, .groups = plan->trial->groups};
    stall_begin(judge);
    if (prepare(session, plan, error) != 0)
        return -1;
    session_stage(session, STAGE_RUNNING);
    enqueue(session, plan);
    if (watch_launch(&watch, &end, &ended, error) != 0)
        return -1;
    if (!ended)
        return 0;
    take_codes(observation, &end);
    observation->relapsed = judge->relapsed;
    if (plan->mode == GL_MODE_CENSUS)
        observation->close_ns = watch.closed ? plan->close_ns : 0;
    else
        observation->gap_ns = judge->gap_ns;
    if (observation->outcome == OUTCOME_ENDED || observation->outcome == OUTCOME_INTERRUPTED) {
        if (read_end(session, plan, observation, error) != 0)
            return -1;
        note_late_progress(&watch, end.ended_ns);
    }
    if (watch.moved_ns != 0 && end.ended_ns > watch.moved_ns)
        observation->still_ns = end.ended_ns - watch.moved_ns;
    return 0;
}
