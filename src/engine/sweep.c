#include "engine/sweep.h"

#include "core/lots.h"
#include "engine/residents.h"
#include "judge/batches.h"
#include "litmus/emulate.h"

#include <string.h>

enum {
    UNDECIDED_TRIES = 3,    /* batches of a point that gave neither a pass nor a stall */
    SURPRISE_TRIES = 3,     /* batches of a point that surprised: does it always? */
    UNDECIDED_PATIENCE = 4, /* times longer a stall must stand in the next */
};

/* What is said of a point before it runs, and what its batches have come to so far. */
struct course {
    struct store_prediction prediction;
    struct expected expected; /* the same, as sets */
    struct batches batches;   /* as in the report, so that the sweep stops for what it shows */
    struct verdict_tally all;
    uint32_t shown; /* groups that a launch has shown to be resident together */
    bool undecided; /* a launch of the last batch was, although it should have been decided */
    bool overdue;   /* the time of a launch was up: another batch would only take as long */
    bool ended;     /* each launch of the last batch came to its end: what failed in another way may cost much */
    bool recalled;  /* all batches are of the run that goes on */
};

/* Points that are wanted, and those of them that are this shard's. */
struct point_count {
    uint64_t planned, own;
};

struct sweeping {
    struct sweep *sweep;
    struct runner runner;
    size_t scenario; /* the present one */
    struct plan plan;
    struct residents residents;
    struct known_limit *limit; /* of the present build */
    struct known_limit none;   /* of what is launched over a range */
    uint32_t position;         /* of the present point among all, run or not */
    uint64_t total;            /* points of all scenarios */
    struct point_count count;  /* of those so far */
    bool ended;                /* there was no other point */
    /* At the first point of the present build. */
    uint32_t build_position, build_fails;
    struct point_count build_count;
    /* The present point: its next batch, */
    struct trial trial;
    struct course course;
    bool again;     /* which is to be run, */
    uint32_t tries; /* after so many */
};

/* --- which points --- */

/* It is wanted, and this shard's. */
static bool count_point(struct sweeping *sweeping, const struct trial *trial)
{
    if (!wanted_has(&sweeping->sweep->wanted, trial))
        return false;
    const bool own = runner_has_trial(&sweeping->runner, trial);
    sweeping->count.planned += 1;
    sweeping->count.own += own;
    return own;
}

static bool goes_on(const struct sweeping *sweeping)
{
    const struct sweep *sweep = sweeping->sweep;
    const uint32_t elsewhere = sweep->fails_elsewhere != NULL ? sweep->fails_elsewhere(sweep->context) : 0;

    return !runner_is_over(&sweeping->runner) && (sweep->max_fails == 0 || sweep->fails + elsewhere < sweep->max_fails);
}

/* --- a batch --- */

/* What passes although it should starve shows that its groups were resident together. */
static uint32_t shown_by(const struct trial *trial, const struct observation *observation, bool surprise)
{
    const bool passed = verdict_judge(trial, observation) == VERDICT_PASS;
    const uint32_t groups = passed && surprise ? trial->groups : search_proven(trial, observation);
    return groups > 0 ? groups + trial->work.numbers.held : 0;
}

static void take_batch(struct course *course, const struct trial *trial, const struct remote_result *result,
                       bool loops_cut)
{
    struct batches batch = batches_begin(&course->expected, course->prediction.resident, course->batches.count);

    course->ended = true;
    for (uint32_t i = 0; i < result->count; ++i) {
        const struct observation *observation = &result->observations[i];
        const enum verdict verdict = verdict_judge(trial, observation);
        const bool surprise =
            expected_is_surprise(&course->expected, verdict, cause_judge(trial, observation), loops_cut);
        const uint32_t shown = shown_by(trial, observation, surprise);
        batches_take_launch(&batch, &course->all, verdict, surprise);
        course->shown = shown > course->shown ? shown : course->shown;
        course->overdue = course->overdue || observation->overdue;
        course->ended = course->ended && observation->outcome == OUTCOME_ENDED;
    }
    course->undecided = batches_undecided(&batch);
    course->recalled = course->recalled && result->recalled;
    batches_add(&course->batches, &batch);
    batches_judge(&course->batches, &course->expected.whole, &course->all);
}

/* --- a point --- */

/*
 * The present point, and what is said of it before it runs; how long a launch must stand is the device's. As
 * plan_trial.
 */
static int predict(struct sweeping *sweeping, struct error *error)
{
    const struct search_device *settings = &sweeping->runner.stored.settings;
    const struct plan *plan = &sweeping->plan;
    struct trial *trial = &sweeping->trial;
    struct store_prediction *prediction = &sweeping->course.prediction;
    struct expected *expected = &sweeping->course.expected;
    const char *reason;

    const int outcome = plan_trial(plan, trial, expected, &reason, error);
    if (outcome != 0)
        return outcome;
    trial->suspect_ns = settings->suspect_ns;
    trial->confirm_ns = settings->confirm_ns;
    trial->close_ns = settings->close_ns;
    *prediction = (struct store_prediction){
        .position = sweeping->position,
        .resident = plan->recounted != 0 ? plan->recounted : plan->resident,
        .expected = *expected,
    };
    expected->tolerated = runner_note_known(sweeping->sweep->known, trial, prediction);
    return 0;
}

