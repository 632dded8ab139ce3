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
#include "worker/data.h"
#include "worker/launch.h"
#include "worker/occupant.h"
#include "worker/replay.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    CONFIRM_FACTOR = 4, /* times longer is the idle fuse that is to confirm a stall, without a channel */
    IDLE_SHIFT_MOST = 8 /* as a power of two: it may become so much longer where it blew beside groups that ran */
};

/* The batch as it goes on. */
struct batch {
    struct session *session;
    const struct trial *trial;
    const struct batch_sink *sink;
    struct stall_judge judge;
    struct launch_plan plan;
    struct census census;
    struct data data;
    struct replay replay;
    uint32_t index;         /* of the next launch */
    uint32_t stalls;        /* launches that were no pass */
    uint64_t worst_poll_ps; /* the slowest poll seen in a launch that spun */
    unsigned fuse_shift;    /* by which the total fuse turned out to be too short for this kernel: a power of two */
    unsigned idle_shift;    /* the same of the idle fuse, without a channel */
    bool evidence_kept;
    bool ran;     /* a launch has ended, so this device can run it */
    bool overdue; /* the time of a launch was up: the next ones would only take as long */
    bool sink_full;
};

static struct fuse_terms fuse_terms(const struct batch *batch, uint32_t idle_factor)
{
    const struct device_probe *probe = &batch->session->probe;
    const struct trial *trial = batch->trial;

    return (struct fuse_terms){
        .cpu = batch->session->info.kind == DEVICE_CPU,
        .watched = probe->channel != CHANNEL_NONE && probe->loops_cut_at == 0,
        .alone_ps = probe->poll_ps,
        .worst_ps = batch->worst_poll_ps,
        .loops_cut_at = probe->loops_cut_at,
        .asked = trial->work.numbers.fuse,
        .suspect_ns = trial->suspect_ns,
        .confirm_ns = trial->confirm_ns,
        .shift = batch->session->fuse_shift + batch->fuse_shift,
        .idle_factor = idle_factor << batch->idle_shift,
    };
}

/*
 * A launch that spun tells what a poll costs here, under this contention. A scenario's kernel may do other things
 * than poll; it tells only if it stalled, and so did little else. Only this batch goes by it: a shorter fuse in another
 * one would make its verdict depend on what ran before.
 */
static void note_poll(struct batch *batch, const struct observation *observation)
{
    enum { POLLS_THAT_TELL = 4096, LASTED_MOST_NS = 1000000000 }; /* a fuse may have been renewed in a longer one */
    if (!observation->board_read || observation->polls < POLLS_THAT_TELL ||
        (batch->trial->act == ACT_WORK && !observation->judged))
        return;
    uint64_t lasted_ns = observation->device_ns != 0 ? observation->device_ns : observation->duration_ns;
    if (lasted_ns > LASTED_MOST_NS)
        return;
    uint64_t poll_ps = lasted_ns / observation->polls * 1000;
    if (poll_ps > batch->worst_poll_ps)
        batch->worst_poll_ps = poll_ps;
}

/*
 * A total fuse that blew before the stall judge had decided was too short: on a CPU, where nothing
 * but the watchdog suffers from a long one, it is made longer.
 */
static void note_short_fuse(struct session *session, const struct trial *trial, const struct observation *observation)
{
    const bool blew = observation->outcome == OUTCOME_ENDED && observation->ended_total > 0 && !observation->judged;
    if (blew && trial->work.numbers.fuse == 0 && session->info.kind == DEVICE_CPU &&
        session->fuse_shift < FUSE_SHIFT_MOST)
        session->fuse_shift += 2;
}

static void keep_evidence(struct batch *batch)
{
    struct mirror *mirror = batch->session->mirror;
    launch_mirror_board(batch->session, mirror->evidence, trial_board_words(batch->trial), &mirror->evidence_words);
    if (batch->trial->samples)
        atomic_store(&mirror->samples_words, (uint32_t)samples_write(&batch->session->samples, mirror->samples));
    batch->evidence_kept = true;
}

