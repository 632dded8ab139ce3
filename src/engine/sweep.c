#include "engine/sweep.h"

#include "core/lots.h"
#include "engine/residents.h"
#include "scenario/plan.h"
#include "store/prediction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNDECIDED_TRIES = 3,    /* batches of a point that gave neither a pass nor a stall */
    SURPRISE_TRIES = 3,     /* batches of a point that surprised: does it always? */
    UNDECIDED_PATIENCE = 4, /* times longer a stall must stand in the next */
};

struct sweeping {
    struct sweep *sweep;
    struct runner runner;
    struct plan plan;
    struct residents residents;
    struct known_limit *limit; /* of the present build, or NULL */
    struct known_limit none;   /* of what is launched over a range */
    uint32_t position;         /* of the present point among all, run or not */
    uint64_t total;            /* points of all scenarios */
    /* At the first point of the present build. */
    uint32_t build_position, build_fails;
};

/* --- which points --- */

static bool is_wanted(const struct sweeping *sweeping, const struct trial *trial)
{
    const struct sweep *sweep = sweeping->sweep;
    char id[256];
    trial_point_id(trial, id, sizeof id);
    return (sweep->included->count == 0 || known_patterns_match(sweep->included, id)) &&
           !known_patterns_match(sweep->excluded, id) && !known_is_skipped(sweep->known, id) &&
           runner_has(&sweeping->runner, id);
}

static bool goes_on(const struct sweeping *sweeping)
{
    const struct sweep *sweep = sweeping->sweep;
    return !runner_is_over(&sweeping->runner) && (sweep->max_fails == 0 || sweep->fails < sweep->max_fails);
}

/* The plan came to another build. What is launched over a range has no limit: none of its groups waits. */
static int need_limit(struct sweeping *sweeping, struct error *error)
{
    sweeping->build_position = sweeping->position;
    sweeping->build_fails = sweeping->sweep->fails;
    sweeping->limit = &sweeping->none;
    if (entry_has_range(&sweeping->plan.scenario->entry))
        return 0;
    sweeping->limit = residents_need(&sweeping->residents, &sweeping->plan, sweeping->position, error);
    if (sweeping->limit == NULL)
        return -1;
    sweeping->plan.resident = sweeping->limit->resident;
    return 0;
}

/* --- points --- */

/* What the lists that were given say of the point. Returns the verdicts with which it is known to fail. */
static verdict_set note_known(const struct sweep *sweep, const struct trial *trial, struct store_prediction *prediction)
{
    char id[256];
    trial_point_id(trial, id, sizeof id);
    const verdict_set failure = known_failure(sweep->known, id);
    if (failure != 0) {
        snprintf(prediction->known, sizeof prediction->known, "failure");
        verdict_set_print(failure, prediction->known_verdicts, sizeof prediction->known_verdicts);
    } else if (known_is_flaky(sweep->known, id)) {
        snprintf(prediction->known, sizeof prediction->known, "flake");
    }
    return failure;
}

/* What is said of a point before it runs, and what its batches have come to so far. */
struct course {
    struct store_prediction prediction;
    struct expected expected; /* the same, as sets */
    bool undecided;           /* nothing was decided of a launch of the last batch, although it should have been */
    bool undecided_surprise;  /* such a launch of it was a surprise */
    bool overdue;             /* the time of a launch was up: another batch would only take as long */
    verdict_set surprising;   /* verdicts of launches that were decided and were one, in any batch */
    uint32_t counts[VERDICT_COUNT]; /* of all batches */
    uint32_t shown;                 /* groups that a launch has shown to be resident together */
    bool ended;    /* each launch of the last batch came to its end: what failed in another way may cost much */
    bool recalled; /* all batches are of the run that goes on */
};

/* What passes although it should starve shows that its groups were resident together. */
static uint32_t shown_by(const struct trial *trial, const struct observation *observation, bool surprise)
{
    const bool passed = verdict_judge(trial, observation) == VERDICT_PASS;
    const uint32_t groups = passed && surprise ? trial->groups : search_proven(trial, observation);
    return groups > 0 ? groups + trial->work.held : 0;
}