static int begin_point(struct sweeping *sweeping, struct error *error)
{
    sweeping->course = (struct course){.recalled = true};
    sweeping->again = false;
    if (!goes_on(sweeping))
        return 0;
    sweeping->position += 1;
    sweeping->plan.resident = sweeping->limit->resident;
    const int planned = predict(sweeping, error);
    sweeping->again = planned == 0 && count_point(sweeping, &sweeping->trial);
    return planned < 0 ? -1 : 0;
}

/* More groups were counted than before: the point is predicted anew, and its next batch supersedes those before. */
static int predict_anew(struct sweeping *sweeping, struct error *error)
{
    const uint32_t seed = sweeping->trial.work.numbers.seed;

    sweeping->plan.recounted = sweeping->limit->resident;
    if (predict(sweeping, error) != 0)
        return -1;
    sweeping->trial.work.numbers.seed = seed;
    sweeping->tries = 0;
    return 0;
}

/*
 * A point is run again where nothing was decided, each time with more patience, and where it surprised: whoever
 * reads the report wants to know whether it always does. That it did so once is what counts, as in the report.
 */
static int judge_batch(struct sweeping *sweeping, struct error *error)
{
    const struct course *course = &sweeping->course;
    /* Where loops are cut, a fuse must be so short that nothing can be seen to stall, however often. */
    const uint32_t most = sweeping->runner.stored.probe.loops_cut_at != 0 ? 1 : UNDECIDED_TRIES;

    if (sweeping->limit->resident > course->prediction.resident)
        return predict_anew(sweeping, error);
    if (course->undecided)
        sweeping->trial.confirm_ns *= UNDECIDED_PATIENCE;
    sweeping->again = !course->overdue && !sweeping->plan.settings.once &&
                      ((course->undecided && sweeping->tries < most) ||
                       (course->batches.surprise && course->ended && sweeping->tries < SURPRISE_TRIES));
    return 0;
}

static void end_point(struct sweeping *sweeping)
{
    struct sweep *sweep = sweeping->sweep;
    const struct course *course = &sweeping->course;

    /* A run that goes on has stopped for those before. */
    if (!course->recalled && course->prediction.known != KNOWN_AS_FLAKE)
        sweep->fails += course->batches.surprise;
    sweeping->tries = 0;
    if (sweep->point_ended != NULL)
        sweep->point_ended(sweep->context, sweeping->position, sweeping->total, sweep->fails);
}

/* --- from point to point --- */

static void begin_plan(struct sweeping *sweeping, const struct scenario *scenario)
{
    const struct sweep *sweep = sweeping->sweep;
    const struct store_device *stored = &sweeping->runner.stored;

    const uint32_t most = model_device_tried(stored->info.name, MIRROR_GROUPS);

    plan_init(&sweeping->plan, scenario, stored->info.compute_units, most, &stored->probe);
    sweeping->plan.settings = sweep->plan_settings;
    for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
        if (sweep->plan_settings.kept.of[level] == 0)
            sweeping->plan.settings.kept.of[level] = model_device_keeps(stored->info.name, level);
    /* A loop that is cut may end before a group's thread has had its turn. */
    sweeping->plan.resident_is_least = stored->probe.loops_cut_at != 0;
}

/* Counts the points of all scenarios, and notes the run's share as if a group a compute unit were resident. */
static int count_points(struct sweeping *sweeping, struct error *error)
{
    struct plan *plan = &sweeping->plan;
    const char *reason;

    for (size_t i = 0; i < sweeping->sweep->count; ++i) {
        begin_plan(sweeping, sweeping->sweep->scenarios[i]);
        sweeping->total += plan_length(plan);
        while (plan_next(plan)) {
            plan->resident = plan->compute_units;
            const int outcome = plan_trial(plan, &sweeping->trial, &sweeping->course.expected, &reason, error);
            if (outcome < 0)
                return -1;
            if (outcome == 0)
                count_point(sweeping, &sweeping->trial);
        }
    }
    const struct point_count count = sweeping->count;
    sweeping->count = (struct point_count){0};
    return runner_note_share(&sweeping->runner, count.planned, count.own, false, error);
}

/*
 * The plan came to another build. What is launched over a range has no limit: none of its groups waits. A build of
 * which no point is wanted needs none, unless lists are to be told which of their lines say something of a point.
 */