/* The board of the first launch that is no pass, and of each census: the last one stays. */
static bool wants_evidence(const struct batch *batch, enum verdict verdict, bool board_read)
{
    if (!board_read)
        return false;
    return batch->trial->act == ACT_CENSUS || (verdict != VERDICT_PASS && !batch->evidence_kept);
}

static void send(struct batch *batch, bool suspected, const struct wire_launch *launch)
{
    if (batch->sink->launch(batch->sink->context, suspected, launch) != 0)
        batch->sink_full = true;
}

/* Sends a launch whose board is in session->board.copy. */
static void send_launch(struct batch *batch, bool suspected, const struct observation *observation)
{
    const enum verdict verdict = verdict_judge(batch->trial, observation);
    struct wire_launch launch = {.observation = *observation};

    launch.evidence = wants_evidence(batch, verdict, observation->board_read);
    if (launch.evidence)
        keep_evidence(batch);
    if (!suspected && verdict != VERDICT_PASS)
        launch.schedule = replay_keep(&batch->replay, observation);
    send(batch, suspected, &launch);
}

static void send_suspect(void *context, const struct observation *observation)
{
    struct batch *batch = context;
    const bool kept = batch->evidence_kept;
    send_launch(batch, true, observation);
    /* The board after the stop replaces this one, unless it no longer tells who was busy. */
    batch->evidence_kept = kept || batch->trial->live || observation->overdue;
}

/* What the passes before showed belongs to the whole. */
static void add_pass(struct observation *observation, const struct observation *before)
{
    observation->duration_ns += before->duration_ns;
    observation->device_ns += before->device_ns;
    observation->checked += before->checked;
    observation->stale += before->stale;
    observation->wrong += before->wrong;
}

/* The launches that make up one; the first that does not complete is the last. Then the results are verified. */
static int run_passes(struct batch *batch, struct observation *observation, struct error *error)
{
    const struct trial *trial = batch->trial;
    const uint32_t passes = trial->act == ACT_WORK ? trial->work.launches : 1;
    struct observation before = {0};
    bool complete = true;

    for (uint32_t pass = 0; pass < passes && complete; ++pass) {
        batch->plan.pass = pass;
        if (launch_run(batch->session, &batch->plan, &batch->judge, observation, error) != 0)
            return -1;
        note_poll(batch, observation);
        add_pass(observation, &before);
        before = *observation;
        complete = observation->outcome == OUTCOME_ENDED && observation->done == trial->groups;
    }
    if (trial->act != ACT_WORK || !complete)
        return 0;
    return data_verify(batch->session, trial, &batch->data, observation, error);
}

/* The same, with the groups of the second queue resident. */
static int run_in_company(struct batch *batch, struct observation *observation, struct error *error)
{
    struct session *session = batch->session;
    const struct fuse_terms terms = fuse_terms(batch, 1);
    const uint32_t fuse = fuse_total(&terms);

    if (batch->trial->act != ACT_WORK || batch->trial->work.numbers.held == 0)
        return run_passes(batch, observation, error);
    if (session->occupant == NULL && (session->occupant = occupant_open(session, error)) == NULL)
        return -1;
    int outcome = occupant_start(session->occupant, batch->trial, fuse < UINT32_MAX / 4 ? 4 * fuse : UINT32_MAX, error);
    if (outcome == 0) {
        outcome = run_passes(batch, observation, error);
        if (outcome == 0)
            outcome = occupant_stop(session->occupant, error);
    }
    if (outcome == 0 || error->status != STATUS_UNSUPPORTED)
        return outcome;
    *observation = (struct observation){.outcome = OUTCOME_UNSUPPORTED, .groups = batch->trial->groups};
    return 0;
}

/* The driver refused the shape of the launch, or said so. */
static bool is_refused(const struct observation *observation)
{
    return observation->outcome == OUTCOME_UNSUPPORTED && observation->code != CL_SUCCESS;
}

