#include "worker/launch.h"

#include "core/board.h"
#include "device/cl_status.h"
#include "device/enqueuer.h"
#include "device/subject.h"
#include "worker/proving.h"
#include "worker/watch.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

int launch_possible(const struct session *session, const struct trial *trial, struct error *error)
{
    const struct footprint *footprint = &trial->footprint;
    uint64_t global_size;

    if (trial->work.kernel[0] != '\0' && !session->probe.dialect_works[trial->dialect])
        return error_set(error, STATUS_UNSUPPORTED, "dialect %s does not work on this device",
                         dialect_name(trial->dialect));
    /* What the driver says of the kernel's own largest work-group is no reason to refuse: some say
     * less than they launch, and refuse by themselves what they cannot. */
    if (footprint->local_memory_bytes > session->info.local_memory_bytes)
        return error_set(error, STATUS_UNSUPPORTED, "%" PRIu64 " bytes of local memory: the device has only %" PRIu64,
                         footprint->local_memory_bytes, session->info.local_memory_bytes);
    if (trial->kind == TRIAL_WORK && footprint->local_size > session->info.max_local_size)
        return error_set(error, STATUS_UNSUPPORTED, "%u work-items in a group: the device allows only %" PRIu64,
                         footprint->local_size, session->info.max_local_size);
    if (trial->groups == 0 || trial->groups > MIRROR_GROUPS || trial_board_words(trial) > MIRROR_WORDS ||
        __builtin_mul_overflow((uint64_t)trial->groups, footprint->local_size, &global_size) ||
        global_size > UINT32_MAX)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "%u groups of %u work-items are too many: at most %d groups and 2^32 - 1 work-items are allowed",
            trial->groups, footprint->local_size, MIRROR_GROUPS);
    if (trial->work.numbers.fuse != 0 && session->probe.channel == CHANNEL_PROOF)
        return error_set(error, STATUS_UNSUPPORTED, "a fuse of its own: loops on a model device have none");
    return 0;
}

static int set_arguments(struct session *session, const struct launch_plan *plan, struct error *error)
{
    const uint64_t local_bytes = plan->trial->footprint.local_memory_bytes;
    cl_kernel kernel = plan->program->kernel;
    if (plan->program->subject != NULL)
        return subject_set_arguments(session, &plan->trial->footprint.subject, plan->program, error);
    cl_int code = memory_set_argument(&session->board.memory, kernel, 0);
    if (code == CL_SUCCESS && local_bytes > 0)
        code = clSetKernelArg(kernel, 1, local_bytes, NULL);
    if (code == CL_SUCCESS && plan->data != NULL)
        code = data_set_arguments(plan->data, kernel);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelArg", code);
}

/*
 * Words behind the board: 0 before a launch, and after it, too, unless the kernel wrote to more words than its header
 * asks for. They have room for 16 flags in lines of their own.
 */
enum { GUARD_WORDS = 16 * GL_LINE };

