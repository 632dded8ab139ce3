#include "explain/explain.h"
#include "format/escape.h"
#include "format/progress.h"
#include "litmus/form.h"

#include <inttypes.h>

enum { LISTED = 36 }; /* blocks, and tests of a block */

/* --- blocks --- */

struct walk {
    FILE *out;
    struct store *store;
    const char *name; /* of the blocks, or NULL: of all */
    const struct evidence_wanted *wanted;
    struct store_device present;
    enum block_level level; /* of the blocks that are listed */
    bool found;
    uint32_t blocks; /* of a device, in which tests stalled */
    struct error *error;
};

static bool is_wanted(const struct walk *walk, const struct store_trial *trial)
{
    return trial->trial.kind == TRIAL_PROGRESS && (walk->name == NULL || evidence_is_named(trial->name, walk->name));
}

static uint32_t count_stalled(const struct store_trial *trial)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < trial->test_count; ++i)
        count += trial->tests[i].outcome.stalled > 0;
    return count;
}

/* Calls `take` for the trials of the devices that are wanted. */
static int each_trial(struct walk *walk, int (*take)(void *context, const struct store_trial *trial))
{
    int found;

    while ((found = store_next_device(walk->store, &walk->present, walk->error)) == 1) {
        const struct store_walk trials = {walk->present.id, .take = take, .context = walk};
        if (evidence_is_on(walk->wanted, &walk->present.info) &&
            store_each_trial(walk->store, &trials, walk->error) != 0)
            return -1;
    }
    return found;
}

/* --- a block --- */

static int find_block(void *context, const struct store_trial *trial)
{
    struct walk *walk = context;
    walk->found = walk->found || is_wanted(walk, trial);
    return 0;
}

int explain_progress_has(struct store *store, const struct evidence_wanted *wanted, bool *has, struct error *error)
{
    struct walk walk = {.store = store, .name = wanted->trial, .wanted = wanted, .error = error};
    const int outcome = each_trial(&walk, find_block);

    *has = walk.found;
    return outcome;
}

static int print_test(struct walk *walk, const struct store_trial *trial, const struct store_test *test)
{
    struct litmus_case found = {.mapping = trial->trial.block.mapping, .outcome = test->outcome};
    struct litmus_cursor cursor = {.at = test->program, .line_start = test->program, .line = 1};

    if (litmus_read_text(&cursor, &found.program, walk->error) != 0)
        return error_context(walk->error, "test %.80s of trial %.80s", test->program, trial->name);
    fprintf(walk->out, "  %s: %" PRIu32 " of %" PRIu32 " stalled%s; ", test->program, test->outcome.stalled,
            test->outcome.ran, test->outcome.confirmed ? "" : ", not confirmed");
    progress_text_stand(walk->out, &found);
    fprintf(walk->out, "; %" PRIu32 " of %" PRIu32 " %s had started, %" PRIu32 " had ended\n",
            test->outcome.state.started, test->outcome.state.groups,
            progress_text_threads(trial->trial.block.level, test->outcome.state.groups), test->outcome.state.ended);
    return 0;
}

static int print_tests(struct walk *walk, const struct store_trial *trial)
{
    uint32_t listed = 0;

    for (uint32_t i = 0; i < trial->test_count && listed < LISTED; ++i) {
        if (trial->tests[i].outcome.stalled == 0)
            continue;
        if (print_test(walk, trial, &trial->tests[i]) != 0)
            return -1;
        ++listed;
    }
    if (count_stalled(trial) > listed)
        fprintf(walk->out, "  and %" PRIu32 " more\n", count_stalled(trial) - listed);
    return 0;
}

