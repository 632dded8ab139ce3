#include "cli/sweep.h"

#include "cli/runner.h"
#include "core/lots.h"
#include "host/signals.h"
#include "report/prediction.h"
#include "scenario/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNDECIDED_TRIES = 3,    /* batches of a point that gave neither a pass nor a stall */
    SURPRISE_TRIES = 3,     /* batches of a point that surprised: does it always? */
    UNDECIDED_PATIENCE = 4, /* times longer a stall must stand in the next */
    LONGER = 8,             /* times, of a census that is made again */
    MOST_CLOSE_NS = 50000000,
};

/* The limit of one build, measured in the kernel itself. */
struct known_limit {
    char kernel[48];
    char folder[256];
    char options[sizeof((struct workload *)0)->options];
    enum dialect dialect;
    uint32_t local_size;
    uint32_t resident; /* 0: it could not be measured */
    uint64_t gap_ns;   /* the longest time without a change seen with it */
};

struct sweeping {
    struct sweep *sweep;
    struct runner runner;
    struct plan plan;
    struct known_limit *limits;
    size_t limit_count;
    struct known_limit *limit; /* of the present build, or NULL */
    struct known_limit none;   /* of what is launched over a range */
    uint32_t most_resident;    /* of all builds */
    uint64_t gap_ns;           /* the longest time without a change seen in any trial */
    uint32_t position;         /* of the present point among all, run or not */
    uint64_t total;            /* points of all scenarios */
};

/* --- which points --- */

static bool is_wanted(const struct sweeping *sweeping, const struct trial *trial)
{
    const struct sweep *sweep = sweeping->sweep;
    char id[256];
    trial_point_id(trial, id, sizeof id);
    return (sweep->included->count == 0 || known_patterns_match(sweep->included, id)) &&
           !known_patterns_match(sweep->excluded, id) && !known_is_skipped(sweep->known, id) &&
           shard_has(&sweeping->runner.shard, id);
}

static bool goes_on(const struct sweeping *sweeping)
{
    const struct sweep *sweep = sweeping->sweep;
    return !sweeping->runner.wedged && signals_received() == 0 &&
           (sweep->max_fails == 0 || sweep->fails < sweep->max_fails);
}

/* --- limits --- */

static struct known_limit *find_limit(const struct sweeping *sweeping, const struct trial *census)
{
    for (size_t i = 0; i < sweeping->limit_count; ++i) {
        struct known_limit *limit = &sweeping->limits[i];
        if (strcmp(limit->kernel, census->work.kernel) == 0 && strcmp(limit->folder, census->work.folder) == 0 &&
            strcmp(limit->options, census->work.options) == 0 && limit->dialect == census->dialect &&
            limit->local_size == census->footprint.local_size)
            return limit;
    }
    return NULL;
}

static struct known_limit *add_limit(struct sweeping *sweeping, const struct trial *census)
{
    struct known_limit *limits = realloc(sweeping->limits, (sweeping->limit_count + 1) * sizeof *limits);
    if (limits == NULL)
        return NULL;
    sweeping->limits = limits;
    struct known_limit *limit = &limits[sweeping->limit_count++];
    *limit = (struct known_limit){.dialect = census->dialect, .local_size = census->footprint.local_size};
    memcpy(limit->kernel, census->work.kernel, sizeof limit->kernel);
    memcpy(limit->folder, census->work.folder, sizeof limit->folder);
    memcpy(limit->options, census->work.options, sizeof limit->options);
    return limit;
}

/* The search asks for a census until its estimates agree. */
static int count_resident(struct sweeping *sweeping, uint32_t local_size, uint64_t close_ns, struct known_limit *limit,
                          struct error *error)
{
    const struct search_options options = {.estimators = {[ESTIMATOR_CENSUS] = true}, .repeats = 1};
    const struct footprint footprint = {.local_size = local_size};
    struct search_device settings = sweeping->runner.stored.settings;
    struct remote_result result;
    struct search search;
    struct trial trial, census;
    int outcome = 0;

