/* Models of devices, and the search run to its end against one of them. */
#pragma once

#include "search/search.h"

#include <check.h>

enum { MOST_TRIALS = 200, MOST_LAUNCHES = 64, REPEATS = 20, MAX_GROUPS = 4096, CLOSE_NS = 1000 };

struct model;

/* One launch on a device: what the host would have observed. `launch` counts those of the batch. */
typedef struct observation (*launch_fn)(const struct model *model, const struct trial *trial, uint32_t launch);

struct model {
    uint32_t limit; /* groups that are resident together */
    launch_fn census;
    launch_fn barrier;
    launch_fn discovery;
    uint32_t hasty;       /* groups that a census counts which is closed too early */
    uint64_t patience_ns; /* least closing time of a census that counts all */
    uint32_t seed;
};

struct record {
    struct trial trial;
    struct observation observations[MOST_LAUNCHES];
    uint32_t count;
};

/* A whole search. */
struct story {
    struct record records[MOST_TRIALS];
    uint32_t trials;
    struct search search; /* at its end */
    struct limit limit;
};

static struct story story; /* large; one for each test, which runs in a process of its own */

static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* --- observations --- */

static inline struct observation observed(const struct trial *trial, enum outcome outcome)
{
    return (struct observation){
        .outcome = outcome,
        .groups = trial->groups,
        .waitfor = WAITFOR_NOTHING,
    };
}

static inline struct observation passing(const struct trial *trial, uint32_t counted)
{
    struct observation o = observed(trial, OUTCOME_ENDED);
    o.board_read = true;
    o.started = o.done = o.witnesses = trial->groups;
    o.counted = counted;
    return o;
}

/* The first `arrived` groups wait for the others, which never started if there are any. */
static inline struct observation waiting(const struct trial *trial, uint32_t arrived)
{
    struct observation o = observed(trial, OUTCOME_ENDED);
    o.board_read = true;
    o.started = o.waiting = arrived;
    if (arrived < trial->groups) {
        o.waitfor.starved_from = 0;
        o.waitfor.never_started = arrived;
        o.late = trial->groups - arrived; /* they come when the others have gone */
    }
    return o;
}

static inline struct observation stalling(const struct trial *trial, uint32_t arrived)
{
    struct observation o = waiting(trial, arrived);
    o.judged = o.confirmed = true;
    o.ended_stop = arrived;
    return o;
}

/* --- launches of an ordinary device --- */

static inline struct observation count_all(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)launch;
    return passing(trial, least(trial->groups, model->limit));
}

static inline struct observation fit_or_stall(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)launch;
    return trial->groups <= model->limit ? passing(trial, 0) : stalling(trial, model->limit);
}

static inline struct model device_of(uint32_t limit)
{
    return (struct model){.limit = limit, .census = count_all, .barrier = fit_or_stall, .discovery = count_all};
}

/* --- launches of others --- */

static inline struct observation count_few_in_haste(const struct model *model, const struct trial *trial,
                                                    uint32_t launch)
{
    (void)launch;
    uint32_t counted = trial->close_ns < model->patience_ns ? model->hasty : model->limit;
    return passing(trial, least(trial->groups, counted));
}

static inline struct observation stall_once_at_the_limit(const struct model *model, const struct trial *trial,
                                                         uint32_t launch)
{
    if (trial->groups == model->limit && launch == 13)
        return stalling(trial, model->limit);
    return fit_or_stall(model, trial, launch);
}

/* A second way to run twice as many groups as fit: the limit is not monotone. */
static inline struct observation fit_or_twice_that(const struct model *model, const struct trial *trial,
                                                   uint32_t launch)
{
    return trial->groups == 2 * model->limit ? passing(trial, 0) : fit_or_stall(model, trial, launch);
}

static inline struct observation crash(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return observed(trial, OUTCOME_CRASHED);
}

static inline struct observation refuse(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return observed(trial, OUTCOME_UNSUPPORTED);
}

static inline struct observation interrupt(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return observed(trial, OUTCOME_INTERRUPTED);
}

static inline uint32_t hash(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t sum = 0x811c9dc5u;
    for (int i = 0; i < 4; ++i)
        sum = (sum ^ (a + b * 7919u + c * 104729u)) * 0x01000193u ^ sum >> 15;
    return sum >> 7;
}

static inline struct observation count_at_random(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return passing(trial, 1 + hash(model->seed, trial->groups, launch) % trial->groups);
}

