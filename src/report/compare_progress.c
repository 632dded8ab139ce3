#include "base/alloc.h"
#include "litmus/form.h"
#include "report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the tests of a device in one run --- */

struct seen_test {
    char *key; /* all that tells it apart */
    struct compare_test test;
    bool ended, stalled; /* both false: nothing is known */
    struct events_seen seen[LITMUS_MODELS][LITMUS_FAIRNESSES];
};

struct seen_tests {
    struct seen_test *all;
    size_t count;
    enum block_level level; /* of them */
    struct litmus_judge judge;
    struct error *error;
};

/* Which of its launches refute which models. */
static int count_refuting(struct seen_tests *tests, const struct store_trial *trial, const struct store_test *stored,
                          struct seen_test *seen)
{
    struct litmus_case found = {.mapping = trial->trial.block.mapping, .outcome = stored->outcome};
    struct litmus_cursor cursor = {.at = stored->program, .line_start = stored->program, .line = 1};
    struct litmus_saying saying = {.confirmed = false};
    const uint32_t ran = stored->outcome.cut ? 0 : stored->outcome.ran;
    const uint32_t stalled = stored->outcome.stalled < ran ? stored->outcome.stalled : ran;

    if (seen->stalled && (litmus_read_text(&cursor, &found.program, tests->error) != 0 ||
                          litmus_interpret(&tests->judge, &found, &saying, tests->error) != 0))
        return -1;
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            seen->seen[model][fairness] = (struct events_seen){
                .events = !saying.confirmed                                        ? 0
                          : litmus_guarantees(&saying.guaranteed, model, fairness) ? stalled
                                                                                   : litmus_is_debtor(&saying, model),
                .launches = ran,
            };
    return 0;
}

static int add_test(struct seen_tests *tests, const struct store_trial *trial, const struct store_test *stored)
{
    const struct trial_block *block = &trial->trial.block;
    const struct test_outcome *outcome = &stored->outcome;
    struct seen_test seen = {
        .test = {.mapping = block->mapping,
                 .engine = block->engine,
                 .local_size = trial->trial.footprint.local_size,
                 .guarded = block->guarded},
        .stalled = !outcome->cut && outcome->stalled > 0 && outcome->confirmed,
        .ended = !outcome->cut && outcome->ran > 0 && outcome->stalled == 0 && outcome->undecided == 0,
    };

    if (count_refuting(tests, trial, stored, &seen) != 0)
        return -1;
    GROW(tests->all, tests->count);
    seen.test.program = xstrdup(stored->program);
    seen.key = xasprintf("%s %d %u %d %u %d", stored->program, (int)block->mapping.kind, block->mapping.seed,
                         (int)block->engine, seen.test.local_size, block->guarded);
    tests->all[tests->count++] = seen;
    return 0;
}

static int take_trial(void *context, const struct store_trial *trial)
{
    struct seen_tests *tests = context;

    if (trial->trial.kind != TRIAL_PROGRESS || trial->trial.block.level != tests->level ||
        block_is_of_limit(&trial->trial.block))
        return 0;
    for (uint32_t i = 0; i < trial->test_count; ++i)
        if (add_test(tests, trial, &trial->tests[i]) != 0)
            return -1;
    return 0;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct seen_test *)a)->key, ((const struct seen_test *)b)->key);
}

static void free_test(struct seen_test *seen)
{
    free(seen->key);
    free(seen->test.program);
}

static void add_seen(struct events_seen sum[LITMUS_MODELS][LITMUS_FAIRNESSES],
                     struct events_seen added[LITMUS_MODELS][LITMUS_FAIRNESSES])
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            sum[model][fairness].events += added[model][fairness].events;
            sum[model][fairness].launches += added[model][fairness].launches;
        }
}

/* A test that was run several times becomes one, which stalls if it did so once. */
static void unite(struct seen_tests *tests)
{
    size_t kept = 0;

    if (tests->count > 0)
        qsort(tests->all, tests->count, sizeof *tests->all, by_key);
    for (size_t i = 0; i < tests->count; ++i) {
        struct seen_test *last = kept > 0 ? &tests->all[kept - 1] : NULL;
        if (last == NULL || by_key(last, &tests->all[i]) != 0) {
            tests->all[kept++] = tests->all[i];
            continue;
        }
        last->stalled = last->stalled || tests->all[i].stalled;
        last->ended = !last->stalled && (last->ended || tests->all[i].ended);
        add_seen(last->seen, tests->all[i].seen);
        free_test(&tests->all[i]);
    }
    tests->count = kept;
}

static int read_tests(struct store *store, const struct progress_device *device, struct seen_tests *tests,
                      struct error *error)
{
    *tests = (struct seen_tests){.level = device != NULL ? device->level : LEVEL_GROUP, .error = error};
    if (device != NULL &&
        store_each_trial(store, &(struct store_walk){device->stored.id, .take = take_trial, .context = tests}, error) !=
            0)
        return -1;
    unite(tests);
    return 0;
}

static void free_tests(struct seen_tests *tests)
{
    for (size_t i = 0; i < tests->count; ++i)
        free_test(&tests->all[i]);
    free(tests->all);
    litmus_judge_fini(&tests->judge);
}

/* --- what changed --- */

static void note_change(struct compare_progress_device *device, struct seen_test *now)
{
    GROW(device->tests, device->test_count);
    now->test.stalls = now->stalled;
    device->tests[device->test_count++] = now->test;
    now->test.program = NULL; /* it has moved */
}