static void take_launch(struct course *course, const struct trial *trial, const struct observation *observation,
                        bool loops_cut)
{
    const enum verdict verdict = verdict_judge(trial, observation);
    const bool undecided = verdict == VERDICT_INCONCLUSIVE;
    const bool surprise = expected_is_surprise(&course->expected, verdict, cause_judge(trial, observation), loops_cut);
    const uint32_t shown = shown_by(trial, observation, surprise);

    course->undecided = course->undecided || (undecided && !verdict_is_in(verdict, course->expected.verdicts));
    course->undecided_surprise = course->undecided_surprise || (surprise && undecided);
    if (surprise && !undecided)
        course->surprising |= UINT32_C(1) << verdict;
    course->counts[verdict] += 1;
    course->overdue = course->overdue || observation->overdue;
    if (shown > course->shown)
        course->shown = shown;
    course->ended = course->ended && observation->outcome == OUTCOME_ENDED;
}

static void take_batch(struct course *course, const struct trial *trial, const struct remote_result *result,
                       bool loops_cut)
{
    course->undecided = course->undecided_surprise = false;
    course->ended = true;
    course->recalled = course->recalled && result->recalled;
    for (uint32_t i = 0; i < result->count; ++i)
        take_launch(course, trial, &result->observations[i], loops_cut);
}

static int run_batch(struct sweeping *sweeping, struct trial *trial, struct course *course, struct error *error)
{
    struct remote_result result;

    trial->gap_ns = search_gap_told_ns(sweeping->limit->gap_ns, trial->confirm_ns);
    const int outcome = runner_run(&sweeping->runner, trial, &course->prediction, &result, error);
    trial->work.seed = lots_launch_seed(trial->work.seed, result.count);
    residents_note_gaps(&sweeping->residents, sweeping->limit, &result);
    take_batch(course, trial, &result, sweeping->runner.stored.probe.loops_cut_at != 0);
    remote_result_fini(&result);
    return outcome;
}

/* The present point, and what is said of it before it runs; how long a launch must stand is the device's. As plan_trial. */
static int predict(struct sweeping *sweeping, struct trial *trial, struct course *course, struct error *error)
{
    const struct search_device *settings = &sweeping->runner.stored.settings;
    const struct plan *plan = &sweeping->plan;
    struct store_prediction *prediction = &course->prediction;
    struct expected *expected = &course->expected;
    const char *reason;

    const int outcome = plan_trial(plan, trial, expected, &reason, error);
    if (outcome != 0)
        return outcome;
    trial->suspect_ns = settings->suspect_ns;
    trial->confirm_ns = settings->confirm_ns;
    trial->close_ns = settings->close_ns;
    *prediction = (struct store_prediction){.position = sweeping->position};
    prediction->resident = plan->recounted != 0 ? plan->recounted : plan->resident;
    prediction_write(expected, prediction);
    expected->tolerated = note_known(sweeping->sweep, trial, prediction);
    return 0;
}

/*
 * A launch has shown more groups together than were counted, which nothing but a wrong count explains: counts them again.
 * If there are more, the point is predicted anew, and what the wrong limit explains is no surprise. 1: it is.
 */
static int doubt_limit(struct sweeping *sweeping, struct trial *trial, struct course *course, struct error *error)
{
    const uint32_t counted = course->prediction.resident;
    struct known_limit *limit = sweeping->limit;

    if (sweeping->plan.resident_is_least || counted == 0 || course->shown <= counted)
        return 0;
    if (residents_recount(&sweeping->residents, &sweeping->plan, sweeping->position, limit, course->shown, error) != 0)
        return -1;
    if (limit->resident <= counted)
        return 0;
    const uint32_t seed = trial->work.seed;
    sweeping->plan.recounted = limit->resident;
    if (predict(sweeping, trial, course, error) != 0)
        return -1;
    trial->work.seed = seed;
    course->surprising = limit_unexplained(course->surprising) & ~course->expected.verdicts;
    course->undecided = course->undecided_surprise = false;
    return 1;
}

/* In any launch, or as a whole. */
static bool is_surprising(const struct course *course)
{
    const struct expected *expected = &course->expected;
    return course->surprising != 0 || course->undecided_surprise ||
           whole_judge(&expected->whole, course->counts, expected->tolerated) != 0;
}

/*
 * A point is run again where nothing was decided, each time with more patience, and where it surprised: whoever
 * reads the report wants to know whether it always does. That it did so once is what counts, as in the report.
 */
