#include "report/progress.h"

#include "base/alloc.h"
#include "litmus/form.h"
#include "litmus/lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is expected --- */

int progress_expectation_parse(const char *text, struct progress_expectation *expectation, struct error *error)
{
    enum litmus_model model;
    enum litmus_fairness fairness;
    const enum block_level level = level_take(&text);

    if (litmus_read_promise(text, &model, &fairness, error) != 0)
        return -1;
    for (enum litmus_model other = 0; other < LITMUS_MODELS; ++other)
        for (enum litmus_fairness weaker = 0; weaker < LITMUS_FAIRNESSES; ++weaker)
            if (litmus_implies(model, fairness, other, weaker))
                expectation->models[level][other][weaker] = true;
    return 0;
}

/* --- reading --- */

/* A test by one engine, for the comparison of engines. */
struct entry {
    char *key; /* all but the engine */
    struct mapping mapping;
    enum block_engine engine;
    bool all, none; /* of its launches stalled */
    bool starved;   /* threads waited for one that had not started */
};

struct reading {
    struct progress_device *device; /* as a whole, */
    struct progress_device *at;     /* and at the level of the present block */
    struct entry *entries;
    size_t count;
    struct error *error;
};

/* The device has no such threads. A test that is too long to be compiled is another matter. */
static bool is_not_offered(const struct store_trial *trial)
{
    return trial->trial.block.level != LEVEL_GROUP && trial->ended && trial->facts.threads == 0 && trial->count > 0 &&
           trial->launches[0].observation.outcome == OUTCOME_UNSUPPORTED;
}

const char *progress_trouble(const struct store_trial *trial)
{
    if (!trial->ended)
        return "the program ended first";
    if (trial->count > 0 && trial->launches[0].verdict == VERDICT_PASS)
        return NULL;
    if (trial->note[0] != '\0')
        return trial->note;
    return trial->count > 0 && trial->launches[0].observation.outcome == OUTCOME_INTERRUPTED ? "it was interrupted"
                                                                                             : "the reason is unknown";
}

static void note(char **noted, const char *text)
{
    free(*noted);
    *noted = xstrdup(text);
}

static struct progress_device *level_of(struct progress_device *device, enum block_level level)
{
    if (level == LEVEL_GROUP)
        return device;
    if (device->below[level] == NULL) {
        struct progress_device *below = device->below[level] = xcalloc(1, sizeof *below);
        below->stored = device->stored;
        below->level = level;
        below->classification.blind = device->classification.blind;
    }
    return device->below[level];
}

static void add_entry(struct reading *reading, const struct store_trial *trial, const struct store_test *test)
{
    const struct trial_block *block = &trial->trial.block;
    const struct test_outcome *outcome = &test->outcome;
    struct entry entry = {.mapping = block->mapping, .engine = block->engine};

    GROW(reading->entries, reading->count);
    entry.key = xasprintf("%s %d %u %u %d %u", test->program, (int)block->mapping.kind, block->mapping.seed,
                          trial->trial.footprint.local_size, block->guarded, trial->trial.groups);
    entry.all = outcome->ran > 0 && outcome->stalled == outcome->ran;
    entry.starved = outcome->state.starved;
    entry.none = outcome->ran > 0 && outcome->stalled == 0 && outcome->undecided == 0;
    reading->entries[reading->count++] = entry;
}

static void count_test(struct reading *reading, const struct test_outcome *outcome)
{
    struct progress_device *device = reading->at;

    device->tests += 1;
    device->launches += outcome->ran + outcome->undecided;
    device->stalled += outcome->stalled;
    device->undecided += outcome->undecided;
    device->stalled_tests += outcome->stalled > 0;
    device->cut_tests += outcome->cut;
    if (outcome->stall_ns == 0)
        return;
    device->stall_sum_ns += outcome->stall_ns;
    device->stall_count += 1;
    device->stall_ns = device->stall_sum_ns / device->stall_count;
}

/* --- machines of lanes --- */