    settings.close_ns = close_ns;
    search_init(&search, &options, &settings, &footprint);
    while (outcome == 0 && goes_on(sweeping) && search_next(&search, &trial)) {
        if (plan_census(&sweeping->plan, trial.groups, &census, error) != 0)
            return -1;
        trial.dialect = census.dialect;
        trial.work = census.work;
        const struct store_prediction prediction = {.position = sweeping->position};
        outcome = runner_run(&sweeping->runner, &trial, &prediction, &result, error);
        if (outcome == 0)
            search_take(&search, &trial, result.observations, result.count, result.duration_ns);
        remote_result_fini(&result);
    }
    if (search.census_exact && search.counted > limit->resident)
        limit->resident = search.counted;
    if (search.gap_ns > limit->gap_ns)
        limit->gap_ns = search.gap_ns;
    return outcome;
}

static uint64_t within(uint64_t least, uint64_t value, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/*
 * On a busy CPU groups may arrive so late that estimates agree on too few. So the time begins at half of the
 * longest gap that any kernel has shown there, and a count below that of another kernel, as well as the
 * first of all, is made again with a time that is longer still.
 */
static int measure_limit(struct sweeping *sweeping, uint32_t local_size, struct known_limit *limit, struct error *error)
{
    const uint64_t least_ns = sweeping->runner.stored.settings.close_ns;
    const bool cpu = sweeping->runner.stored.info.kind == DEVICE_CPU;
    const uint64_t close_ns = cpu ? within(least_ns, sweeping->gap_ns / 2, MOST_CLOSE_NS) : least_ns;

    if (count_resident(sweeping, local_size, close_ns, limit, error) != 0)
        return -1;
    if ((sweeping->most_resident == 0 || limit->resident < sweeping->most_resident) &&
        sweeping->runner.stored.probe.loops_cut_at == 0 &&
        count_resident(sweeping, local_size, LONGER * close_ns, limit, error) != 0)
        return -1;
    if (limit->resident > sweeping->most_resident)
        sweeping->most_resident = limit->resident;
    return 0;
}

/* The plan came to another build. What is launched over a range has no limit: none of its groups waits. */
static int need_limit(struct sweeping *sweeping, struct error *error)
{
    struct trial census;

    if (entry_has_range(&sweeping->plan.scenario->entry)) {
        sweeping->limit = &sweeping->none;
        return 0;
    }

    if (plan_census(&sweeping->plan, 1, &census, error) != 0)
        return -1;
    struct known_limit *limit = find_limit(sweeping, &census);
    if (limit == NULL) {
        limit = add_limit(sweeping, &census);
        if (limit == NULL)
            return error_set(error, STATUS_HARNESS, "no memory for the limit of a kernel");
        if (measure_limit(sweeping, census.footprint.local_size, limit, error) != 0)
            return -1;
    }
    sweeping->limit = limit;
    sweeping->plan.resident = limit->resident;
    return 0;
}

/* --- points --- */

static void note_gaps(struct sweeping *sweeping, const struct remote_result *result)
{
    for (uint32_t i = 0; i < result->count; ++i) {
        const uint64_t gap_ns = result->observations[i].gap_ns;
        if (gap_ns > sweeping->limit->gap_ns)
            sweeping->limit->gap_ns = gap_ns;
        if (gap_ns > sweeping->gap_ns)
            sweeping->gap_ns = gap_ns;
    }
}

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
    const struct expected *expected;
    bool undecided;          /* nothing was decided of a launch of the last batch, although it should have been */
    bool undecided_surprise; /* such a launch of it was a surprise */
    bool surprising;         /* a launch that was decided was one, in any batch */
    uint32_t counts[VERDICT_COUNT]; /* of all batches */
    bool ended;    /* each launch of the last batch came to its end: what failed in another way may cost much */
    bool recalled; /* all batches are of the run that goes on */
};