static int begin_build(struct sweeping *sweeping, struct error *error)
{
    const int wanted = wanted_may_have_build(&sweeping->sweep->wanted, &sweeping->plan, error);

    if (wanted < 0)
        return -1;
    sweeping->build_position = sweeping->position;
    sweeping->build_fails = sweeping->sweep->fails;
    sweeping->build_count = sweeping->count;
    sweeping->limit = &sweeping->none;
    if ((wanted > 0 || sweeping->sweep->known->line_count > 0) && !entry_has_range(&sweeping->plan.scenario->entry))
        sweeping->limit = residents_need(&sweeping->residents, &sweeping->plan, error);
    return sweeping->limit != NULL ? 1 : -1;
}

/* Its limit was wrong, and with it how many groups its points have, and what was expected of them. */
static void begin_build_again(struct sweeping *sweeping)
{
    plan_again(&sweeping->plan);
    sweeping->position = sweeping->build_position;
    sweeping->sweep->fails = sweeping->build_fails;
    sweeping->count = sweeping->build_count;
}

/* 0: there is none, or the sweep does not go on. */
static int begin_scenario(struct sweeping *sweeping, size_t scenario, struct error *error)
{
    if (scenario == sweeping->sweep->count || !goes_on(sweeping))
        return 0;
    sweeping->scenario = scenario;
    begin_plan(sweeping, sweeping->sweep->scenarios[scenario]);
    plan_next(&sweeping->plan);
    return begin_build(sweeping, error);
}

/* Goes on to the next point. 0: there is none. */
static int advance(struct sweeping *sweeping, struct error *error)
{
    const struct sweep *sweep = sweeping->sweep;
    bool more = true;

    if (sweeping->plan.recounted != 0)
        begin_build_again(sweeping);
    else
        more = plan_next(&sweeping->plan);
    if (more && goes_on(sweeping))
        return sweeping->plan.build_changed ? begin_build(sweeping, error) : 1;
    if (sweep->scenario_ended != NULL &&
        sweep->scenario_ended(sweep->context, sweep->scenarios[sweeping->scenario], error) != 0)
        return -1;
    sweeping->ended = !more && sweeping->scenario + 1 == sweep->count;
    return begin_scenario(sweeping, sweeping->scenario + 1, error);
}

/* --- the source of trials --- */

/* A census of the present build, or the next batch of the present point, or of a later one. */
static int next_trial(void *context, struct asked *asked, struct error *error)
{
    struct sweeping *sweeping = context;
    int more = 1;

    while (more > 0) {
        const int counting = residents_next(&sweeping->residents, &sweeping->plan, &asked->trial, error);
        asked->prediction.position = sweeping->position;
        if (counting != 0)
            return counting;
        if ((sweeping->tries > 0 ? judge_batch(sweeping, error) : begin_point(sweeping, error)) != 0)
            return -1;
        if (sweeping->again && goes_on(sweeping)) {
            sweeping->tries += 1;
            sweeping->trial.gap_ns = search_gap_told_ns(sweeping->limit->gap_ns, sweeping->trial.confirm_ns);
            asked->trial = sweeping->trial;
            asked->prediction = sweeping->course.prediction;
            return 1;
        }
        end_point(sweeping);
        more = advance(sweeping, error);
    }
    return more;
}

/* More groups together than were counted: nothing but a wrong count explains that, so they are counted again. */
static bool is_doubtful(const struct sweeping *sweeping)
{
    const uint32_t counted = sweeping->course.prediction.resident;
    return !sweeping->plan.resident_is_least && counted != 0 && sweeping->course.shown > counted;
}

static void take_trial(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct sweeping *sweeping = context;

    if (residents_take(&sweeping->residents, &asked->trial, result))
        return;
    sweeping->trial.work.numbers.seed = lots_launch_seed(asked->trial.work.numbers.seed, result->count);
    residents_note_gaps(&sweeping->residents, sweeping->limit, result);
    take_batch(&sweeping->course, &asked->trial, result, sweeping->runner.stored.probe.loops_cut_at != 0);
    if (is_doubtful(sweeping))
        residents_recount(&sweeping->residents, sweeping->limit, sweeping->course.shown);
}

int sweep_device(struct sweep *sweep, const struct device_info *device, struct error *error)
{
    const struct search_options options = {.live = sweep->plan_settings.live};
    struct sweeping sweeping = {.sweep = sweep, .runner = {.settings = sweep->settings, .executor = sweep->executor}};
    const struct trial_source source = {next_trial, take_trial, &sweeping};
    int outcome = -1;

    sweeping.residents.runner = &sweeping.runner;
    if (runner_begin(&sweeping.runner, device, PROBE_ALL, &options, error) != 0 ||
        (sweep->device_begun != NULL && sweep->device_begun(sweep->context, error) != 0) ||
        count_points(&sweeping, error) != 0)
        goto out;
    outcome = begin_scenario(&sweeping, 0, error);
    if (outcome > 0)
        outcome = runner_drive(&sweeping.runner, &source, error);
    if (outcome == 0 && sweeping.ended)
        outcome = runner_note_share(&sweeping.runner, sweeping.count.planned, sweeping.count.own, true, error);
out:
    runner_end(&sweeping.runner);
    residents_fini(&sweeping.residents);
    return outcome;
}