/* Launches of a machine are all alike. */
static bool speaks_against(const struct litmus_case *found, enum lanes_machine machine)
{
    const struct test_outcome *outcome = &found->outcome;
    const int ends = lanes_ends(machine, found->engine, &found->program, &found->mapping);

    return ends >= 0 && outcome->stalled != (ends > 0 ? 0 : outcome->ran);
}

static void compare_with_machines(struct progress_device *device, const struct litmus_case *found)
{
    const struct test_outcome *outcome = &found->outcome;

    if (outcome->ran == 0 || outcome->undecided > 0 || outcome->cut || (outcome->stalled > 0 && !outcome->confirmed))
        return;
    ++device->lanes_compared;
    for (enum lanes_machine machine = LANES_OF_A_MODEL + 1; machine < LANES_MACHINES; ++machine)
        if ((device->lanes_unlike >> machine & 1) == 0 && lanes_are_bound(machine, device->level) &&
            speaks_against(found, machine))
            device->lanes_unlike |= UINT32_C(1) << machine;
}

uint32_t progress_like(const struct progress_device *device)
{
    uint32_t like = 0;

    for (enum lanes_machine machine = LANES_OF_A_MODEL + 1; machine < LANES_MACHINES; ++machine)
        if (device->lanes_compared > 0 && lanes_are_bound(machine, device->level))
            like |= UINT32_C(1) << machine;
    return like & ~device->lanes_unlike;
}

static int take_test(struct reading *reading, const struct store_trial *trial, const struct store_test *test)
{
    const struct trial_block *block = &trial->trial.block;
    struct litmus_case found = {.mapping = block->mapping, .engine = block->engine, .outcome = test->outcome};
    struct litmus_cursor cursor = {.at = test->program, .line_start = test->program, .line = 1};

    if (litmus_read_text(&cursor, &found.program, reading->error) != 0 ||
        litmus_classify(&reading->at->classification, &found, reading->error) != 0)
        return error_context(reading->error, "test %.80s of trial %.80s", test->program, trial->name);
    count_test(reading, &test->outcome);
    /* Below groups engines are forms of a program, which may differ. */
    if (block->level == LEVEL_GROUP)
        add_entry(reading, trial, test);
    else
        compare_with_machines(reading->at, &found);
    return 0;
}

/* The search is fed with what was stored: it comes to what it came to then. */
static void take_limit(struct progress_device *device, const struct store_trial *trial)
{
    const struct test_outcome nothing = {.test = 0};
    struct block block = {.groups = 0};

    if (!limit_search_begun(&device->limit))
        limit_search_init(&device->limit, LIMIT_SEARCH_GROUPS, 1);
    if (limit_search_next(&device->limit, &block) && block.groups == trial->trial.groups)
        limit_search_take(&device->limit, trial->test_count > 0 ? &trial->tests[0].outcome : &nothing);
}

static int take_trial(void *context, const struct store_trial *trial)
{
    struct reading *reading = context;
    struct progress_device *device;

    if (trial->trial.kind != TRIAL_PROGRESS)
        return 0;
    device = reading->at = level_of(reading->device, trial->trial.block.level);
    if (block_is_of_limit(&trial->trial.block)) {
        take_limit(device, trial);
        return 0;
    }
    device->blocks += 1;
    if (is_not_offered(trial)) {
        note(&device->not_offered, trial->note);
        return 0;
    }
    const char *trouble = progress_trouble(trial);
    if (trouble != NULL) {
        device->missing += 1;
        note(&device->trouble, trouble);
    }
    device->duration_ns += trial->duration_ns;
    const uint32_t groups = trial->facts.threads != 0 ? (uint32_t)trial->facts.threads : trial->trial.groups;
    if (groups > device->most_groups)
        device->most_groups = groups;
    for (uint32_t i = 0; i < trial->test_count; ++i)
        if (take_test(reading, trial, &trial->tests[i]) != 0)
            return -1;
    return 0;
}

/* --- do the engines agree? --- */

static int by_key(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    const int order = strcmp(a->key, b->key);
    return order != 0 ? order : (int)a->engine - (int)b->engine;
}

