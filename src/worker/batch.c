#include "worker/batch.h"

#include "base/trace.h"
#include "core/board.h"
#include "core/fuse.h"
#include "core/lots.h"
#include "device/calls.h"
#include "device/cl_status.h"
#include "device/subject.h"
#include "driver/model.h"
#include "judge/closure.h"
#include "judge/verdict.h"
#include "search/census.h"
#include "worker/attempt.h"
#include "worker/occupant.h"
#include "worker/replay.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { CONFIRM_FACTOR = 4 }; /* times longer is the idle fuse that is to confirm a stall, without a channel */

/* The batch as it goes on. */
struct batch {
    const struct batch_sink *sink;
    struct attempt attempt; /* at the next launch */
    struct census census;
    struct replay replay;
    struct burners *burners; /* or NULL */
    uint32_t index;          /* of the next launch */
    uint32_t stalls;         /* launches that were no pass */
    bool evidence_kept;
    bool overdue; /* the time of a launch was up: the next ones would only take as long */
    bool sink_full;
};

/*
 * A total fuse that blew before the stall judge had decided was too short: on a CPU, where nothing
 * but the watchdog suffers from a long one, it is made longer. Where nobody watches it grows in each trial.
 */
static void note_short_fuse(struct session *session, const struct trial *trial, const struct observation *observation)
{
    const bool blew = observation->outcome == OUTCOME_ENDED && observation->ended_total > 0 && !observation->judged;
    if (blew && !attempt_is_unwatched(session) && trial->work.numbers.fuse == 0 && session->info.kind == DEVICE_CPU &&
        session->fuse_shift < FUSE_SHIFT_MOST)
        session->fuse_shift += 2;
}

static void keep_evidence(struct batch *batch)
{
    struct mirror *mirror = batch->attempt.session->mirror;
    launch_mirror_board(batch->attempt.session, mirror->evidence, trial_board_words(batch->attempt.trial),
                        &mirror->evidence_words);
    if (batch->attempt.trial->samples)
        atomic_store(&mirror->samples_words,
                     (uint32_t)samples_write(&batch->attempt.session->samples, mirror->samples));
    batch->evidence_kept = true;
}

/* The board of the first launch that is no pass, and of each census: the last one stays. */
static bool wants_evidence(const struct batch *batch, enum verdict verdict, bool board_read)
{
    if (!board_read)
        return false;
    return batch->attempt.trial->kind == TRIAL_CENSUS || (verdict != VERDICT_PASS && !batch->evidence_kept);
}

static void send(struct batch *batch, bool suspected, const struct wire_launch *launch)
{
    if (batch->sink->launch(batch->sink->context, suspected, launch) != 0)
        batch->sink_full = true;
}

/* Sends a launch whose board is in session->board.copy. */
static void send_launch(struct batch *batch, bool suspected, const struct observation *observation)
{
    const enum verdict verdict = verdict_judge(batch->attempt.trial, observation);
    struct wire_launch launch = {.observation = *observation};

    launch.evidence = wants_evidence(batch, verdict, observation->board_read);
    if (launch.evidence)
        keep_evidence(batch);
    if (!suspected && verdict != VERDICT_PASS)
        launch.schedule = replay_keep(&batch->replay, observation);
    send(batch, suspected, &launch);
}

/* Some work-item waits by itself: once it is stopped, those behind it go on, and write words. */
static bool work_items_wait(const struct batch *batch)
{
    const struct board board = trial_board(batch->attempt.trial, batch->attempt.session->board.copy);
    bool found = false;

    for (uint32_t group = 0; group < board.groups && !found; ++group)
        found = board_entry(&board, group, GL_PHASE) == GL_PHASE_ITEMS;
    return found;
}

static void send_suspect(void *context, const struct observation *observation)
{
    struct batch *batch = context;
    const bool kept = batch->evidence_kept;
    send_launch(batch, true, observation);
    /* The board after the stop replaces this one, unless it no longer tells who was busy, or what stood. */
    batch->evidence_kept = kept || batch->attempt.trial->live || observation->overdue || work_items_wait(batch);
}

