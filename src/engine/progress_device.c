#include "engine/progress_device.h"

#include "litmus/code.h"
#include "litmus/limit_search.h"
#include "search/search.h"

#include <stdlib.h>

enum {
    GROUPS_MOST = LIMIT_SEARCH_GROUPS,
    GROUPS_LEAST = 24,
    CPU_FACTOR = 12, /* times the resident limit: workers of a CPU may take many groups at once */
};

/* One device as it goes on. */
struct progress {
    struct progress_run *run;
    struct runner runner;
    uint32_t groups[FOOTPRINTS_LIST]; /* for each local size */
    uint32_t resident[FOOTPRINTS_LIST];
    uint32_t position; /* of the block in the plan; the census is at 0 */
    struct search census;
};

/* --- what the device holds --- */

static int next_census(void *context, struct trial *trial, struct store_prediction *prediction, struct error *error)
{
    struct progress *progress = context;
    (void)error;
    *prediction = (struct store_prediction){.position = 0};
    return !runner_is_over(&progress->runner) && search_next(&progress->census, trial);
}

static void take_census(void *context, const struct trial *trial, const struct remote_result *result)
{
    struct progress *progress = context;
    search_take(&progress->census, trial, result->observations, result->count, result->duration_ns);
}

/* By a census of the limits kernel; 0: it could not be counted. */
static int count_resident(struct progress *progress, uint32_t local_size, uint32_t *resident, struct error *error)
{
    const struct search_options options = {.estimators[ACT_CENSUS] = true, .repeats = 1};
    const struct footprint footprint = {.local_size = local_size};
    const struct trial_source source = {next_census, take_census, progress};
    struct limit limit;

    search_init(&progress->census, &options, &progress->runner.stored.settings, &footprint);
    if (runner_drive(&progress->runner, &source, error) != 0)
        return -1;
    search_limit(&progress->census, &limit);
    *resident = limit.resident;
    return 0;
}

/* So many groups that those of a first chunk fill the device, and those of the others have to wait. */
static uint32_t choose_groups(const struct progress *progress, uint32_t resident)
{
    const unsigned threads = progress->run->tests->threads > 3 ? progress->run->tests->threads : 3;
    const bool by_units =
        progress->runner.executor.operations->holds != NULL || progress->runner.stored.info.kind == DEVICE_GPU;
    const uint64_t chunk = by_units ? (uint64_t)resident + resident / 8 + 1 : (uint64_t)resident * CPU_FACTOR / 3;
    const uint64_t groups = threads * (chunk > 0 ? chunk : 1);

    return groups > GROUPS_MOST ? GROUPS_MOST : groups < GROUPS_LEAST ? GROUPS_LEAST : (uint32_t)groups;
}

static int prepare(struct progress *progress, struct error *error)
{
    const struct progress_axes *axes = progress->run->axes;
    const struct executor *executor = &progress->runner.executor;

    for (uint32_t i = 0; i < axes->local_sizes.count && !runner_is_over(&progress->runner); ++i) {
        const uint32_t local_size = (uint32_t)axes->local_sizes.values[i];
        if (executor->operations->holds != NULL)
            progress->resident[i] = executor->operations->holds(executor->self);
        else if (count_resident(progress, local_size, &progress->resident[i], error) != 0)
            return -1;
        progress->groups[i] = axes->groups != 0 ? axes->groups : choose_groups(progress, progress->resident[i]);
    }
    return 0;
}

/* --- blocks --- */

void progress_tick(struct progress_run *run, uint32_t done)
{
    const uint64_t all = run->done + done;

    if (run->tests_ended != NULL)
        run->tests_ended(run->context, all, all > run->total ? all : run->total, run->stalled);
}

static void count_stalls(struct progress *progress, const struct remote_block *result)
{
    for (uint32_t i = 0; i < result->count; ++i)
        progress->run->stalled += result->outcomes[i].stalled > 0;
}

/* The part of the block from test `first` on that was not run, each test by itself. */
static int run_each(struct progress *progress, const struct block *block, uint32_t first, const char *const *programs,
                    struct error *error)
{
    struct litmus_program program;
    uint32_t at = 0;
    int outcome = 0;