static int run_point(struct sweeping *sweeping, struct trial *trial, struct course *course, struct error *error)
{
    /* Where loops are cut, a fuse must be so short that nothing can be seen to stall, however often. */
    const int most = sweeping->runner.stored.probe.loops_cut_at != 0 ? 1 : UNDECIDED_TRIES;
    bool again = true;

    for (int tries = 1; again && goes_on(sweeping); ++tries) {
        if (run_batch(sweeping, trial, course, error) != 0)
            return -1;
        const int doubted = doubt_limit(sweeping, trial, course, error);
        if (doubted < 0)
            return -1;
        if (doubted > 0) {
            tries = 0;
            continue;
        }
        if (course->undecided)
            trial->confirm_ns *= UNDECIDED_PATIENCE;
        again = !course->overdue && ((course->undecided && tries < most) ||
                                     (is_surprising(course) && course->ended && tries < SURPRISE_TRIES));
    }
    return 0;
}

static int visit_point(struct sweeping *sweeping, struct error *error)
{
    struct course course = {.recalled = true};
    struct trial trial;

    sweeping->position += 1;
    const int planned = predict(sweeping, &trial, &course, error);
    if (planned != 0)
        return planned < 0 ? -1 : 0;
    if (!is_wanted(sweeping, &trial))
        return 0;
    const int outcome = run_point(sweeping, &trial, &course, error);
    /* A run that goes on has stopped for those before. */
    if (!course.recalled && strcmp(course.prediction.known, "flake") != 0)
        sweeping->sweep->fails += is_surprising(&course);
    return outcome;
}

static void begin_plan(struct sweeping *sweeping, const struct scenario *scenario)
{
    const struct sweep *sweep = sweeping->sweep;
    const struct store_device *stored = &sweeping->runner.stored;

    plan_init(&sweeping->plan, scenario, stored->info.compute_units, MIRROR_GROUPS, &stored->probe);
    sweeping->plan.seed_given = sweep->seed_given;
    sweeping->plan.seed = sweep->seed;
    sweeping->plan.iterations_given = sweep->iterations_given;
    sweeping->plan.iterations = sweep->iterations;
    sweeping->plan.live = sweep->live;
    sweeping->plan.progress_kept = sweep->progress_kept;
    /* A loop that is cut may end before a group's thread has had its turn. */
    sweeping->plan.resident_is_least = stored->probe.loops_cut_at != 0;
}

static void count_points(struct sweeping *sweeping)
{
    for (size_t i = 0; i < sweeping->sweep->count; ++i) {
        begin_plan(sweeping, sweeping->sweep->scenarios[i]);
        sweeping->total += plan_length(&sweeping->plan);
    }
}

/* Its limit was wrong, and with it how many groups its points have, and what was expected of them. */
static void begin_build_again(struct sweeping *sweeping)
{
    plan_again(&sweeping->plan);
    sweeping->position = sweeping->build_position;
    sweeping->sweep->fails = sweeping->build_fails;
}

static int run_scenario(struct sweeping *sweeping, const struct scenario *scenario, struct error *error)
{
    struct sweep *sweep = sweeping->sweep;

    begin_plan(sweeping, scenario);
    bool more = plan_next(&sweeping->plan);
    while (goes_on(sweeping) && more) {
        if (sweeping->plan.build_changed && need_limit(sweeping, error) != 0)
            return -1;
        if (goes_on(sweeping) && visit_point(sweeping, error) != 0)
            return -1;
        if (sweep->point_ended != NULL)
            sweep->point_ended(sweep->context, sweeping->position, sweeping->total, sweep->fails);
        if (sweeping->plan.recounted != 0)
            begin_build_again(sweeping);
        else
            more = plan_next(&sweeping->plan);
    }
    return sweep->scenario_ended != NULL ? sweep->scenario_ended(sweep->context, scenario, error) : 0;
}

int sweep_device(struct sweep *sweep, const struct device_info *device, struct error *error)
{
    const struct search_options options = {.live = sweep->live};
    struct sweeping sweeping = {.sweep = sweep, .runner = {.settings = sweep->settings, .executor = sweep->executor}};
    int outcome = -1;

    sweeping.residents.runner = &sweeping.runner;
    if (runner_begin(&sweeping.runner, device, PROBE_ALL, &options, error) != 0)
        goto out;
    if (sweep->device_begun != NULL && sweep->device_begun(sweep->context, error) != 0)
        goto out;
    count_points(&sweeping);
    for (size_t i = 0; i < sweep->count && goes_on(&sweeping); ++i)
        if (run_scenario(&sweeping, sweep->scenarios[i], error) != 0)
            goto out;
    outcome = 0;
out:
    runner_end(&sweeping.runner);
    residents_fini(&sweeping.residents);
    return outcome;
}