static void take_launch(struct course *course, const struct trial *trial, const struct observation *observation,
                        bool loops_cut)
{
    const enum verdict verdict = verdict_judge(trial, observation);
    const bool undecided = verdict == VERDICT_INCONCLUSIVE;
    const bool surprise = expected_is_surprise(course->expected, verdict, cause_judge(trial, observation), loops_cut);

    course->undecided = course->undecided || (undecided && !verdict_is_in(verdict, course->expected->verdicts));
    course->undecided_surprise = course->undecided_surprise || (surprise && undecided);
    course->surprising = course->surprising || (surprise && !undecided);
    course->counts[verdict] += 1;
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

/* In any launch, or as a whole. */
static bool is_surprising(const struct course *course)
{
    const struct expected *expected = course->expected;
    return course->surprising || course->undecided_surprise ||
           whole_judge(&expected->whole, course->counts, expected->tolerated) != 0;
}

/*
 * A point is run again where nothing was decided, each time with more patience, and where it surprised: whoever
 * reads the report wants to know whether it always does. That it did so once is what counts, as in the report.
 */
static int run_point(struct sweeping *sweeping, struct trial *trial, struct expected *expected, struct error *error)
{
    struct store_prediction prediction = {.position = sweeping->position, .resident = sweeping->plan.resident};
    const bool loops_cut = sweeping->runner.stored.probe.loops_cut_at != 0;
    /* Where loops are cut, a fuse must be so short that nothing can be seen to stall, however often. */
    const int most = loops_cut ? 1 : UNDECIDED_TRIES;
    struct course course = {.expected = expected, .recalled = true};
    bool again = true;
    int outcome = 0;

    prediction_write(expected, &prediction);
    expected->tolerated = note_known(sweeping->sweep, trial, &prediction);
    for (int tries = 1; outcome == 0 && again && goes_on(sweeping); ++tries) {
        struct remote_result result;
        trial->gap_ns = sweeping->limit->gap_ns;
        outcome = runner_run(&sweeping->runner, trial, &prediction, &result, error);
        note_gaps(sweeping, &result);
        trial->work.seed = lots_launch_seed(trial->work.seed, result.count);
        take_batch(&course, trial, &result, loops_cut);
        remote_result_fini(&result);
        if (course.undecided)
            trial->confirm_ns *= UNDECIDED_PATIENCE;
        again =
            (course.undecided && tries < most) || (is_surprising(&course) && course.ended && tries < SURPRISE_TRIES);
    }
    /* A run that goes on has stopped for those before. */
    if (!course.recalled && strcmp(prediction.known, "flake") != 0)
        sweeping->sweep->fails += is_surprising(&course);
    return outcome;
}

static int visit_point(struct sweeping *sweeping, struct error *error)
{
    const struct search_device *settings = &sweeping->runner.stored.settings;
    const char *reason;
    struct expected expected;
    struct trial trial;

    const int outcome = plan_trial(&sweeping->plan, &trial, &expected, &reason, error);
    sweeping->position += 1;
    if (outcome != 0)
        return outcome < 0 ? -1 : 0;
    if (!is_wanted(sweeping, &trial))
        return 0;
    trial.suspect_ns = settings->suspect_ns;
    trial.confirm_ns = settings->confirm_ns;
    trial.close_ns = settings->close_ns;
    return run_point(sweeping, &trial, &expected, error);
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

static int run_scenario(struct sweeping *sweeping, const struct scenario *scenario, struct error *error)
{
    struct sweep *sweep = sweeping->sweep;

    begin_plan(sweeping, scenario);
    while (goes_on(sweeping) && plan_next(&sweeping->plan)) {
        if (sweeping->plan.build_changed && need_limit(sweeping, error) != 0)
            return -1;
        if (goes_on(sweeping) && visit_point(sweeping, error) != 0)
            return -1;
        if (sweep->point_ended != NULL)
            sweep->point_ended(sweep->context, sweeping->position, sweeping->total, sweep->fails);
    }
    return sweep->scenario_ended != NULL ? sweep->scenario_ended(sweep->context, scenario, error) : 0;
}

int sweep_device(struct sweep *sweep, const struct device_info *device, struct error *error)
{
    const struct search_options options = {.live = sweep->live};
    struct sweeping sweeping = {.sweep = sweep};
    int outcome = -1;

    measurement_runner(sweep->measurement, &sweeping.runner);
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
    free(sweeping.limits);
    return outcome;
}