static void compare_both(struct compare_progress_device *device, struct seen_test *before, struct seen_test *now)
{
    const bool known = (before->ended || before->stalled) && (now->ended || now->stalled);

    add_seen(device->seen_before, before->seen);
    add_seen(device->seen_after, now->seen);
    device->undecided += !known;
    device->same += known && before->stalled == now->stalled;
    if (known && before->stalled != now->stalled)
        note_change(device, now);
}

static int by_length(const void *left, const void *right)
{
    const struct compare_test *a = left, *b = right;
    const size_t length = strlen(a->program), other = strlen(b->program);

    if (length != other)
        return length < other ? -1 : 1;
    const int order = strcmp(a->program, b->program);
    return order != 0 ? order : (int)a->mapping.kind - (int)b->mapping.kind;
}

/* Both lists are sorted by key. */
static void compare_tests(struct compare_progress_device *device, struct seen_tests *before, struct seen_tests *after)
{
    size_t old = 0, new = 0;

    while (old < before->count || new < after->count) {
        const int order = old == before->count  ? 1
                          : new == after->count ? -1
                                                : by_key(&before->all[old], &after->all[new]);
        device->only_before += order < 0;
        device->only_after += order > 0;
        if (order == 0)
            compare_both(device, &before->all[old], &after->all[new]);
        old += order <= 0;
        new += order >= 0;
    }
    if (device->test_count > 0)
        qsort(device->tests, device->test_count, sizeof *device->tests, by_length);
}

int compare_progress(struct compare_progress_device *device, struct store *before, struct store *after,
                     struct error *error)
{
    struct seen_tests old = {.count = 0}, new = {.count = 0};
    int result = read_tests(before, device->before, &old, error);

    if (result == 0)
        result = read_tests(after, device->after, &new, error);
    if (result == 0)
        compare_tests(device, &old, &new);
    free_tests(&old);
    free_tests(&new);
    return result;
}

void compare_progress_fini(struct compare_progress_device *device)
{
    for (size_t i = 0; i < device->test_count; ++i)
        free(device->tests[i].program);
    free(device->tests);
}

/* --- is the difference between two rates more than chance? --- */

/* The tolerance with which two probabilities are the same, though they were calculated in other ways. */
static const double NEARLY = 1e-7;

static double log_choose(uint64_t all, uint64_t chosen)
{
    return lgamma((double)all + 1) - lgamma((double)chosen + 1) - lgamma((double)(all - chosen) + 1);
}

/* That so many of all events are in the first sample. */
static double log_probability(uint64_t in_first, struct events_seen a, struct events_seen b)
{
    const uint64_t events = a.events + b.events;

    return log_choose(a.launches, in_first) + log_choose(b.launches, events - in_first) -
           log_choose(a.launches + b.launches, events);
}

double chance_of(struct events_seen a, struct events_seen b)
{
    const uint64_t events = a.events + b.events;
    const double observed = log_probability(a.events, a, b);
    double sum = 0;

    if (a.launches == 0 || b.launches == 0)
        return 1;
    for (uint64_t i = events > b.launches ? events - b.launches : 0; i <= events && i <= a.launches; ++i) {
        const double here = log_probability(i, a, b);
        if (here <= observed + NEARLY)
            sum += exp(here);
    }
    return sum < 1 ? sum : 1;
}

/* --- what it comes to --- */

enum model_change compare_model(const struct compare_progress_device *device, enum litmus_model model,
                                enum litmus_fairness fairness)
{
    if (device->before == NULL || device->after == NULL)
        return MODEL_SAME;
    const struct litmus_standing *before = &device->before->classification.standings[model][fairness];
    const struct litmus_standing *after = &device->after->classification.standings[model][fairness];
    const struct events_seen *then = &device->seen_before[model][fairness], *now = &device->seen_after[model][fairness];
    if (then->launches == 0 || now->launches == 0 || litmus_is_broken(before) == litmus_is_broken(after))
        return MODEL_SAME;
    if (chance_of(*then, *now) > CHANCE_AT_MOST)
        return MODEL_BY_CHANCE;
    return litmus_is_broken(after) ? MODEL_BROKEN : MODEL_KEPT;
}

size_t compare_model_count(const struct compare_progress_device *device, enum model_change change)
{
    size_t count = 0;
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            count += compare_model(device, model, fairness) == change;
    return count;
}

/* One was looked for: some number passed or stalled. */
static bool has_limit(const struct progress_device *device)
{
    return device != NULL && (limit_search_passes(&device->limit) != 0 || limit_search_result(&device->limit) != 0);
}

bool compare_limit_moved(const struct compare_progress_device *device)
{
    return has_limit(device->before) && has_limit(device->after) &&
           limit_search_result(&device->before->limit) != limit_search_result(&device->after->limit);
}

bool compare_limit_is_lower(const struct compare_progress_device *device)
{
    if (!compare_limit_moved(device))
        return false;
    const uint32_t before = limit_search_result(&device->before->limit);
    const uint32_t after = limit_search_result(&device->after->limit);
    return after != 0 && (before == 0 || after < before);
}

size_t compare_test_count(const struct compare_progress_device *device, bool stalls)
{
    size_t count = 0;
    for (size_t i = 0; i < device->test_count; ++i)
        count += device->tests[i].stalls == stalls;
    return count;
}

bool compare_progress_has_regression(const struct compare_progress_device *device)
{
    return compare_model_count(device, MODEL_BROKEN) > 0 || compare_limit_is_lower(device);
}