int launch_prepare(struct session *session, const struct launch_plan *plan, struct error *error)
{
    const struct trial *trial = plan->trial;
    const size_t words = trial_board_words(trial) + GUARD_WORDS;

    /* Buffers are not zeroed, and an old board shows plausible counts for groups that never ran. */
    if (board_memory_need(session, &session->board, words, error) != 0 ||
        board_memory_clear(session, &session->board, words, error) != 0)
        return -1;
    memset(session->board.copy, 0, GL_CONTROL_WORDS * sizeof *session->board.copy);
    session->board.copy[GL_MODE] = plan->mode;
    session->board.copy[GL_GROUPS] = trial->groups;
    session->board.copy[GL_ROUNDS] = trial->rounds;
    session->board.copy[GL_FUSE_IDLE] = plan->fuse_idle;
    session->board.copy[GL_FUSE_TOTAL] = plan->fuse_total;
    session->board.copy[GL_CLOSE_POLLS] = plan->close_polls;
    session->board.copy[GL_PASS] = plan->pass;
    session->board.copy[GL_SEED] = plan->seed;
    session->board.copy[GL_JITTER] = trial->work.numbers.jitter;
    session->board.copy[GL_UNEVEN] = trial->work.numbers.uneven;
    session->board.copy[GL_POLLS_A_MS] = device_polls_a_ms(&session->probe);
    memcpy(&session->board.copy[GL_OWN], trial->work.own, sizeof trial->work.own);
    if (board_memory_write(session, &session->board, GL_CONTROL_WORDS, error) != 0)
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

/* The first word behind the board that the kernel wrote to, or that a group's last wait was for; SIZE_MAX: none. */
static size_t find_beyond(const struct board *board)
{
    const size_t words = board_words(board->groups, board->sync_words);

    for (size_t word = words; word < words + GUARD_WORDS; ++word)
        if (board->words[word] != 0)
            return word;
    for (uint32_t group = 0; group < board->groups; ++group)
        if (board_entry(board, group, GL_WAIT_WORD) >= words)
            return board_entry(board, group, GL_WAIT_WORD);
    return SIZE_MAX;
}

static int check_words(const struct board *board, struct error *error)
{
    const size_t word = find_beyond(board);

    if (word == SIZE_MAX)
        return 0;
    return error_set(error, STATUS_USAGE,
                     "the kernel uses word %zu of those by which its groups synchronize, and its header asks for %u "
                     "('words')",
                     word - GL_SYNC(board->groups), board->sync_words);
}

void launch_take_codes(struct observation *observation, const struct launch_end *end)
{
    observation->duration_ns = end->ended_ns - end->began_ns;
    observation->device_ns = end->device_ns;
    if (end->enqueue_code == CL_SUCCESS && end->finish_code == CL_SUCCESS)
        return;
    observation->outcome = cl_launch_outcome(end->enqueue_code, end->finish_code);
    observation->code = end->enqueue_code != CL_SUCCESS ? end->enqueue_code : end->finish_code;
}

int launch_read_end(struct session *session, const struct launch_plan *plan, struct observation *observation,
                    struct error *error)
{
    const struct board board = trial_board(plan->trial, session->board.copy);
    const size_t words = trial_board_words(plan->trial);
    session_stage(session, STAGE_READING);
    if (board_memory_read(session, &session->board, words + GUARD_WORDS, false, error) != 0) {
        observation->outcome = OUTCOME_DEVICE_LOST;
        return 0;
    }
    launch_mirror_board(session, session->mirror->live, words, &session->mirror->live_words);
    if (check_words(&board, error) != 0)
        return -1;
    observation_read(observation, plan->trial, &board, NULL);
    return 0;
}

struct launch launch_over(const struct session *session, cl_kernel kernel, const struct trial *trial)
{
    const struct nd_range row = {.dimensions = 1, .local = {trial->groups, 1, 1}};
    const struct nd_range one = {.dimensions = 1, .local = {trial->footprint.local_size, 1, 1}};
    const struct subject *subject = &trial->footprint.subject;
    const struct nd_range in_row = nd_range_of_groups(&row, subject->file[0] != '\0' ? &subject->shape : &one);
    const struct nd_range *range = trial->work.range.dimensions != 0 ? &trial->work.range : &in_row;
    struct launch launch = {.queue = session->queue, .kernel = kernel, .dimensions = range->dimensions};

    for (uint32_t i = 0; i < range->dimensions; ++i) {
        launch.global_size[i] = range->global[i];
        launch.global_offset[i] = range->offset[i];
        launch.local_size[i] = range->local[i];
    }
    return launch;
}

void launch_enqueue(const struct session *session, const struct launch_plan *plan)
{
    const struct launch launch = launch_over(session, plan->program->kernel, plan->trial);
    enqueuer_launch(session->enqueuer, &launch);
}

int launch_run(struct session *session, const struct launch_plan *plan, struct stall_judge *judge,
               struct observation *observation, struct error *error)
{
    struct launch_end end;
    bool ended = false;
    struct watch watch = {.session = session, .plan = plan, .judge = judge, .observation = observation};

    *observation = (struct observation){.outcome = OUTCOME_ENDED, .groups = plan->trial->groups};
    watch_begin(&watch);
    if (launch_prepare(session, plan, error) != 0)
        return -1;
    session_stage(session, STAGE_RUNNING);
    launch_enqueue(session, plan);
    const int watched = watch_run(&watch, &end, &ended, error);
    turns_fini(&watch.turns);
    proving_end();
    if (watched != 0)
        return -1;
    if (!ended)
        return 0;
    launch_take_codes(observation, &end);
    if (plan->mode == GL_MODE_CENSUS)
        observation->close_ns = watch.closed ? plan->close_ns : 0;
    else
        observation->gap_ns = judge->gap_ns;
    if (observation->outcome != OUTCOME_ENDED && observation->outcome != OUTCOME_INTERRUPTED)
        return 0;
    if (launch_read_end(session, plan, observation, error) != 0)
        return -1;
    if (observation->board_read && plan->mode != GL_MODE_CENSUS)
        watch_conclude(&watch, observation->duration_ns);
    return 0;
}