/* A device that lacks what a launch needs refuses it always: a refusal that does not come back is an error. */
static int launch_or_refuse(struct batch *batch, struct observation *observation, struct error *error)
{
    struct observation again = {.outcome = OUTCOME_UNSUPPORTED};

    if (run_in_company(batch, observation, error) != 0)
        return -1;
    if (is_refused(observation) && !batch->ran && run_in_company(batch, &again, error) != 0)
        return -1;
    batch->ran = batch->ran || observation->outcome == OUTCOME_ENDED || again.outcome == OUTCOME_ENDED;
    if (is_refused(observation) && batch->ran)
        observation->outcome = OUTCOME_CL_ERROR;
    return 0;
}

static int launch_once(struct batch *batch, uint32_t idle_factor, struct observation *observation, struct error *error)
{
    const struct fuse_terms terms = fuse_terms(batch, idle_factor);
    const bool unasked = batch->trial->act == ACT_CENSUS && batch->session->probe.channel == CHANNEL_NONE;

    batch->plan.fuse_total = fuse_total(&terms);
    batch->plan.fuse_idle = fuse_idle(&terms);
    batch->plan.close_ns = batch->census.close_ns;
    batch->plan.close_polls = unasked ? fuse_close(&terms, batch->census.close_ns) : 0;
    return launch_or_refuse(batch, observation, error);
}

static bool blew_idle(const struct observation *observation)
{
    return observation->outcome == OUTCOME_ENDED && observation->ended_idle > 0;
}

/*
 * An idle fuse blew, and no group that had started could have gone on: each waits, and did so for longer than just
 * since the stop word was set; and some wait neither for the host nor for a group that does.
 */
static bool is_blocked(const struct batch *batch, const struct observation *observation)
{
    const struct board board = trial_board(batch->trial, batch->session->board.copy);

    if (!blew_idle(observation) || (observation->stop & GL_STOP_BUSY) != 0 || observation->ready != 0 ||
        observation->waiting + observation->done != observation->started)
        return false;
    for (uint32_t group = 0; group < board.groups; ++group)
        if (board_waiting(&board, group) && board_entry(&board, group, GL_IDLE) < 2 * GL_LOOK_POLLS)
            return false;
    return closure_of_board(&board, batch->session->standing.marks) > 0;
}

/*
 * Without a channel a stall shows as a blown idle fuse, and is confirmed once in a batch by another
 * launch with a longer one. Both launches are sent: if the stall does not come back, the first is
 * no evidence of one.
 */
static int confirm(struct batch *batch, struct observation *observation, struct error *error)
{
    struct observation again;
    const bool evidence = !batch->evidence_kept;
    const bool blocked = is_blocked(batch, observation);

    trace("an idle fuse blew: once more with one that is %d times as long", CONFIRM_FACTOR);
    if (evidence)
        keep_evidence(batch); /* the next launch overwrites the copy */
    if (launch_once(batch, CONFIRM_FACTOR, &again, error) != 0)
        return -1;
    again.confirmed = is_blocked(batch, &again) && again.started >= batch->trial->proven_groups;
    if (again.confirmed)
        batch->judge.confirmed_groups = again.started;
    observation->confirmed = again.confirmed && blocked && observation->started == again.started;
    send(batch, false, &(struct wire_launch){.evidence = evidence, .observation = *observation});
    batch->index += 1;
    *observation = again;
    return 0;
}

/* The host ended the launch: it stalled, or changed without progress. */
static bool is_judged(const struct observation *observation)
{
    return observation->judged || observation->churned;
}

/*
 * The total fuse blew before the stall judge could decide, after so short a time that four times as long is safe, too:
 * a loop that turns without reading memory, say, turns many times in the time of a poll.
 */
static bool blew_early(const struct batch *batch, const struct observation *observation)
{
    const struct fuse_terms terms = fuse_terms(batch, 1);

    return batch->trial->act != ACT_CENSUS && observation->outcome == OUTCOME_ENDED && observation->ended_total > 0 &&
           !is_judged(observation) && fuse_may_grow(&terms, observation->duration_ns);
}