    for (uint32_t test = 0; test < block->test_count && outcome == 0; ++test) {
        struct block one = *block;
        struct remote_block result;
        litmus_block_next(block, &at, &program);
        if (test < first || runner_is_over(&progress->runner))
            continue;
        one.test_count = one.code_count = 0;
        litmus_block_add(&one, &program);
        outcome = runner_block(&progress->runner, &one, progress_suite_name(progress->run->axes->suite),
                               progress->position, &programs[test], &result, error);
        count_stalls(progress, &result);
        remote_block_fini(&result);
    }
    return outcome;
}

static int run_block(struct progress *progress, const struct block *block, const uint32_t *which, struct error *error)
{
    const char *suite = progress_suite_name(progress->run->axes->suite);
    const char *programs[BLOCK_TESTS];
    char id[256];
    struct trial trial = {.groups = 0};
    struct remote_block result;

    for (uint32_t i = 0; i < block->test_count; ++i)
        programs[i] = progress->run->tests->texts[which[i]];
    block_trial(block, suite, &trial);
    trial_point_id(&trial, id, sizeof id);
    if (!runner_has(&progress->runner, id))
        return 0;
    int outcome = runner_block(&progress->runner, block, suite, progress->position, programs, &result, error);
    count_stalls(progress, &result);
    /* Who was to blame is found by repeating what is left test by test; a single one speaks for itself. */
    const bool is_broken =
        outcome == 0 && (result.incomplete || (result.count < block->test_count && !runner_is_over(&progress->runner)));
    if (is_broken && block->test_count > 1)
        outcome = run_each(progress, block, result.count, programs, error);
    remote_block_fini(&result);
    return outcome;
}

static int run_blocks(struct progress *progress, struct error *error)
{
    const struct search_device *settings = &progress->runner.stored.settings;
    struct progress_plan plan = {
        .tests = progress->run->tests,
        .axes = progress->run->axes,
        .groups = progress->groups,
        .resident = progress->resident,
        .suspect_ns = settings->suspect_ns,
        .confirm_ns = settings->confirm_ns,
    };
    static struct block block;
    uint32_t which[BLOCK_TESTS];

    progress->run->total = progress_plan_size(&plan);
    while (!runner_is_over(&progress->runner) && progress_plan_next(&plan, &block, which)) {
        progress->position += 1;
        if (run_block(progress, &block, which, error) != 0)
            return -1;
        progress->run->done += block.test_count;
        progress_tick(progress->run, 0);
    }
    return 0;
}

/* --- the limit --- */

static int search_the_limit(struct progress *progress, struct error *error)
{
    const struct search_device *settings = &progress->runner.stored.settings;
    struct block block = {
        .local_size = (uint32_t)progress->run->axes->local_sizes.values[0],
        .suspect_ns = settings->suspect_ns,
        .confirm_ns = settings->confirm_ns,
        .resident = progress->resident[0],
    };
    struct limit_search search;
    struct litmus_program program;
    char text[LITMUS_TEXT];
    const char *programs[] = {text};

    litmus_limit_program(&program);
    litmus_text(&program, text);
    limit_search_init(&search, GROUPS_MOST, progress->run->axes->iterations);
    while (!runner_is_over(&progress->runner) && limit_search_next(&search, &block)) {
        struct remote_block result;
        const struct test_outcome nothing = {.test = 0};
        progress->position += 1;
        const int outcome =
            runner_block(&progress->runner, &block, BLOCK_SUITE_LIMIT, progress->position, programs, &result, error);
        if (outcome == 0)
            limit_search_take(&search, result.count > 0 ? &result.outcomes[0] : &nothing);
        remote_block_fini(&result);
        if (outcome != 0)
            return -1;
    }
    return 0;
}

/* The limit is searched whole, in one shard: each of its blocks depends on those before. */
static bool wants_limit(const struct progress *progress)
{
    return progress->run->limit && !runner_is_over(&progress->runner) &&
           runner_has(&progress->runner, "progress/limit");
}

int progress_device(struct progress_run *run, const struct device_info *device, struct error *error)
{
    struct progress progress = {.run = run, .runner = {.settings = run->settings, .executor = run->executor}};
    const struct search_options none = {.repeats = 1};
    int outcome = -1;

    run->done = run->total = run->stalled = 0;
    if (runner_begin(&progress.runner, device, PROBE_FIRST_DIALECT, &none, error) == 0 &&
        prepare(&progress, error) == 0 && run_blocks(&progress, error) == 0)
        outcome = wants_limit(&progress) ? search_the_limit(&progress, error) : 0;
    runner_end(&progress.runner);
    return outcome;
}