/*
 * An idle fuse blew, and no group that had started could have gone on: each waits, and did so for longer than just
 * since the stop word was set; and some wait neither for the host nor for a group that does.
 */
static bool is_blocked(const struct batch *batch, const struct observation *observation)
{
    const struct board board = trial_board(batch->attempt.trial, batch->attempt.session->board.copy);

    if (!attempt_blew_idle(observation) || (observation->stop & GL_STOP_BUSY) != 0 || observation->ready != 0 ||
        observation->waiting + observation->done != observation->started)
        return false;
    for (uint32_t group = 0; group < board.groups; ++group)
        if (board_waiting(&board, group) && board_entry(&board, group, GL_IDLE) < 2 * GL_LOOK_POLLS)
            return false;
    return closure_of_board(&board, batch->attempt.session->standing.marks) > 0;
}

/*
 * Without a channel a stall shows as a blown idle fuse, and is confirmed once in a batch by another
 * launch with a longer one. Both launches are sent: if the stall does not come back, the first is
 * no evidence of one.
 */
static int launch_longer(struct batch *batch, struct observation *observation, struct error *error)
{
    struct observation again;
    const bool evidence = !batch->evidence_kept;
    const bool blocked = is_blocked(batch, observation);

    trace("an idle fuse blew: once more with one that is %d times as long", CONFIRM_FACTOR);
    if (evidence)
        keep_evidence(batch); /* the next launch overwrites the copy */
    if (attempt_launch(&batch->attempt, CONFIRM_FACTOR, &again, error) != 0)
        return -1;
    again.confirmed = is_blocked(batch, &again) && again.started >= batch->attempt.trial->proven_groups;
    if (again.confirmed)
        batch->attempt.judge.confirmed_groups = again.started;
    observation->confirmed = again.confirmed && blocked && observation->started == again.started;
    send(batch, false, &(struct wire_launch){.evidence = evidence, .observation = *observation});
    batch->index += 1;
    *observation = again;
    return 0;
}

/* The most polls for which a wait of a group saw nothing change in the last launch, which nobody watched. */
static uint32_t longest_idle(const struct batch *batch)
{
    const struct board board = trial_board(batch->attempt.trial, batch->attempt.session->board.copy);
    uint32_t longest = 0;

    for (uint32_t group = 0; group < board.groups; ++group) {
        const uint32_t idle = board_entry(&board, group, GL_IDLE);
        longest = idle > longest ? idle : longest;
    }
    return longest;
}

/*
 * A launch, and again with a longer fuse as long as that blows too soon. The shorter one only was not given the time if
 * the longer one is seen to stall, or ends after a wait about as long as the one that was given up; else it is sent as
 * well, as what did not come back.
 */
static int launch_long_enough(struct batch *batch, struct observation *observation, struct error *error)
{
    if (attempt_launch(&batch->attempt, 1, observation, error) != 0)
        return -1;
    while (attempt_blew_too_soon(&batch->attempt, observation)) {
        const bool evidence = !batch->evidence_kept;
        const uint32_t idle = longest_idle(batch);
        struct observation again;
        if (evidence)
            keep_evidence(batch);
        attempt_lengthen(&batch->attempt, observation);
        trace("a fuse blew too soon: once more with a longer one");
        if (attempt_launch(&batch->attempt, 1, &again, error) != 0)
            return -1;
        const bool outlasted = attempt_blew_idle(observation) && again.outcome == OUTCOME_ENDED &&
                               fuse_was_short(idle, longest_idle(batch));
        if (outlasted || attempt_is_judged(&again) || attempt_blew_early(&batch->attempt, &again) ||
            attempt_blew_idle(&again)) {
            batch->evidence_kept = !evidence;
        } else {
            send(batch, false, &(struct wire_launch){.evidence = evidence, .observation = *observation});
            batch->index += 1;
        }
        *observation = again;
    }
    return 0;
}