/* Without a channel: an idle fuse blew while another group could have gone on. */
static bool blew_beside_others(const struct batch *batch, const struct observation *observation)
{
    return blew_idle(observation) && (observation->stop & GL_STOP_BUSY) != 0 && batch->idle_shift < IDLE_SHIFT_MOST;
}

static bool blew_too_soon(const struct batch *batch, const struct observation *observation)
{
    return blew_early(batch, observation) || blew_beside_others(batch, observation);
}

static void lengthen(struct batch *batch, const struct observation *observation)
{
    if (blew_beside_others(batch, observation))
        batch->idle_shift += FUSE_LONGER;
    else
        batch->fuse_shift += FUSE_LONGER;
}

/*
 * A launch, and again with a longer fuse as long as that blows too soon. If the longer one is seen to stall, the
 * shorter one only was not given the time; else it is sent as well, as what did not come back.
 */
static int launch_long_enough(struct batch *batch, struct observation *observation, struct error *error)
{
    if (launch_once(batch, 1, observation, error) != 0)
        return -1;
    while (blew_too_soon(batch, observation)) {
        const bool evidence = !batch->evidence_kept;
        struct observation again;
        if (evidence)
            keep_evidence(batch);
        lengthen(batch, observation);
        trace("a fuse blew too soon: once more with a longer one");
        if (launch_once(batch, 1, &again, error) != 0)
            return -1;
        if (is_judged(&again) || blew_early(batch, &again) || blew_idle(&again)) {
            batch->evidence_kept = !evidence;
        } else {
            send(batch, false, &(struct wire_launch){.evidence = evidence, .observation = *observation});
            batch->index += 1;
        }
        *observation = again;
    }
    return 0;
}

/* A launch; without a channel, and if it stalled, confirmed. What is to be sent yet is in *observation. */
static int launch_confirmed(struct batch *batch, struct observation *observation, struct error *error)
{
    /* What is launched again, to see whether it comes back, has the same seed. */
    batch->plan.seed = lots_launch_seed(batch->trial->work.numbers.seed, batch->index);
    if (launch_long_enough(batch, observation, error) != 0)
        return -1;
    if (!blew_idle(observation) || batch->session->probe.loops_cut_at != 0)
        return 0;
    if (batch->judge.confirmed_groups == 0)
        return confirm(batch, observation, error);
    observation->confirmed = is_blocked(batch, observation) && observation->started == batch->judge.confirmed_groups;
    return 0;
}

static bool batch_finished(const struct batch *batch)
{
    const struct trial *trial = batch->trial;
    if (batch->sink_full || batch->overdue)
        return true;
    if (trial->act == ACT_CENSUS)
        return census_finished(&batch->census);
    return batch->index >= trial->repeats || (trial->enough_stalls != 0 && batch->stalls >= trial->enough_stalls);
}

static void run_launches(struct batch *batch, struct wire_done *done, struct error *error)
{
    struct observation observation;

    while (!batch_finished(batch)) {
        if (launch_confirmed(batch, &observation, error) != 0) {
            wire_fail(done, OUTCOME_CL_ERROR, error);
            return;
        }
        replay_compare(&batch->replay);
        if (batch->trial->act == ACT_CENSUS)
            census_take(&batch->census, observation.counted, observation.gap_ns);
        note_short_fuse(batch->session, batch->trial, &observation);
        const enum verdict verdict = verdict_judge(batch->trial, &observation);
        trace("launch %" PRIu32 ": %s, %" PRIu32 " of %" PRIu32 " groups started, %" PRIu32 " done, %.3f ms",
              batch->index, verdict_name(verdict), observation.started, observation.groups, observation.done,
              (double)observation.duration_ns / 1e6);
        batch->stalls += verdict != VERDICT_PASS;
        batch->overdue = observation.overdue;
        send_launch(batch, false, &observation);
        batch->index += 1;
        if (observation.outcome != OUTCOME_ENDED) {
            done->outcome = observation.outcome;
            done->code = observation.code;
            if (observation.code == CL_OUT_OF_RESOURCES && model_fault()[0] != '\0')
                snprintf(done->text, sizeof done->text, "%s", model_fault());
            else if (observation.code != CL_SUCCESS)
                snprintf(done->text, sizeof done->text, "the driver refused or lost the launch: %s",
                         cl_status_name(observation.code));
            else if (observation.outcome == OUTCOME_UNSUPPORTED)
                snprintf(done->text, sizeof done->text, "%s", error->text);
            done->poisoned = observation.outcome == OUTCOME_LEFT_RUNNING || batch->trial->live;
            return;
        }
    }
}

