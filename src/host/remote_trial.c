/* A trial of launches, which leave boards, samples and schedules in the page that is shared with the worker. */
#include "host/remote_request.h"

#include "base/clock.h"
#include "core/board.h"
#include "host/leaving.h"

#include <string.h>

/* A trial that a worker was asked for. */
struct asked_trial {
    struct remote *remote;
    const struct trial *trial;
    struct remote_result *result;
};

static const uint32_t *evidence_of(struct remote *remote, const struct trial *trial)
{
    struct mirror *mirror = supervisor_mirror(remote->supervisor);
    return atomic_load(&mirror->evidence_words) == trial_board_words(trial) ? mirror->evidence : NULL;
}

/*
 * A board is packed while the worker goes on with the next launch; that of a census is not, for the next one replaces
 * it.
 */
static void take_evidence(const struct asked_trial *asked, bool is_last)
{
    struct remote_result *result = asked->result;
    const uint32_t *board = evidence_of(asked->remote, asked->trial);

    result->evidence = result->count;
    packed_fini(&result->packed_board);
    if (!is_last && board != NULL && asked->trial->kind != TRIAL_CENSUS)
        packed_make(&result->packed_board, board, trial_board_words(asked->trial));
}

static void take_launch(void *context, const struct wire_packet *packet)
{
    const struct asked_trial *asked = context;
    struct remote_result *result = asked->result;
    const struct wire_launch *launch = &packet->body.launch;
    const bool is_suspect = packet->header.type == WIRE_SUSPECT;

    if (packet->header.type != WIRE_LAUNCH && !is_suspect)
        return;
    if (launch->schedule)
        result->schedule.launch = result->count;
    if (launch->evidence)
        take_evidence(asked, is_suspect || result->count + 1 == asked->trial->repeats);
    result->suspected = is_suspect;
    if (is_suspect)
        result->suspect = launch->observation;
    else
        remote_result_end(result, &launch->observation);
}

static void ask_for_turns(struct remote *remote, const struct trial *trial)
{
    struct mirror *mirror = supervisor_mirror(remote->supervisor);
    const struct schedule *schedule = remote->schedule;
    const bool is_meant =
        schedule != NULL && trial->kind == TRIAL_WORK && trial->work.numbers.seed == remote->schedule_seed;

    if (is_meant)
        memcpy(mirror->asked, schedule->turns, schedule->count * sizeof *schedule->turns);
    atomic_store(&mirror->asked_turns, is_meant ? schedule->count : 0);
}

static void locate_turns(struct remote *remote, struct remote_result *result)
{
    struct mirror *mirror = supervisor_mirror(remote->supervisor);
    const uint32_t turns = atomic_load(&mirror->turns);

    if (atomic_load(&mirror->asked_turns) > 0)
        remote->differs = atomic_load(&mirror->differs);
    if (turns == 0 || turns > SCHEDULE_TURNS)
        return;
    mirror->stops[sizeof mirror->stops - 1] = '\0';
    result->schedule.turns = mirror->schedule;
    result->schedule.count = turns;
    result->schedule.cuts = atomic_load(&mirror->cuts);
    result->schedule.stops = mirror->stops;
}

static void locate_evidence(struct remote *remote, const struct trial *trial, struct remote_result *result)
{
    struct mirror *mirror = supervisor_mirror(remote->supervisor);

    result->board = evidence_of(remote, trial);
    if (result->board == NULL)
        return;
    result->board_words = trial_board_words(trial);
    result->samples = mirror->samples;
    result->samples_words = atomic_load(&mirror->samples_words);
    if (result->samples_words > MIRROR_SAMPLES)
        result->samples_words = 0; /* a driver wrote there */
}

int remote_trial(struct remote *remote, const struct trial *trial, struct remote_result *result, struct error *error)
{
    struct asked_trial asked = {remote, trial, result};
    struct supervisor_request request = {WIRE_TRIAL, trial, take_launch, &asked, 0};
    struct leaving leaving;
    struct wire_done done;
    enum answer answer;
    const uint64_t began_ns = clock_ns();

    *result = (struct remote_result){0};
    ask_for_turns(remote, trial);
    leaving_begin_trial(&leaving, remote, trial);
    do {
        remote_result_fini(result); /* the compiler may have died while another kernel was measured */
        answer = remote_ask_leaving(&leaving, &request, result, &done, error);
    } while (answer == ANSWER_DEATH && remote_learn_fatal(remote));
    if (answer == ANSWER_FAILED)
        return -1;
    if (answer == ANSWER_LOSS)
        return 0;
    if (!leaving.once) { /* else what is in the page is of the second time */
        locate_evidence(remote, trial, result);
        locate_turns(remote, result);
    }
    result->duration_ns = clock_ns() - began_ns;
    return 0;
}