static int print_block(void *context, const struct store_trial *trial)
{
    struct walk *walk = context;

    if (!is_wanted(walk, trial))
        return 0;
    escape_text(walk->out, trial->name);
    fprintf(walk->out, ": %" PRIu32 " of %" PRIu32 " tests stalled", count_stalled(trial), trial->test_count);
    if (walk->present.info.number != 0)
        escape_each(escape_text, walk->out, " on ", DEVICE_LABEL_OF(&walk->present.info), NULL);
    fputc('\n', walk->out);
    const char *trouble = progress_trouble(trial);
    if (trouble != NULL)
        escape_each(escape_text, walk->out, "  The block did not finish: ", trouble, "\n", NULL);
    return print_tests(walk, trial);
}

int explain_progress_block(FILE *out, struct store *store, const struct evidence_wanted *wanted, struct error *error)
{
    struct walk walk = {.out = out, .store = store, .name = wanted->trial, .wanted = wanted, .error = error};
    return each_trial(&walk, print_block);
}

/* --- a run --- */

static int print_stalled(void *context, const struct store_trial *trial)
{
    struct walk *walk = context;
    const uint32_t stalled = count_stalled(trial);

    if (!is_wanted(walk, trial) || trial->trial.block.level != walk->level || stalled == 0 ||
        block_is_of_limit(&trial->trial.block))
        return 0;
    if (walk->blocks++ == 0)
        fputs("\nBlocks with stalled tests (explain RUN:BLOCK lists these tests):\n", walk->out);
    if (walk->blocks > LISTED)
        return 0;
    escape_each(escape_text, walk->out, "  ", trial->name, NULL);
    fprintf(walk->out, ": %" PRIu32 " of %" PRIu32 "\n", stalled, trial->test_count);
    return 0;
}

static int print_stalled_blocks(struct walk *walk, const struct progress_device *device)
{
    const struct store_walk trials = {device->stored.id, .take = print_stalled, .context = walk};

    walk->blocks = 0;
    walk->level = device->level;
    if (store_each_trial(walk->store, &trials, walk->error) != 0)
        return -1;
    if (walk->blocks > LISTED)
        fprintf(walk->out, "  and %" PRIu32 " more\n", walk->blocks - LISTED);
    return 0;
}

static bool breaks_any(const struct litmus_classification *all)
{
    for (int i = 0; i < LITMUS_STANDINGS; ++i)
        if (litmus_is_broken(&all->standings[i / LITMUS_FAIRNESSES][i % LITMUS_FAIRNESSES]))
            return true;
    return false;
}

static int print_level(struct walk *walk, const struct progress_device *device)
{
    progress_text_heading(walk->out, device);
    if (device->not_offered != NULL)
        return 0;
    if (breaks_any(&device->classification))
        progress_text_reasons(walk->out, device);
    else
        fputs("\nNo model is broken.\n", walk->out);
    progress_text_trouble(walk->out, &colors_none, device);
    return print_stalled_blocks(walk, device);
}

static bool has_blocks(const struct progress_device *device)
{
    for (int level = 0; level < LEVEL_COUNT; ++level)
        if (device->below[level] != NULL)
            return true;
    return device->tests > 0 || device->missing > 0;
}

int explain_progress(FILE *out, struct store *store, const struct evidence_wanted *wanted, bool *any,
                     struct error *error)
{
    struct walk walk = {.out = out, .store = store, .wanted = wanted, .error = error};
    struct progress_report report = {.count = 0};
    int outcome = progress_report_read(&report, store, error);

    *any = false;
    for (size_t i = 0; i < report.count && outcome == 0; ++i) {
        const struct progress_device *device = &report.devices[i];
        if (!has_blocks(device) || !evidence_is_on(wanted, &device->stored.info))
            continue;
        if (*any)
            fputc('\n', out);
        *any = true;
        progress_text_device(out, device);
        for (enum block_level level = 0; level < LEVEL_COUNT && outcome == 0; ++level)
            if (progress_at(device, level) != NULL)
                outcome = print_level(&walk, progress_at(device, level));
        progress_text_levels(out, device);
    }
    progress_report_fini(&report);
    return outcome;
}