static void add_disagreement(struct progress_device *device, const struct entry *stalled)
{
    if (device->disagreements == NULL)
        device->disagreements = xcalloc(PROGRESS_LISTED, sizeof *device->disagreements);
    if (device->disagreement_count++ >= PROGRESS_LISTED)
        return;
    device->disagreements[device->disagreement_count - 1] = (struct progress_disagreement){
        .program = xstrndup(stalled->key, strcspn(stalled->key, " ")),
        .mapping = stalled->mapping,
        .stalled = stalled->engine,
    };
}

static void compare_engines(struct reading *reading)
{
    if (reading->count > 0)
        qsort(reading->entries, reading->count, sizeof *reading->entries, by_key);
    for (size_t i = 1; i < reading->count; ++i) {
        const struct entry *a = &reading->entries[i - 1], *b = &reading->entries[i];
        if (a->engine == b->engine || strcmp(a->key, b->key) != 0)
            continue;
        reading->device->compared += (a->all || a->none) && (b->all || b->none);
        if (!(a->all && b->none) && !(a->none && b->all))
            continue;
        if (!(a->all ? a : b)->starved)
            reading->device->livelocks_apart += 1;
        else
            add_disagreement(reading->device, a->all ? a : b);
    }
}

/* --- devices --- */

static int take_device(struct progress_report *report, struct store *store, const struct store_device *stored,
                       struct error *error)
{
    GROW(report->devices, report->count);
    struct progress_device *device = &report->devices[report->count++];
    *device = (struct progress_device){
        .stored = *stored,
        .classification = {.blind = stored->probe.loops_cut_at != 0},
    };
    struct reading reading = {.device = device, .error = error};
    const struct store_walk trials = {stored->id, .take = take_trial, .context = &reading};
    const int outcome = store_each_trial(store, &trials, error);
    if (outcome == 0)
        compare_engines(&reading);
    for (size_t i = 0; i < reading.count; ++i)
        free(reading.entries[i].key);
    free(reading.entries);
    return outcome;
}

int progress_report_read(struct progress_report *report, struct store *store, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found;

    while ((found = store_next_device(store, &stored, error)) == 1)
        if (take_device(report, store, &stored, error) != 0)
            return -1;
    return found;
}

const struct progress_device *progress_at(const struct progress_device *device, enum block_level level)
{
    bool any_below = false;

    if (level != LEVEL_GROUP)
        return device->below[level];
    for (int below = 0; below < LEVEL_COUNT; ++below)
        any_below = any_below || device->below[below] != NULL;
    return device->blocks > 0 || !any_below ? device : NULL;
}

static void free_level(struct progress_device *device)
{
    for (size_t k = 0; k < device->disagreement_count && k < PROGRESS_LISTED; ++k)
        free(device->disagreements[k].program);
    free(device->disagreements);
    free(device->trouble);
    free(device->not_offered);
    litmus_classification_fini(&device->classification);
}

void progress_report_fini(struct progress_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        for (int level = 0; level < LEVEL_COUNT; ++level)
            if (report->devices[i].below[level] != NULL)
                free_level(report->devices[i].below[level]);
        for (int level = 0; level < LEVEL_COUNT; ++level)
            free(report->devices[i].below[level]);
        free_level(&report->devices[i]);
    }
    free(report->devices);
    *report = (struct progress_report){.devices = NULL};
}

static bool breaks(const struct progress_device *device, const struct progress_expectation *expectation)
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            if (expectation->models[device->level][model][fairness] &&
                !litmus_holds(&device->classification, model, fairness))
                return true;
    return false;
}

enum status progress_report_status(const struct progress_report *report, const struct progress_expectation *expectation)
{
    bool surprise = false, ran = false;

    for (size_t i = 0; i < report->count; ++i) {
        if (report->devices[i].stored.wedged)
            return STATUS_WEDGED;
        for (enum block_level level = 0; level < LEVEL_COUNT; ++level) {
            const struct progress_device *device = progress_at(&report->devices[i], level);
            if (device == NULL)
                continue;
            ran = ran || device->tests > 0;
            surprise = surprise || device->missing > 0 || device->disagreement_count > 0 || breaks(device, expectation);
        }
    }
    return surprise ? STATUS_SURPRISE : ran ? STATUS_OK : STATUS_UNSUPPORTED;
}
