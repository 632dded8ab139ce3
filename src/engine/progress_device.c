#include "engine/progress_device.h"

#include "litmus/code.h"
#include "litmus/limit_search.h"
#include "search/search.h"

enum {
    GROUPS_MOST = LIMIT_SEARCH_GROUPS,
    GROUPS_LEAST = 24,
    ITEMS_CPU = 64, /* of a group, below groups */
    ITEMS_GPU = 1024,
    ITERATIONS_CPU = 5, /* there: what runs them takes them in one order */
    CPU_FACTOR = 12,    /* times the resident limit: workers of a CPU may take many groups at once */
};

/* One device as it goes on. */
struct progress {
    struct progress_run *run;
    struct runner runner;
    uint32_t groups[FOOTPRINTS_LIST]; /* for each local size */
    uint32_t resident[FOOTPRINTS_LIST];
    uint32_t items[FOOTPRINTS_LIST]; /* the same, below groups */
    uint32_t position;               /* of the block in the plan; the census is at 0 */
    struct search census;
    struct progress_plan plan;
    struct block block; /* the present one, */
    struct block one;   /* and that of its test that is repeated by itself: */
    uint32_t repeated;  /* the next such test; test_count: there is none */
    const char *programs[BLOCK_TESTS];
    struct limit_search limit;
    uint64_t own; /* tests that are this shard's */
};

/* --- what the device holds --- */

static int next_census(void *context, struct asked *asked, struct error *error)
{
    struct progress *progress = context;
    (void)error;
    return !runner_is_over(&progress->runner) && search_next(&progress->census, &asked->trial);
}

static void take_census(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct progress *progress = context;
    search_take(&progress->census, &asked->trial, result->observations, result->count, result->duration_ns);
}