/* Without a channel a launch that stalled is confirmed: by another one, or because it is like one that was. */
static int confirm_stall(struct batch *batch, struct observation *observation, struct error *error)
{
    const uint32_t confirmed_groups = batch->attempt.judge.confirmed_groups;

    if (!attempt_blew_idle(observation) || batch->attempt.session->probe.loops_cut_at != 0)
        return 0;
    if (confirmed_groups == 0)
        return attempt_has_time(&batch->attempt, observation, CONFIRM_FACTOR) ? launch_longer(batch, observation, error)
                                                                              : 0;
    observation->confirmed = is_blocked(batch, observation) && observation->started == confirmed_groups;
    return 0;
}

static bool batch_finished(const struct batch *batch)
{
    const struct trial *trial = batch->attempt.trial;
    if (batch->sink_full || batch->overdue)
        return true;
    if (trial->kind == TRIAL_CENSUS)
        return census_finished(&batch->census);
    return batch->index >= trial->repeats || (trial->enough_stalls != 0 && batch->stalls >= trial->enough_stalls);
}

/* Judges a launch that is over, and sends it. */
static void take_launch(struct batch *batch, const struct observation *observation)
{
    const struct trial *trial = batch->attempt.trial;
    const enum verdict verdict = verdict_judge(trial, observation);

    replay_compare(&batch->replay);
    if (trial->kind == TRIAL_CENSUS)
        census_take(&batch->census, observation->counted, observation->gap_ns);
    note_short_fuse(batch->attempt.session, trial, observation);
    trace("launch %" PRIu32 ": %s, %" PRIu32 " of %" PRIu32 " groups started, %" PRIu32 " done, %.3f ms", batch->index,
          verdict_name(verdict), observation->started, observation->groups, observation->done,
          (double)observation->duration_ns / 1e6);
    batch->stalls += verdict != VERDICT_PASS;
    batch->overdue = observation->overdue;
    send_launch(batch, false, observation);
    batch->index += 1;
}

/* Says what kept the trial from going on. */
static void tell_end(const struct observation *observation, bool live, struct wire_done *done,
                     const struct error *error)
{
    done->outcome = observation->outcome;
    done->code = observation->code;
    if (observation->code == CL_OUT_OF_RESOURCES && model_fault()[0] != '\0')
        snprintf(done->text, sizeof done->text, "%s", model_fault());
    else if (observation->code != CL_SUCCESS)
        snprintf(done->text, sizeof done->text, "the driver refused or lost the launch: %s",
                 cl_status_name(observation->code));
    else if (observation->outcome == OUTCOME_UNSUPPORTED)
        snprintf(done->text, sizeof done->text, "%s", error->text);
    done->poisoned = observation->outcome == OUTCOME_LEFT_RUNNING || live;
}

static void run_launches(struct batch *batch, struct wire_done *done, struct error *error)
{
    const struct trial *trial = batch->attempt.trial;
    struct observation observation = {.outcome = OUTCOME_ENDED};

    while (!batch_finished(batch) && observation.outcome == OUTCOME_ENDED) {
        /* What is launched again, to see whether it comes back, has the same seed. */
        batch->attempt.plan.seed = lots_launch_seed(trial->work.numbers.seed, batch->index);
        batch->attempt.plan.close_ns = batch->census.close_ns;
        if (launch_long_enough(batch, &observation, error) != 0 || confirm_stall(batch, &observation, error) != 0) {
            wire_fail(done, OUTCOME_CL_ERROR, error);
            return;
        }
        take_launch(batch, &observation);
    }
    if (observation.outcome != OUTCOME_ENDED)
        tell_end(&observation, trial->live, done, error);
}

static const uint32_t modes[TRIAL_COUNT] = {
    [TRIAL_CENSUS] = GL_MODE_CENSUS,
    [TRIAL_BARRIER] = GL_MODE_BARRIER,
    [TRIAL_DISCOVERY] = GL_MODE_DISCOVERY,
    [TRIAL_WORK] = GL_MODE_WORK,
};

/*
 * What a failed build means: a kernel that asks for what the device lacks says so by an #error, and an option that the
 * driver does not have is refused.
 */