static inline struct observation answer_at_random(const struct model *model, const struct trial *trial, uint32_t launch)
{
    switch (hash(model->seed, trial->groups, launch / (1 + model->seed % 20)) % 4) {
    case 0:
        return stalling(trial, (trial->groups + 1) / 2);
    case 1:
        return model->seed % 3 == 0 ? waiting(trial, (trial->groups + 1) / 2) : passing(trial, 0);
    case 2:
        return model->seed % 5 == 0 ? crash(model, trial, launch) : passing(trial, 0);
    default:
        return passing(trial, 0);
    }
}

/* --- running a search --- */

static const struct search_options all_estimators = {.estimators = {true, true, true}, .repeats = REPEATS};

static const struct search_device usual = {
    .compute_units = 1,
    .max_groups = MAX_GROUPS,
    .suspect_ns = 10,
    .confirm_ns = 100,
    .close_ns = CLOSE_NS,
};

static const struct footprint footprint = {.local_size = 64, .local_memory_bytes = 1024, .private_bytes = 32};

/* As a worker does it: a census until it is finished, and no more launches after a crash. */
static inline void run_batch(const struct model *model, struct record *record)
{
    const struct trial *trial = &record->trial;
    const launch_fn launches[ESTIMATOR_COUNT] = {model->census, model->barrier, model->discovery};
    struct census census;
    uint32_t failures = 0;

    census_init(&census, trial->close_ns);
    for (uint32_t launch = 0; launch < trial->repeats; ++launch) {
        ck_assert_uint_lt(record->count, MOST_LAUNCHES);
        struct observation o = launches[trial->kind](model, trial, launch);
        record->observations[record->count++] = o;
        if (o.outcome != OUTCOME_ENDED)
            return;
        census_take(&census, o.counted, o.gap_ns);
        if (trial->kind == TRIAL_CENSUS && census_finished(&census))
            return;
        failures += verdict_judge(trial, &o) != VERDICT_PASS;
        if (trial->enough_stalls > 0 && failures >= trial->enough_stalls)
            return;
    }
}

static inline void play(const struct model *model, const struct search_options *options,
                        const struct search_device *device)
{
    struct search *search = &story.search;
    struct trial trial;

    story.trials = 0;
    search_init(search, options, device, &footprint);
    while (search_next(search, &trial)) {
        ck_assert_uint_ge(trial.groups, 1);
        ck_assert_uint_ge(trial.repeats, 1);
        ck_assert_msg(story.trials < MOST_TRIALS, "no end after %d trials, the last of %s with %u groups", MOST_TRIALS,
                      trial_kind_name(trial.kind), trial.groups);
        struct record *record = &story.records[story.trials++];
        record->trial = trial;
        record->count = 0;
        run_batch(model, record);
        search_take(search, &trial, record->observations, record->count, 1000 + story.trials);
    }
    search_limit(search, &story.limit);
}

static inline void play_usual(const struct model *model)
{
    play(model, &all_estimators, &usual);
}

static inline const struct trial *trial_at(uint32_t index)
{
    ck_assert_uint_lt(index, story.trials);
    return &story.records[index].trial;
}

/* The first trial of that kind and, unless `groups` is 0, with that many groups; or NULL. */
static inline const struct trial *first_trial(enum trial_kind kind, uint32_t groups)
{
    for (uint32_t i = 0; i < story.trials; ++i)
        if (story.records[i].trial.kind == kind && (groups == 0 || story.records[i].trial.groups == groups))
            return &story.records[i].trial;
    return NULL;
}

static inline uint32_t trials_of(enum trial_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < story.trials; ++i)
        count += story.records[i].trial.kind == kind;
    return count;
}

static inline uint32_t barriers_at(uint32_t groups)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < story.trials; ++i)
        count += trial_at(i)->kind == TRIAL_BARRIER && trial_at(i)->groups == groups;
    return count;
}

static inline struct search_options only(enum trial_kind kind)
{
    struct search_options options = {.repeats = REPEATS};
    options.estimators[kind] = true;
    return options;
}

static inline void assert_limit(uint32_t resident, uint32_t passes_at, uint32_t stalls_at)
{
    ck_assert_uint_eq(story.limit.resident, resident);
    ck_assert_uint_eq(story.limit.passes_at, passes_at);
    ck_assert_uint_eq(story.limit.stalls_at, stalls_at);
}