static const uint32_t modes[ACT_COUNT] = {
    [ACT_CENSUS] = GL_MODE_CENSUS,
    [ACT_BARRIER] = GL_MODE_BARRIER,
    [ACT_DISCOVERY] = GL_MODE_DISCOVERY,
    [ACT_WORK] = GL_MODE_WORK,
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
    struct session *session = batch->session;
    const struct trial *trial = batch->trial;

    if (launch_possible(session, trial, error) != 0) {
        wire_fail(done, OUTCOME_UNSUPPORTED, error);
        return false;
    }
    if (session_trial_kernel(session, trial, &batch->plan.program, &done->code, error) != 0) {
        wire_fail(done, build_outcome(error, done->code), error);
        return false;
    }
    done->facts.build_ns = session->build_ns;
    done->facts.most_items = session_kernel_says(session, batch->plan.program, CL_KERNEL_WORK_GROUP_SIZE);
    done->facts.multiple_items =
        session_kernel_says(session, batch->plan.program, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    if (batch->plan.program->subject != NULL) {
        subject_describe(session, &trial->footprint.subject, batch->plan.program, &done->subject);
        session_subject(session, &done->subject);
    }
    if (data_open(session, trial, &batch->data, error) != 0) {
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

    batch->plan.seed = batch->replay.seed;
    batch->plan.schedule = schedule;
    batch->plan.suspect = NULL;
    return launch_once(batch, 1, observation, &ignored);
}

static void run_beside_burners(struct batch *batch, struct wire_done *done, struct error *error)
{
    struct burners *burners = NULL;
    const uint32_t count = batch->trial->work.numbers.burners;

    if (count > 0 && (burners = burners_start(count, error)) == NULL) {
        wire_fail(done, OUTCOME_CL_ERROR, error);
        return;
    }
    run_launches(batch, done, error);
    if (batch->trial->shorten)
        replay_shorten(&batch->replay, launch_again, batch);
    burners_stop(burners);
}

void batch_run(struct session *session, const struct trial *trial, const struct batch_sink *sink,
               struct wire_done *done)
{
    struct error error = {0};
    struct batch batch = {
        .session = session,
        .trial = trial,
        .sink = sink,
        .plan = {.trial = trial, .mode = modes[trial->act], .data = &batch.data, .suspect = send_suspect},
        .judge = {.suspect_ns = trial->suspect_ns,
                  .confirm_ns = trial->confirm_ns,
                  .gap_ns = trial->gap_ns,
                  .proven_groups = trial->proven_groups,
                  .fixed = trial->live},
    };

    trace("trial of %s: %" PRIu32 " groups of %" PRIu32 " work-items, %" PRIu32 " launches",
          trial->work.kernel[0] != '\0' ? trial->work.kernel : act_name(trial->act), trial->groups,
          trial->footprint.local_size, trial->repeats);
    session->build_ns = 0;
    batch.plan.context = &batch;
    census_init(&batch.census, trial->close_ns);
    batch.plan.schedule = replay_begin(&batch.replay, session, &batch.plan);
    if (prepare(&batch, done, &error))
        run_beside_burners(&batch, done, &error);
    /* After anything else the kernel may still run, and write there: the worker is ended then. */
    if (outcome_is_harmless(done->outcome) && !done->poisoned)
        data_close(session, &batch.data);
}