static enum outcome build_outcome(const struct error *error, cl_int code)
{
    const bool lacks = code == CL_INVALID_BUILD_OPTIONS || error->status == STATUS_UNSUPPORTED ||
                       strstr(error->text, "unsupported:") != NULL;
    return lacks ? OUTCOME_UNSUPPORTED : OUTCOME_BUILD_FAILED;
}

/* Everything up to the first launch; what is not to be launched is refused. */
static bool prepare(struct batch *batch, struct wire_done *done, struct error *error)
{
    struct session *session = batch->attempt.session;
    const struct trial *trial = batch->attempt.trial;
    struct launch_plan *plan = &batch->attempt.plan;

    if (launch_possible(session, trial, error) != 0) {
        wire_fail(done, OUTCOME_UNSUPPORTED, error);
        return false;
    }
    if (session_trial_kernel(session, trial, &plan->program, &done->code, error) != 0) {
        wire_fail(done, build_outcome(error, done->code), error);
        return false;
    }
    done->facts.build_ns = session->build_ns;
    done->facts.most_items = session_kernel_says(session, plan->program, CL_KERNEL_WORK_GROUP_SIZE);
    done->facts.multiple_items =
        session_kernel_says(session, plan->program, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    if (plan->program->subject != NULL) {
        subject_describe(session, &trial->footprint.subject, plan->program, &done->subject);
        session_subject(session, &done->subject);
    }
    if (data_open(session, trial, &batch->attempt.data, error) != 0) {
        wire_fail(done, error->status == STATUS_UNSUPPORTED ? OUTCOME_UNSUPPORTED : OUTCOME_CL_ERROR, error);
        return false;
    }
    return true;
}

/* Launches with these turns, for whoever looks for fewer of them; nothing is sent. */
static int launch_again(void *context, const struct schedule *schedule, struct observation *observation)
{
    struct batch *batch = context;
    struct error ignored;

    batch->attempt.plan.seed = batch->replay.seed;
    batch->attempt.plan.schedule = schedule;
    batch->attempt.plan.suspect = NULL;
    return attempt_launch(&batch->attempt, 1, observation, &ignored);
}

static bool start_burners(struct batch *batch, struct wire_done *done, struct error *error)
{
    const uint32_t count = batch->attempt.trial->work.numbers.burners;

    if (count == 0 || (batch->burners = burners_start(count, error)) != NULL)
        return true;
    wire_fail(done, OUTCOME_CL_ERROR, error);
    return false;
}

void batch_run(struct session *session, const struct trial *trial, const struct batch_sink *sink,
               struct wire_done *done)
{
    struct error error = {0};
    struct batch batch = {
        .sink = sink,
        .attempt = {.session = session,
                    .trial = trial,
                    .plan = {.trial = trial,
                             .mode = modes[trial->kind],
                             .data = &batch.attempt.data,
                             .suspect = send_suspect,
                             .context = &batch},
                    .judge = {.suspect_ns = trial->suspect_ns,
                              .confirm_ns = trial->confirm_ns,
                              .gap_ns = trial->gap_ns,
                              .proven_groups = trial->proven_groups,
                              .fixed = trial->live}},
    };

    trace("trial of %s: %" PRIu32 " groups of %" PRIu32 " work-items, %" PRIu32 " launches",
          trial->work.kernel[0] != '\0' ? trial->work.kernel : trial_kind_name(trial->kind), trial->groups,
          trial->footprint.local_size, trial->repeats);
    session->build_ns = 0;
    census_init(&batch.census, trial->close_ns);
    batch.attempt.plan.schedule = replay_begin(&batch.replay, session, &batch.attempt.plan);
    if (prepare(&batch, done, &error) && start_burners(&batch, done, &error)) {
        run_launches(&batch, done, &error);
        if (trial->shorten)
            replay_shorten(&batch.replay, launch_again, &batch);
        burners_stop(batch.burners);
    }
    /* After anything else the kernel may still run, and write there: the worker is ended then. */
    if (outcome_is_harmless(done->outcome) && !done->poisoned)
        data_close(session, &batch.attempt.data);
}