/* By a census of the limits kernel; 0: it could not be counted. */
static int count_resident(struct progress *progress, uint32_t local_size, uint32_t *resident, struct error *error)
{
    const struct search_options options = {.estimators[TRIAL_CENSUS] = true, .repeats = 1};
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

/* Work-items of a group, below groups: as asked for, or enough for some sub-groups. On a model device they are what
   groups are elsewhere. */
static uint32_t choose_items(const struct progress *progress, uint32_t local_size)
{
    const struct device_info *info = &progress->runner.stored.info;
    const struct executor *executor = &progress->runner.executor;

    if (executor->operations->holds != NULL)
        return local_size > 1 ? local_size : choose_groups(progress, executor->operations->holds(executor->self));
    const uint32_t items = local_size > 1 ? local_size : info->kind == DEVICE_GPU ? ITEMS_GPU : ITEMS_CPU;

    return items > info->max_local_size && info->max_local_size > 0 ? (uint32_t)info->max_local_size : items;
}

static int prepare(struct progress *progress, struct error *error)
{
    const struct progress_axes *axes = progress->run->axes;
    const struct executor *executor = &progress->runner.executor;

    for (uint32_t i = 0; i < axes->local_sizes.count && !runner_is_over(&progress->runner); ++i) {
        const uint32_t local_size = (uint32_t)axes->local_sizes.values[i];
        progress->items[i] = choose_items(progress, local_size);
        if (!axes->levels[LEVEL_GROUP])
            continue;
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

static int ask(const struct progress *progress, const struct block *block, const char *suite, struct asked *asked)
{
    block_trial(block, suite, &asked->trial);
    asked->trial.dialect = progress->runner.stored.probe.dialect;
    asked->prediction.position = progress->position;
    asked->block = block;
    asked->programs = progress->programs;
    return 1;
}

static void take_out(const struct block *block, uint32_t test, struct block *one)
{
    struct litmus_program program;
    uint32_t at = 0;

    for (uint32_t i = 0; i <= test; ++i)
        litmus_block_next(block, &at, &program);
    *one = *block;
    one->test_count = one->code_count = 0;
    litmus_block_add(one, &program);
}

/* Goes on to the next block of the plan. False: there is none, or the runner is over. */
static bool next_of_plan(struct progress *progress)
{
    uint32_t which[BLOCK_TESTS];

    if (progress->block.test_count > 0) {
        progress->run->done += progress->block.test_count;
        progress_tick(progress->run, 0);
    }
    if (runner_is_over(&progress->runner) || !progress_plan_next(&progress->plan, &progress->block, which))
        return false;
    progress->position += 1;
    progress->repeated = progress->block.test_count;
    for (uint32_t i = 0; i < progress->block.test_count; ++i)
        progress->programs[i] = progress->run->tests->texts[which[i]];
    return true;
}

static int next_block(void *context, struct asked *asked, struct error *error)
{
    struct progress *progress = context;
    const char *suite = progress_suite_name(progress->run->axes->suite);

    (void)error;
    if (progress->repeated < progress->block.test_count && !runner_is_over(&progress->runner)) {
        take_out(&progress->block, progress->repeated, &progress->one);
        ask(progress, &progress->one, suite, asked);
        asked->programs += progress->repeated++;
        return 1;
    }
    while (next_of_plan(progress)) {
        ask(progress, &progress->block, suite, asked);
        if (runner_has_trial(&progress->runner, &asked->trial))
            return 1;
    }
    return 0;
}

/* The device has no such threads, and was asked once. */
static bool is_missing(const struct asked *asked, const struct remote_result *result)
{
    return asked->block->level != LEVEL_GROUP && result->facts.threads == 0 && result->count > 0 &&
           result->observations[0].outcome == OUTCOME_UNSUPPORTED;
}

/* Who was to blame is found by repeating what is left test by test; a single one speaks for itself. */
static void take_block(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct progress *progress = context;

    for (uint32_t i = 0; i < result->test_count; ++i)
        progress->run->stalled += result->tests[i].stalled > 0;
    if (is_missing(asked, result)) {
        progress->plan.missing[asked->block->level] = true;
        return;
    }
    if (asked->block == &progress->block && progress->block.test_count > 1)
        progress->repeated = result->test_count;
}

/* Of the tests of the plan, those that are this shard's. */
static uint64_t own_tests(const struct progress *before)
{
    struct progress progress = *before;
    const char *suite = progress_suite_name(progress.run->axes->suite);
    uint32_t which[BLOCK_TESTS];
    struct trial trial;
    uint64_t own = 0;

    if (before->runner.settings->shard.count == 0)
        return before->run->total;
    while (progress_plan_next(&progress.plan, &progress.block, which)) {
        block_trial(&progress.block, suite, &trial);
        trial.dialect = progress.runner.stored.probe.dialect;
        own += runner_has_trial(&progress.runner, &trial) ? progress.block.test_count : 0;
    }
    return own;
}

/*
 * On a GPU groups wait for places; work-items of one get turns from what chooses anew with each instruction, and are
 * known to have had them. Where a CPU plays the GPU, they wait for its processors.
 */
static uint64_t confirm_below_ns(const struct progress *progress)
{
    const struct store_device *device = &progress->runner.stored;
    const bool is_gpu = device->info.kind == DEVICE_GPU && device->probe.channel == CHANNEL_QUEUE;

    return is_gpu && progress->runner.settings->stall_budget_ns == 0 ? device->settings.confirm_ns / 2
                                                                     : device->settings.confirm_ns;
}

static int run_blocks(struct progress *progress, struct error *error)
{
    const struct search_device *settings = &progress->runner.stored.settings;
    const struct trial_source source = {next_block, take_block, progress};
    const bool is_cpu = progress->runner.stored.info.kind == DEVICE_CPU;

    progress->plan = (struct progress_plan){
        .tests = progress->run->tests,
        .axes = progress->run->axes,
        .groups = progress->groups,
        .resident = progress->resident,
        .items = progress->items,
        .iterations_below = is_cpu && !progress->run->axes->iterations_asked ? ITERATIONS_CPU : UINT32_MAX,
        .suspect_ns = settings->suspect_ns,
        .confirm_ns = settings->confirm_ns,
        .confirm_below_ns = confirm_below_ns(progress),
    };
    progress->run->total = progress_plan_size(&progress->plan);
    progress->own = own_tests(progress);
    if (runner_note_share(&progress->runner, progress->run->total, progress->own, false, error) != 0)
        return -1;
    return runner_drive(&progress->runner, &source, error);
}

/* --- the limit --- */

static int next_limit(void *context, struct asked *asked, struct error *error)
{
    struct progress *progress = context;

    (void)error;
    if (runner_is_over(&progress->runner) || !limit_search_next(&progress->limit, &progress->block))
        return 0;
    progress->position += 1;
    return ask(progress, &progress->block, BLOCK_SUITE_LIMIT, asked);
}

static void take_limit(void *context, const struct asked *asked, const struct remote_result *result)
{
    struct progress *progress = context;
    const struct test_outcome nothing = {.test = 0};

    (void)asked;
    limit_search_take(&progress->limit, result->test_count > 0 ? &result->tests[0] : &nothing);
}

static int search_the_limit(struct progress *progress, struct error *error)
{
    const struct search_device *settings = &progress->runner.stored.settings;
    const struct trial_source source = {next_limit, take_limit, progress};
    char text[LITMUS_TEXT];

    progress->block = (struct block){
        .local_size = (uint32_t)progress->run->axes->local_sizes.values[0],
        .suspect_ns = settings->suspect_ns,
        .confirm_ns = settings->confirm_ns,
        .resident = progress->resident[0],
    };
    litmus_text(&litmus_limit_program, text);
    progress->programs[0] = text;
    limit_search_init(&progress->limit, GROUPS_MOST, progress->run->axes->iterations);
    return runner_drive(&progress->runner, &source, error);
}

/* The limit is searched whole, in one shard: each of its blocks depends on those before. */
static bool wants_limit(const struct progress *progress)
{
    return progress->run->limit && progress->run->axes->levels[LEVEL_GROUP] && !runner_is_over(&progress->runner) &&
           shard_has(&progress->runner.settings->shard, "progress/limit");
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
    if (outcome == 0)
        outcome = runner_note_share(&progress.runner, run->total, progress.own, true, error);
    runner_end(&progress.runner);
    return outcome;
}
