/* The search against models of devices: each search is run to its end. */
#include "core/search.h"

#include "harness.h"

#include <string.h>

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

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* --- observations --- */

static struct observation observed(const struct trial *trial, enum outcome outcome)
{
    return (struct observation){
        .outcome = outcome,
        .groups = trial->groups,
        .waitfor = {WAITFOR_NOBODY, WAITFOR_NOBODY, WAITFOR_NOBODY},
    };
}

static struct observation passing(const struct trial *trial, uint32_t counted)
{
    struct observation o = observed(trial, OUTCOME_ENDED);
    o.board_read = true;
    o.started = o.done = o.witnesses = trial->groups;
    o.counted = counted;
    return o;
}

/* The first `arrived` groups wait for the others, which never started if there are any. */
static struct observation waiting(const struct trial *trial, uint32_t arrived)
{
    struct observation o = observed(trial, OUTCOME_ENDED);
    o.board_read = true;
    o.started = o.waiting = arrived;
    if (arrived < trial->groups) {
        o.waitfor.starved_from = 0;
        o.waitfor.never_started = arrived;
    }
    return o;
}

static struct observation stalling(const struct trial *trial, uint32_t arrived)
{
    struct observation o = waiting(trial, arrived);
    o.judged = o.confirmed = true;
    o.ended_stop = arrived;
    return o;
}

/* --- launches of an ordinary device --- */

static struct observation count_all(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)launch;
    return passing(trial, least(trial->groups, model->limit));
}

static struct observation fit_or_stall(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)launch;
    return trial->groups <= model->limit ? passing(trial, 0) : stalling(trial, model->limit);
}

static struct model device_of(uint32_t limit)
{
    return (struct model){.limit = limit, .census = count_all, .barrier = fit_or_stall, .discovery = count_all};
}

/* --- launches of others --- */

static struct observation count_few_in_haste(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)launch;
    uint32_t counted = trial->close_ns < model->patience_ns ? model->hasty : model->limit;
    return passing(trial, least(trial->groups, counted));
}

static struct observation count_by_turns(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return passing(trial, least(trial->groups, model->limit - launch % 2));
}

static struct observation stall_once_at_the_limit(const struct model *model, const struct trial *trial, uint32_t launch)
{
    if (trial->groups == model->limit && launch == 13)
        return stalling(trial, model->limit);
    return fit_or_stall(model, trial, launch);
}

/* A second way to run twice as many groups as fit: the limit is not monotone. */
static struct observation fit_or_twice_that(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return trial->groups == 2 * model->limit ? passing(trial, 0) : fit_or_stall(model, trial, launch);
}

static struct observation always_pass(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return passing(trial, 0);
}

static struct observation fit_or_cut(const struct model *model, const struct trial *trial, uint32_t launch)
{
    struct observation o = waiting(trial, model->limit);
    o.ended_cut = model->limit;
    return trial->groups <= model->limit ? fit_or_stall(model, trial, launch) : o;
}

static struct observation fit_or_be_undecided(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return trial->groups <= model->limit ? fit_or_stall(model, trial, launch) : waiting(trial, model->limit);
}

static struct observation crash(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return observed(trial, OUTCOME_CRASHED);
}

static struct observation crash_with_many(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return trial->groups > 300 ? crash(model, trial, launch) : count_all(model, trial, launch);
}

static struct observation refuse(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return observed(trial, OUTCOME_UNSUPPORTED);
}

static struct observation not_build(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return observed(trial, OUTCOME_BUILD_FAILED);
}

static struct observation interrupt(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return observed(trial, OUTCOME_INTERRUPTED);
}

static uint32_t hash(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t sum = 0x811c9dc5u;
    for (int i = 0; i < 4; ++i)
        sum = (sum ^ (a + b * 7919u + c * 104729u)) * 0x01000193u ^ sum >> 15;
    return sum >> 7;
}

static struct observation count_at_random(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return passing(trial, 1 + hash(model->seed, trial->groups, launch) % trial->groups);
}

static struct observation answer_at_random(const struct model *model, const struct trial *trial, uint32_t launch)
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
static void run_batch(const struct model *model, struct record *record)
{
    const struct trial *trial = &record->trial;
    const launch_fn launches[ESTIMATOR_COUNT] = {model->census, model->barrier, model->discovery};
    struct census census;
    uint32_t failures = 0;

    census_init(&census, trial->close_ns);
    for (uint32_t launch = 0; launch < trial->repeats; ++launch) {
        ck_assert_uint_lt(record->count, MOST_LAUNCHES);
        struct observation o = launches[trial->estimator](model, trial, launch);
        record->observations[record->count++] = o;
        if (o.outcome != OUTCOME_ENDED)
            return;
        census_take(&census, o.counted, o.gap_ns);
        if (trial->estimator == ESTIMATOR_CENSUS && census_finished(&census))
            return;
        failures += verdict_judge(trial, &o) != VERDICT_PASS;
        if (trial->enough_stalls > 0 && failures >= trial->enough_stalls)
            return;
    }
}

static void play(const struct model *model, const struct search_options *options, const struct search_device *device)
{
    struct search *search = &story.search;
    struct trial trial;

    story.trials = 0;
    search_init(search, options, device, &footprint);
    while (search_next(search, &trial)) {
        ck_assert_uint_ge(trial.groups, 1);
        ck_assert_uint_ge(trial.repeats, 1);
        ck_assert_msg(story.trials < MOST_TRIALS, "no end after %d trials, the last of %s with %u groups", MOST_TRIALS,
                      estimator_name(trial.estimator), trial.groups);
        struct record *record = &story.records[story.trials++];
        record->trial = trial;
        record->count = 0;
        run_batch(model, record);
        search_take(search, &trial, record->observations, record->count, 1000 + story.trials);
    }
    ck_assert_uint_eq(search->sequence, story.trials);
    search_limit(search, &story.limit);
}

static void play_usual(const struct model *model)
{
    play(model, &all_estimators, &usual);
}

static const struct trial *trial_at(uint32_t index)
{
    ck_assert_uint_lt(index, story.trials);
    return &story.records[index].trial;
}

/* The first trial of that kind and, unless `groups` is 0, with that many groups; or NULL. */
static const struct trial *first_trial(enum estimator estimator, uint32_t groups)
{
    for (uint32_t i = 0; i < story.trials; ++i)
        if (story.records[i].trial.estimator == estimator && (groups == 0 || story.records[i].trial.groups == groups))
            return &story.records[i].trial;
    return NULL;
}

static uint32_t trials_of(enum estimator estimator)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < story.trials; ++i)
        count += story.records[i].trial.estimator == estimator;
    return count;
}

static uint32_t barriers_at(uint32_t groups)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < story.trials; ++i)
        count += trial_at(i)->estimator == ESTIMATOR_BARRIER && trial_at(i)->groups == groups;
    return count;
}

static struct search_options only(enum estimator estimator)
{
    struct search_options options = {.repeats = REPEATS};
    options.estimators[estimator] = true;
    return options;
}

static void assert_limit(uint32_t resident, uint32_t passes_at, uint32_t stalls_at)
{
    ck_assert_uint_eq(story.limit.resident, resident);
    ck_assert_uint_eq(story.limit.passes_at, passes_at);
    ck_assert_uint_eq(story.limit.stalls_at, stalls_at);
}

/* --- what the search is told of a device --- */

static struct search_device settings_of(enum device_kind kind, uint64_t loops_cut_at)
{
    const struct device_info info = {.kind = kind, .compute_units = 12};
    const struct device_probe probe = {.loops_cut_at = loops_cut_at};
    struct search_device settings;
    search_device_init(&settings, &info, &probe);
    return settings;
}

START_TEST(times_of_each_device_are_in_their_order)
{
    for (int kind = DEVICE_CPU; kind <= DEVICE_OTHER; ++kind) {
        struct search_device settings = settings_of((enum device_kind)kind, 0);
        ck_assert_uint_gt(settings.close_ns, 0);
        ck_assert_uint_gt(settings.suspect_ns, settings.close_ns);
        ck_assert_uint_gt(settings.confirm_ns, settings.suspect_ns);
    }
}
END_TEST

START_TEST(times_of_a_device_that_is_no_gpu_are_longer)
{
    struct search_device gpu = settings_of(DEVICE_GPU, 0);
    for (int i = 0; i < 2; ++i) {
        struct search_device other = settings_of(i == 0 ? DEVICE_CPU : DEVICE_OTHER, 0);
        ck_assert_uint_gt(other.close_ns, gpu.close_ns);
        ck_assert_uint_gt(other.suspect_ns, gpu.suspect_ns);
        ck_assert_uint_gt(other.confirm_ns, gpu.confirm_ns);
    }
}
END_TEST

START_TEST(compute_units_and_cut_loops_are_taken_over)
{
    ck_assert_uint_eq(settings_of(DEVICE_GPU, 0).compute_units, 12);
    ck_assert_uint_eq(settings_of(DEVICE_GPU, 65536).loops_cut_at, 65536);
    ck_assert_uint_eq(settings_of(DEVICE_GPU, 0).loops_cut_at, 0);
}
END_TEST

START_TEST(most_groups_of_a_launch_are_many_and_fit_on_a_board)
{
    ck_assert_uint_ge(settings_of(DEVICE_GPU, 0).max_groups, 64 * 256);
    ck_assert_uint_le(settings_of(DEVICE_GPU, 0).max_groups, 1u << 20);
}
END_TEST

START_TEST(loops_that_are_cut_after_more_turns_than_32_bits_hold_are_cut)
{
    ck_assert_uint_ne(settings_of(DEVICE_GPU, UINT64_C(1) << 32).loops_cut_at, 0);
}
END_TEST

/* --- an ordinary device --- */

START_TEST(limit_of_each_device_from_1_to_64_groups_is_found)
{
    for (uint32_t limit = 1; limit <= 64; ++limit) {
        struct model model = device_of(limit);
        play_usual(&model);
        assert_limit(limit, limit, limit + 1);
        ck_assert_uint_eq(story.limit.counted, limit);
        ck_assert(story.limit.measured && story.limit.census_exact && story.limit.monotone && story.limit.agree);
    }
}
END_TEST

START_TEST(limit_is_proven_by_all_launches_asked_for)
{
    for (uint32_t limit = 1; limit <= 64; ++limit) {
        struct model model = device_of(limit);
        play_usual(&model);
        ck_assert_uint_eq(story.limit.passes, REPEATS);
        ck_assert_uint_eq(story.limit.pass_launches, REPEATS);
        ck_assert_uint_eq(story.limit.stalls, REPEATS);
        ck_assert_uint_eq(story.limit.stall_launches, REPEATS);
        ck_assert_ptr_null(story.limit.no_stall);
    }
}
END_TEST

START_TEST(limit_of_an_ordinary_device_takes_at_most_seven_trials)
{
    for (uint32_t limit = 1; limit <= 64; ++limit) {
        struct model model = device_of(limit);
        play_usual(&model);
        ck_assert_msg(story.trials <= 7, "limit %u: %u trials", limit, story.trials);
    }
}
END_TEST

START_TEST(census_comes_first_then_discovery_then_the_barrier_around_the_count)
{
    struct model model = device_of(10);
    play_usual(&model);
    ck_assert_uint_eq(story.trials, 6);
    ck_assert_int_eq(trial_at(0)->estimator, ESTIMATOR_CENSUS);
    ck_assert_int_eq(trial_at(1)->estimator, ESTIMATOR_DISCOVERY);
    static const uint32_t groups[] = {10, 11, 9, 20};
    for (uint32_t i = 0; i < 4; ++i) {
        ck_assert_int_eq(trial_at(2 + i)->estimator, ESTIMATOR_BARRIER);
        ck_assert_uint_eq(trial_at(2 + i)->groups, groups[i]);
        ck_assert_uint_eq(trial_at(2 + i)->repeats, i < 2 ? REPEATS : REPEATS / 4);
        ck_assert_uint_eq(trial_at(2 + i)->enough_stalls, 0);
    }
}
END_TEST

START_TEST(limit_at_the_most_groups_of_a_launch_is_found_without_a_stall)
{
    struct search_device device = usual;
    device.max_groups = 10;
    struct model model = device_of(10);
    play(&model, &all_estimators, &device);
    assert_limit(10, 10, 0);
    ck_assert_ptr_nonnull(story.limit.no_stall);
}
END_TEST

START_TEST(limit_one_below_the_most_groups_of_a_launch_is_found)
{
    struct search_device device = usual;
    device.max_groups = 10;
    struct model model = device_of(9);
    play(&model, &all_estimators, &device);
    assert_limit(9, 9, 10);
}
END_TEST

START_TEST(limit_of_a_large_device_is_found)
{
    struct search_device device = usual;
    device.compute_units = 132;
    device.max_groups = 1u << 20;
    struct model model = device_of(132 * 32);
    play(&model, &all_estimators, &device);
    assert_limit(4224, 4224, 4225);
    ck_assert_uint_le(story.trials, 7);
}
END_TEST

START_TEST(each_trial_is_of_the_footprint_and_has_the_times_of_the_device)
{
    struct model model = device_of(10);
    play_usual(&model);
    for (uint32_t i = 0; i < story.trials; ++i) {
        ck_assert_uint_eq(trial_at(i)->footprint.local_size, 64);
        ck_assert_uint_eq(trial_at(i)->footprint.local_memory_bytes, 1024);
        ck_assert_uint_eq(trial_at(i)->footprint.private_bytes, 32);
        ck_assert_uint_eq(trial_at(i)->suspect_ns, 10);
        ck_assert_uint_eq(trial_at(i)->confirm_ns, 100);
    }
    ck_assert_uint_eq(story.limit.footprint.local_size, 64);
}
END_TEST

START_TEST(barrier_is_told_how_many_groups_are_known_to_fit)
{
    struct model model = device_of(10);
    play_usual(&model);
    ck_assert_uint_eq(first_trial(ESTIMATOR_CENSUS, 0)->proven_groups, 0);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 11)->proven_groups, 10);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 9)->proven_groups, 9);
}
END_TEST

START_TEST(times_of_all_trials_add_up)
{
    struct model model = device_of(10);
    play_usual(&model);
    uint64_t sum = 0;
    for (uint32_t i = 1; i <= story.trials; ++i)
        sum += 1000 + i;
    ck_assert_uint_eq(story.limit.duration_ns, sum);
}
END_TEST

static struct observation pass_with_a_gap(const struct model *model, const struct trial *trial, uint32_t launch)
{
    struct observation o = fit_or_stall(model, trial, launch);
    o.gap_ns = trial->groups == model->limit && launch == 0 ? 77 : 5;
    return o;
}

START_TEST(longest_gap_is_told_to_later_trials)
{
    struct model model = device_of(10);
    model.barrier = pass_with_a_gap;
    play_usual(&model);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 10)->gap_ns, 0);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 11)->gap_ns, 77);
    ck_assert_uint_eq(story.limit.gap_ns, 77);
}
END_TEST

/* --- the census --- */

START_TEST(census_launches_more_groups_while_all_of_them_are_resident)
{
    struct model model = device_of(1000);
    play_usual(&model);
    static const uint32_t groups[] = {64, 256, 1024};
    for (uint32_t i = 0; i < 3; ++i) {
        ck_assert_int_eq(trial_at(i)->estimator, ESTIMATOR_CENSUS);
        ck_assert_uint_eq(trial_at(i)->groups, groups[i]);
    }
    ck_assert_uint_eq(trials_of(ESTIMATOR_CENSUS), 3);
    assert_limit(1000, 1000, 1001);
}
END_TEST

START_TEST(hasty_census_is_overtaken_by_the_barrier_and_repeated_with_a_longer_time)
{
    struct model model = device_of(50);
    model.census = count_few_in_haste;
    model.hasty = 8;
    model.patience_ns = 4 * CLOSE_NS;
    play_usual(&model);
    assert_limit(50, 50, 51);
    ck_assert_uint_eq(story.limit.counted, 50);
    ck_assert(story.limit.agree);
    ck_assert_uint_eq(trials_of(ESTIMATOR_CENSUS), 2);
    const struct trial *again = trial_at(story.trials - 1);
    ck_assert_int_eq(again->estimator, ESTIMATOR_CENSUS);
    ck_assert_uint_ge(again->close_ns, 8 * CLOSE_NS);
    ck_assert_uint_ge(again->groups, 100);
}
END_TEST

START_TEST(hasty_census_lets_the_search_gallop_and_bisect_to_any_limit)
{
    for (uint32_t limit = 9; limit <= 200; ++limit) {
        struct model model = device_of(limit);
        model.census = count_few_in_haste;
        model.hasty = 8;
        model.patience_ns = 4 * CLOSE_NS;
        play_usual(&model);
        assert_limit(limit, limit, limit + 1);
        ck_assert_uint_eq(story.limit.passes, REPEATS);
        ck_assert_uint_eq(story.limit.stall_launches, REPEATS);
        ck_assert_msg(story.trials <= 24, "limit %u: %u trials", limit, story.trials);
    }
}
END_TEST

START_TEST(stalls_on_the_way_to_the_limit_are_launched_only_until_the_first)
{
    struct model model = device_of(50);
    model.census = count_few_in_haste;
    model.hasty = 8;
    model.patience_ns = 4 * CLOSE_NS;
    play_usual(&model);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 8)->enough_stalls, 0);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 9)->enough_stalls, 0);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 35)->enough_stalls, 1);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 51)->enough_stalls, 1);
}
END_TEST

START_TEST(census_that_always_undercounts_disagrees_with_the_barrier)
{
    struct model model = device_of(50);
    model.census = count_few_in_haste;
    model.hasty = 8;
    model.patience_ns = UINT64_MAX;
    play_usual(&model);
    assert_limit(50, 50, 51);
    ck_assert_uint_eq(story.limit.counted, 8);
    ck_assert(!story.limit.agree);
    ck_assert_uint_eq(trials_of(ESTIMATOR_CENSUS), 2);
}
END_TEST

START_TEST(census_that_agrees_is_not_repeated)
{
    struct model model = device_of(50);
    play_usual(&model);
    ck_assert_uint_eq(trials_of(ESTIMATOR_CENSUS), 1);
}
END_TEST

static struct observation fit_three_quarters(const struct model *model, const struct trial *trial, uint32_t launch)
{
    struct model less = *model;
    less.limit = 3 * model->limit / 4;
    return fit_or_stall(&less, trial, launch);
}

START_TEST(barrier_that_holds_fewer_groups_than_the_census_is_searched_below_it)
{
    struct model model = device_of(40);
    model.barrier = fit_three_quarters;
    play_usual(&model);
    assert_limit(40, 30, 31);
    ck_assert(!story.limit.agree);
}
END_TEST

START_TEST(census_that_never_settles_is_not_exact)
{
    struct model model = device_of(40);
    model.census = count_by_turns;
    play_usual(&model);
    ck_assert(!story.limit.census_exact);
    ck_assert_uint_eq(story.limit.counted, 40);
    ck_assert_uint_eq(story.records[0].count, CENSUS_LAUNCHES);
    assert_limit(40, 40, 41);
}
END_TEST

START_TEST(census_that_crashes_ends_the_search)
{
    struct model model = device_of(40);
    model.census = crash;
    play_usual(&model);
    ck_assert(!story.limit.measured);
    ck_assert_int_eq(story.limit.refusal, VERDICT_CRASH);
}
END_TEST

START_TEST(census_that_crashes_with_more_groups_keeps_what_fewer_groups_proved)
{
    struct model model = device_of(1000);
    model.census = crash_with_many;
    play_usual(&model);
    ck_assert(story.limit.measured);
    ck_assert_uint_ge(story.limit.counted, 256);
}
END_TEST

static struct observation crash_at_last(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return launch == 2 ? crash(model, trial, launch) : count_all(model, trial, launch);
}

START_TEST(census_whose_last_launch_crashes_keeps_what_the_others_proved)
{
    struct model model = device_of(40);
    model.census = crash_at_last;
    play_usual(&model);
    ck_assert(story.limit.measured);
    ck_assert(!story.limit.census_exact);
    assert_limit(40, 40, 41);
}
END_TEST

START_TEST(census_of_which_all_were_resident_before_its_last_launch_crashed_keeps_what_they_proved)
{
    struct model model = device_of(1000);
    model.census = crash_at_last;
    play_usual(&model);
    ck_assert(story.limit.measured);
    ck_assert_uint_ge(story.limit.counted, 64);
}
END_TEST

/* --- devices that are not monotone --- */

START_TEST(pass_above_a_stall_is_not_monotone_and_is_resident)
{
    struct model model = device_of(10);
    model.barrier = fit_or_twice_that;
    play_usual(&model);
    assert_limit(20, 10, 11);
    ck_assert(!story.limit.monotone);
}
END_TEST

START_TEST(pass_above_a_census_that_counts_fewer_disagrees_with_it)
{
    struct model model = device_of(10);
    model.barrier = fit_or_twice_that;
    play_usual(&model);
    ck_assert_uint_eq(story.limit.counted, 10);
    ck_assert(!story.limit.agree);
}
END_TEST

START_TEST(pass_above_a_stall_repeats_the_census)
{
    struct model model = device_of(10);
    model.barrier = fit_or_twice_that;
    play_usual(&model);
    ck_assert_uint_eq(trials_of(ESTIMATOR_CENSUS), 2);
}
END_TEST

START_TEST(one_stall_in_twenty_at_the_limit_makes_the_limit_one_group_less)
{
    struct model model = device_of(10);
    model.barrier = stall_once_at_the_limit;
    play_usual(&model);
    assert_limit(10, 9, 10);
    ck_assert_uint_eq(story.limit.stalls, 1);
    ck_assert_uint_eq(story.limit.stall_launches, REPEATS);
    ck_assert_uint_eq(story.limit.passes, REPEATS);
    ck_assert(story.limit.monotone);
    ck_assert(!story.limit.agree);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 9)->repeats, REPEATS);
    ck_assert_uint_eq(first_trial(ESTIMATOR_BARRIER, 9)->enough_stalls, 0);
    ck_assert_ptr_null(first_trial(ESTIMATOR_BARRIER, 5));
}
END_TEST

START_TEST(one_stall_in_twenty_at_one_group_leaves_no_safe_count)
{
    struct model model = device_of(1);
    model.barrier = stall_once_at_the_limit;
    play_usual(&model);
    assert_limit(1, 0, 1);
}
END_TEST

static struct observation stall_below_the_limit(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return trial->groups == model->limit - 1 ? stalling(trial, 1) : fit_or_stall(model, trial, launch);
}

START_TEST(last_verdict_that_was_no_pass_is_kept_with_its_point)
{
    struct model model = device_of(10);
    model.barrier = stall_once_at_the_limit;
    play_usual(&model);
    for (uint32_t i = 0; i < story.search.point_count; ++i) {
        const struct point *point = &story.search.points[i];
        ck_assert_int_eq(point->worst, point->groups < 10    ? VERDICT_PASS
                                       : point->groups == 10 ? VERDICT_STALLED
                                                             : VERDICT_STARVED);
    }
}
END_TEST

START_TEST(stall_one_below_the_limit_moves_the_limit_below_it)
{
    struct model model = device_of(40);
    model.barrier = stall_below_the_limit;
    play_usual(&model);
    assert_limit(40, 38, 39);
    ck_assert(!story.limit.monotone);
}
END_TEST

static struct observation fit_in_even_counts(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return trial->groups % 2 == 1 ? stalling(trial, 1) : fit_or_stall(model, trial, launch);
}

START_TEST(search_gives_up_after_as_many_points_as_it_can_keep)
{
    struct search_device device = usual;
    struct model model = device_of(60000);
    device.max_groups = 1u << 16;
    model.barrier = fit_in_even_counts;
    play(&model, &all_estimators, &device);
    ck_assert_uint_eq(story.search.point_count, SEARCH_POINTS);
    ck_assert_uint_le(trials_of(ESTIMATOR_BARRIER), 2 * SEARCH_POINTS);
    ck_assert_uint_eq(story.limit.resident, 60000);
    ck_assert(!story.limit.monotone);
}
END_TEST

START_TEST(search_ends_on_devices_that_answer_at_random)
{
    for (uint32_t seed = 1; seed <= 300; ++seed) {
        struct model model = {.census = count_at_random, .barrier = answer_at_random, .discovery = count_at_random};
        model.seed = seed;
        model.limit = 40;
        play_usual(&model);
        ck_assert_uint_le(story.limit.passes_at, story.limit.resident);
        ck_assert(story.limit.stalls_at == 0 || story.limit.passes_at < story.limit.stalls_at);
        ck_assert(story.limit.stalls_at == 0 || story.limit.stalls > 0);
        ck_assert_int_eq(story.limit.no_stall == NULL, story.limit.stalls_at != 0);
    }
}
END_TEST

/* --- devices on which nothing stalls --- */

START_TEST(fair_device_passes_up_to_the_most_groups_of_a_launch)
{
    struct model model = device_of(MAX_GROUPS);
    model.barrier = always_pass;
    play_usual(&model);
    assert_limit(MAX_GROUPS, MAX_GROUPS, 0);
    ck_assert(story.limit.measured && story.limit.agree && story.limit.monotone);
    ck_assert_str_eq(story.limit.no_stall, "no stall at any group count tried");
}
END_TEST

START_TEST(fair_device_whose_census_undercounts_is_galloped_up_to_the_most_groups_of_a_launch)
{
    struct model model = device_of(8);
    model.barrier = always_pass;
    play_usual(&model);
    assert_limit(MAX_GROUPS, MAX_GROUPS, 0);
    ck_assert_uint_le(story.trials, 16);
}
END_TEST

START_TEST(twice_the_limit_is_tried_if_it_is_the_most_groups_of_a_launch)
{
    struct search_device device = usual;
    struct model model = device_of(40);
    device.max_groups = 80;
    play(&model, &all_estimators, &device);
    ck_assert_uint_eq(barriers_at(80), 1);
}
END_TEST

START_TEST(no_trial_has_more_groups_than_a_launch_may_have)
{
    struct model fair = device_of(8);
    fair.barrier = always_pass;
    play_usual(&fair);
    for (uint32_t i = 0; i < story.trials; ++i)
        ck_assert_msg(trial_at(i)->groups <= MAX_GROUPS, "%s with %u groups", estimator_name(trial_at(i)->estimator),
                      trial_at(i)->groups);
}
END_TEST

START_TEST(no_trial_of_an_ordinary_device_has_more_groups_than_a_launch_may_have)
{
    for (uint32_t max_groups = 1; max_groups <= 80; ++max_groups) {
        struct search_device device = usual;
        struct model model = device_of(40);
        device.max_groups = max_groups;
        play(&model, &all_estimators, &device);
        for (uint32_t i = 0; i < story.trials; ++i) {
            ck_assert_uint_le(trial_at(i)->groups, max_groups);
            ck_assert_uint_ge(trial_at(i)->groups, 1);
        }
        ck_assert_uint_eq(story.limit.passes_at, least(40, max_groups));
    }
}
END_TEST

START_TEST(device_that_is_known_to_cut_loops_has_no_stall_and_says_why)
{
    struct search_device device = usual;
    struct model model = device_of(40);
    device.loops_cut_at = 65536;
    model.barrier = fit_or_cut;
    play(&model, &all_estimators, &device);
    assert_limit(40, 40, 0);
    ck_assert_ptr_nonnull(strstr(story.limit.no_stall, "the driver ends loops"));
    ck_assert(story.limit.agree);
}
END_TEST

static struct observation be_cut_now_and_then(const struct model *model, const struct trial *trial, uint32_t launch)
{
    struct observation o = waiting(trial, model->limit);
    o.ended_cut = 1;
    return launch % 3 == 1 ? o : fit_or_cut(model, trial, launch);
}

START_TEST(cut_at_a_count_that_also_passed_refutes_nothing_on_a_device_that_cuts_loops)
{
    struct search_device device = usual;
    struct model model = device_of(40);
    device.loops_cut_at = 65536;
    model.barrier = be_cut_now_and_then;
    play(&model, &all_estimators, &device);
    assert_limit(40, 40, 0);
    ck_assert_uint_eq(story.limit.pass_launches, REPEATS);
    ck_assert_uint_lt(story.limit.passes, REPEATS);
}
END_TEST

START_TEST(cut_on_a_device_that_is_not_known_to_cut_loops_is_a_failure_but_no_stall)
{
    struct model model = device_of(40);
    model.barrier = fit_or_cut;
    play_usual(&model);
    assert_limit(40, 40, 0);
    ck_assert_str_eq(story.limit.no_stall, "a failure was seen, but not a confirmed stall");
}
END_TEST

START_TEST(stalls_that_are_never_confirmed_are_no_stall)
{
    struct model model = device_of(40);
    model.barrier = fit_or_be_undecided;
    play_usual(&model);
    assert_limit(40, 40, 0);
    ck_assert_str_eq(story.limit.no_stall, "a failure was seen, but not a confirmed stall");
}
END_TEST

START_TEST(undecided_launches_at_the_limit_are_repeated_once)
{
    struct model model = device_of(40);
    model.barrier = fit_or_be_undecided;
    model.census = count_few_in_haste;
    model.hasty = 8;
    model.patience_ns = 4 * CLOSE_NS;
    play_usual(&model);
    ck_assert_uint_eq(barriers_at(41), 2);
}
END_TEST

/* --- launches that fail --- */

START_TEST(device_that_crashes_in_each_barrier_passes_nowhere)
{
    for (uint32_t limit = 1; limit <= 64; ++limit) {
        struct model model = device_of(limit);
        model.barrier = crash;
        play_usual(&model);
        assert_limit(limit, 0, 0);
        ck_assert_str_eq(story.limit.no_stall, "a failure was seen, but not a confirmed stall");
        ck_assert_msg(story.trials <= 12, "limit %u: %u trials", limit, story.trials);
    }
}
END_TEST

static struct observation fit_or_crash(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return trial->groups <= model->limit ? passing(trial, 0) : crash(model, trial, launch);
}

START_TEST(device_that_crashes_where_others_stall_passes_at_its_limit_and_has_no_stall)
{
    struct model model = device_of(40);
    model.barrier = fit_or_crash;
    play_usual(&model);
    assert_limit(40, 40, 0);
    ck_assert_uint_eq(barriers_at(41), 2);
}
END_TEST

START_TEST(unsupported_footprint_is_refused_after_one_trial)
{
    struct model model = {.census = refuse, .barrier = refuse, .discovery = refuse};
    play_usual(&model);
    ck_assert_uint_eq(story.trials, 1);
    ck_assert(!story.limit.measured);
    ck_assert_int_eq(story.limit.refusal, VERDICT_UNSUPPORTED);
}
END_TEST

START_TEST(unsupported_footprint_is_refused_by_a_barrier_alone)
{
    struct search_options options = only(ESTIMATOR_BARRIER);
    struct model model = {.barrier = refuse};
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, 1);
    ck_assert_int_eq(story.limit.refusal, VERDICT_UNSUPPORTED);
}
END_TEST

START_TEST(kernel_that_cannot_be_built_is_refused_after_one_trial)
{
    struct model model = {.census = not_build, .barrier = not_build, .discovery = not_build};
    play_usual(&model);
    ck_assert_uint_eq(story.trials, 1);
    ck_assert(!story.limit.measured);
    ck_assert_int_eq(story.limit.refusal, VERDICT_BUILD_FAILED);
}
END_TEST

START_TEST(interruption_ends_the_search_at_once)
{
    struct model model = device_of(40);
    model.barrier = interrupt;
    play_usual(&model);
    ck_assert_int_eq(trial_at(story.trials - 1)->estimator, ESTIMATOR_BARRIER);
    ck_assert_uint_eq(trials_of(ESTIMATOR_BARRIER), 1);
}
END_TEST

static struct observation interrupt_below_the_limit(const struct model *model, const struct trial *trial,
                                                    uint32_t launch)
{
    return trial->groups < model->limit ? interrupt(model, trial, launch) : fit_or_stall(model, trial, launch);
}

START_TEST(interruption_refutes_nothing)
{
    struct model model = device_of(40);
    model.barrier = interrupt_below_the_limit;
    play_usual(&model);
    assert_limit(40, 40, 41);
    ck_assert(story.limit.monotone);
}
END_TEST

/* Feeds each trial of `estimator` an empty batch, as if its worker had died before the first launch. */
static struct limit play_without_launches(enum estimator estimator)
{
    struct model model = device_of(40);
    struct search search;
    struct trial trial;
    struct limit limit;
    uint32_t trials = 0;
    search_init(&search, &all_estimators, &usual, &footprint);
    while (search_next(&search, &trial)) {
        struct record record = {.trial = trial};
        ck_assert_msg(trials++ < MOST_TRIALS, "no end after %d trials", MOST_TRIALS);
        if (trial.estimator != estimator)
            run_batch(&model, &record);
        search_take(&search, &trial, record.observations, record.count, 1);
    }
    search_limit(&search, &limit);
    return limit;
}

START_TEST(barriers_without_a_launch_pass_nowhere)
{
    struct limit limit = play_without_launches(ESTIMATOR_BARRIER);
    ck_assert_uint_eq(limit.passes_at, 0);
    ck_assert_uint_eq(limit.stalls_at, 0);
}
END_TEST

START_TEST(discovery_without_a_launch_is_not_repeated)
{
    struct limit limit = play_without_launches(ESTIMATOR_DISCOVERY);
    ck_assert_uint_eq(limit.discovery_runs, 0);
    ck_assert_uint_eq(limit.passes_at, 40);
}
END_TEST

START_TEST(census_without_a_launch_ends_the_search)
{
    struct limit limit = play_without_launches(ESTIMATOR_CENSUS);
    ck_assert_uint_eq(limit.counted, 0);
}
END_TEST

/* --- discovery --- */

static struct observation find_fewer_each_time(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return passing(trial, model->limit - launch);
}

START_TEST(discovery_keeps_the_most_the_mean_and_the_runs)
{
    struct model model = device_of(40);
    model.discovery = find_fewer_each_time; /* 40, 39, 38 ... */
    play_usual(&model);
    const uint32_t runs = first_trial(ESTIMATOR_DISCOVERY, 0)->repeats;
    ck_assert_uint_ge(runs, 2);
    ck_assert_uint_eq(story.limit.discovery_runs, runs);
    ck_assert_uint_eq(story.limit.discovery_max, 40);
    ck_assert_double_eq_tol(story.limit.discovery_mean, 40.0 - (runs - 1) / 2.0, 1e-12);
    ck_assert(story.limit.agree);
}
END_TEST

static struct observation find_too_many(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)launch;
    return passing(trial, model->limit + 1);
}

START_TEST(discovery_of_more_groups_than_fit_disagrees)
{
    struct model model = device_of(40);
    model.discovery = find_too_many;
    play_usual(&model);
    ck_assert(!story.limit.agree);
}
END_TEST

START_TEST(discovery_that_crashes_leaves_the_others)
{
    struct model model = device_of(40);
    model.discovery = crash;
    play_usual(&model);
    ck_assert_uint_eq(story.limit.discovery_runs, 0);
    ck_assert_double_eq(story.limit.discovery_mean, 0.0);
    assert_limit(40, 40, 41);
}
END_TEST

/* --- what is asked for --- */

START_TEST(census_alone_runs_no_barrier)
{
    struct search_options options = only(ESTIMATOR_CENSUS);
    struct model model = device_of(40);
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, trials_of(ESTIMATOR_CENSUS));
    assert_limit(40, 0, 0);
    ck_assert(story.limit.measured);
    ck_assert_str_eq(story.limit.no_stall, "not asked for");
}
END_TEST

START_TEST(discovery_alone_is_measured_and_contradicts_nothing)
{
    struct search_options options = only(ESTIMATOR_DISCOVERY);
    struct model model = device_of(40);
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, 1);
    ck_assert_uint_eq(story.limit.discovery_max, 40);
    ck_assert(story.limit.measured);
    ck_assert(story.limit.agree);
}
END_TEST

START_TEST(barrier_alone_finds_each_limit_from_1_to_64_groups)
{
    struct search_options options = only(ESTIMATOR_BARRIER);
    for (uint32_t limit = 1; limit <= 64; ++limit) {
        struct model model = device_of(limit);
        play(&model, &options, &usual);
        assert_limit(limit, limit, limit + 1);
        ck_assert_uint_eq(story.trials, trials_of(ESTIMATOR_BARRIER));
        ck_assert_msg(story.trials <= 16, "limit %u: %u trials", limit, story.trials);
        ck_assert_uint_eq(story.limit.stall_launches, REPEATS);
        ck_assert(story.limit.agree);
    }
}
END_TEST

START_TEST(only_barriers_of_a_live_search_are_live)
{
    struct search_options options = all_estimators;
    struct model model = device_of(40);
    options.live = true;
    play(&model, &options, &usual);
    for (uint32_t i = 0; i < story.trials; ++i)
        ck_assert_int_eq(trial_at(i)->live, trial_at(i)->estimator == ESTIMATOR_BARRIER);
    assert_limit(40, 40, 41);
}
END_TEST

static struct observation fit_or_spin_on(const struct model *model, const struct trial *trial, uint32_t launch)
{
    struct observation o = fit_or_stall(model, trial, launch);
    if (trial->groups > model->limit)
        o.outcome = OUTCOME_LEFT_RUNNING;
    return o;
}

START_TEST(stalls_that_are_left_running_are_stalls)
{
    struct search_options options = all_estimators;
    struct model model = device_of(40);
    options.live = true;
    model.barrier = fit_or_spin_on; /* one launch a worker, so a batch ends with its first stall */
    play(&model, &options, &usual);
    assert_limit(40, 40, 41);
    ck_assert_uint_ge(story.limit.stalls, 1);
}
END_TEST

START_TEST(no_trial_of_an_ordinary_search_is_live)
{
    struct model model = device_of(40);
    play_usual(&model);
    for (uint32_t i = 0; i < story.trials; ++i)
        ck_assert(!trial_at(i)->live);
}
END_TEST

static struct search_options given(uint32_t a, uint32_t b, uint32_t c)
{
    struct search_options options = all_estimators;
    options.estimators[ESTIMATOR_CENSUS] = options.estimators[ESTIMATOR_DISCOVERY] = false;
    options.given[0] = a;
    options.given[1] = b;
    options.given[2] = c;
    options.given_count = 3;
    return options;
}

START_TEST(given_counts_are_tried_in_their_order_and_no_others)
{
    struct search_options options = given(50, 5, 30);
    struct model model = device_of(40);
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, 3);
    for (uint32_t i = 0; i < 3; ++i) {
        ck_assert_uint_eq(trial_at(i)->groups, options.given[i]);
        ck_assert_uint_eq(trial_at(i)->repeats, REPEATS);
        ck_assert_uint_eq(trial_at(i)->enough_stalls, 0);
    }
    assert_limit(30, 30, 50);
}
END_TEST

START_TEST(given_counts_that_all_pass_have_no_stall)
{
    struct search_options options = given(1, 2, 3);
    struct model model = device_of(40);
    play(&model, &options, &usual);
    assert_limit(3, 3, 0);
    ck_assert_str_eq(story.limit.no_stall, "none of the given group counts stalled");
}
END_TEST

START_TEST(given_counts_that_all_crash_are_each_tried_once)
{
    struct search_options options = given(1, 2, 3);
    struct model model = {.barrier = crash};
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, 3);
    assert_limit(0, 0, 0);
}
END_TEST

START_TEST(count_that_is_given_twice_is_tried_twice)
{
    struct search_options options = given(5, 5, 50);
    struct model model = device_of(40);
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, 3);
    ck_assert_uint_eq(story.limit.passes, 2 * REPEATS);
}
END_TEST

START_TEST(given_counts_come_after_a_census_that_is_asked_for)
{
    struct search_options options = given(5, 50, 6);
    struct model model = device_of(40);
    options.estimators[ESTIMATOR_CENSUS] = true;
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, 4);
    ck_assert_int_eq(trial_at(0)->estimator, ESTIMATOR_CENSUS);
    assert_limit(40, 6, 50);
    ck_assert(story.limit.agree); /* nothing was tried between 6 and 50 */
}
END_TEST

/* --- replay --- */

static void assert_same_barrier(const struct limit *a, const struct limit *b)
{
    ck_assert_uint_eq(a->passes_at, b->passes_at);
    ck_assert_uint_eq(a->passes, b->passes);
    ck_assert_uint_eq(a->pass_launches, b->pass_launches);
    ck_assert_uint_eq(a->stalls_at, b->stalls_at);
    ck_assert_uint_eq(a->stalls, b->stalls);
    ck_assert_uint_eq(a->stall_launches, b->stall_launches);
    ck_assert_int_eq(a->no_stall == NULL, b->no_stall == NULL);
    if (a->no_stall != NULL)
        ck_assert_str_eq(a->no_stall, b->no_stall);
    ck_assert_int_eq(a->monotone, b->monotone);
}

static void assert_same_limit(const struct limit *a, const struct limit *b)
{
    assert_same_barrier(a, b);
    ck_assert_uint_eq(a->footprint.local_size, b->footprint.local_size);
    ck_assert_uint_eq(a->resident, b->resident);
    ck_assert_uint_eq(a->counted, b->counted);
    ck_assert_int_eq(a->census_exact, b->census_exact);
    ck_assert_uint_eq(a->discovery_max, b->discovery_max);
    ck_assert_uint_eq(a->discovery_runs, b->discovery_runs);
    ck_assert_double_eq(a->discovery_mean, b->discovery_mean);
    ck_assert_int_eq(a->measured, b->measured);
    ck_assert_int_eq(a->refusal, b->refusal);
    ck_assert_int_eq(a->agree, b->agree);
    ck_assert_uint_eq(a->gap_ns, b->gap_ns);
    ck_assert_uint_eq(a->duration_ns, b->duration_ns);
}

/* Feeds the first `trials` trials of the story into a fresh search. */
static struct limit replay(uint32_t trials)
{
    struct search search;
    struct limit limit;
    search_init(&search, &all_estimators, &usual, &footprint);
    for (uint32_t i = 0; i < trials; ++i) {
        const struct record *record = &story.records[i];
        search_take(&search, &record->trial, record->observations, record->count, 1000 + i + 1);
    }
    search_limit(&search, &limit);
    return limit;
}

static void assert_replays(const struct model *model)
{
    play_usual(model);
    struct limit limit = replay(story.trials);
    assert_same_limit(&limit, &story.limit);
}

START_TEST(replay_of_an_ordinary_search_gives_the_same_row)
{
    struct model model = device_of(40);
    assert_replays(&model);
}
END_TEST

START_TEST(replay_of_any_search_gives_the_same_row)
{
    struct model models[5];
    for (int i = 0; i < 5; ++i)
        models[i] = device_of(40);
    models[0].barrier = crash;
    models[1].barrier = stall_once_at_the_limit;
    models[2].barrier = fit_or_twice_that;
    models[3].census = refuse;
    models[4].barrier = interrupt;
    for (int i = 0; i < 5; ++i)
        assert_replays(&models[i]);
}
END_TEST

START_TEST(replay_of_searches_on_devices_that_answer_at_random_gives_the_same_rows)
{
    for (uint32_t seed = 1; seed <= 50; ++seed) {
        struct model model = {.census = count_at_random, .barrier = answer_at_random, .discovery = count_at_random};
        model.seed = seed;
        assert_replays(&model);
    }
}
END_TEST

START_TEST(replay_of_a_broken_off_search_goes_on_where_it_ended)
{
    struct model model = device_of(40);
    play_usual(&model);
    for (uint32_t trials = 0; trials < story.trials; ++trials) {
        struct search search;
        struct trial next;
        search_init(&search, &all_estimators, &usual, &footprint);
        for (uint32_t i = 0; i < trials; ++i)
            search_take(&search, trial_at(i), story.records[i].observations, story.records[i].count, 1);
        ck_assert(search_next(&search, &next));
        ck_assert_int_eq(next.estimator, trial_at(trials)->estimator);
        ck_assert_uint_eq(next.groups, trial_at(trials)->groups);
        ck_assert_uint_eq(next.repeats, trial_at(trials)->repeats);
    }
}
END_TEST

START_TEST(row_of_a_search_that_has_not_begun_is_not_measured)
{
    struct limit limit = replay(0);
    ck_assert(!limit.measured);
    ck_assert_uint_eq(limit.resident, 0);
    ck_assert_uint_eq(limit.passes_at, 0);
    ck_assert_uint_eq(limit.stalls_at, 0);
}
END_TEST

START_TEST(asking_for_the_next_trial_twice_gives_the_same_trial)
{
    struct search search;
    struct trial first, second;
    search_init(&search, &all_estimators, &usual, &footprint);
    ck_assert(search_next(&search, &first));
    ck_assert(search_next(&search, &second));
    ck_assert_int_eq(first.estimator, second.estimator);
    ck_assert_uint_eq(first.groups, second.groups);
}
END_TEST

HARNESS_MAIN(
    "search", limit_of_each_device_from_1_to_64_groups_is_found, limit_is_proven_by_all_launches_asked_for,
    limit_of_an_ordinary_device_takes_at_most_seven_trials,
    census_comes_first_then_discovery_then_the_barrier_around_the_count,
    limit_at_the_most_groups_of_a_launch_is_found_without_a_stall, limit_one_below_the_most_groups_of_a_launch_is_found,
    limit_of_a_large_device_is_found, each_trial_is_of_the_footprint_and_has_the_times_of_the_device,
    barrier_is_told_how_many_groups_are_known_to_fit, times_of_all_trials_add_up, longest_gap_is_told_to_later_trials,
    census_launches_more_groups_while_all_of_them_are_resident,
    hasty_census_is_overtaken_by_the_barrier_and_repeated_with_a_longer_time,
    hasty_census_lets_the_search_gallop_and_bisect_to_any_limit,
    stalls_on_the_way_to_the_limit_are_launched_only_until_the_first,
    census_that_always_undercounts_disagrees_with_the_barrier, census_that_agrees_is_not_repeated,
    barrier_that_holds_fewer_groups_than_the_census_is_searched_below_it, census_that_never_settles_is_not_exact,
    census_that_crashes_ends_the_search, census_that_crashes_with_more_groups_keeps_what_fewer_groups_proved,
    census_whose_last_launch_crashes_keeps_what_the_others_proved,
    census_of_which_all_were_resident_before_its_last_launch_crashed_keeps_what_they_proved,
    pass_above_a_stall_is_not_monotone_and_is_resident, pass_above_a_stall_repeats_the_census,
    one_stall_in_twenty_at_the_limit_makes_the_limit_one_group_less,
    one_stall_in_twenty_at_one_group_leaves_no_safe_count, stall_one_below_the_limit_moves_the_limit_below_it,
    search_ends_on_devices_that_answer_at_random, fair_device_passes_up_to_the_most_groups_of_a_launch,
    fair_device_whose_census_undercounts_is_galloped_up_to_the_most_groups_of_a_launch,
    no_trial_has_more_groups_than_a_launch_may_have,
    no_trial_of_an_ordinary_device_has_more_groups_than_a_launch_may_have,
    device_that_is_known_to_cut_loops_has_no_stall_and_says_why,
    cut_at_a_count_that_also_passed_refutes_nothing_on_a_device_that_cuts_loops,
    cut_on_a_device_that_is_not_known_to_cut_loops_is_a_failure_but_no_stall,
    stalls_that_are_never_confirmed_are_no_stall, undecided_launches_at_the_limit_are_repeated_once,
    device_that_crashes_in_each_barrier_passes_nowhere,
    device_that_crashes_where_others_stall_passes_at_its_limit_and_has_no_stall,
    unsupported_footprint_is_refused_after_one_trial, unsupported_footprint_is_refused_by_a_barrier_alone,
    kernel_that_cannot_be_built_is_refused_after_one_trial, interruption_ends_the_search_at_once,
    barriers_without_a_launch_pass_nowhere, discovery_without_a_launch_is_not_repeated,
    census_without_a_launch_ends_the_search, discovery_keeps_the_most_the_mean_and_the_runs,
    discovery_of_more_groups_than_fit_disagrees, discovery_that_crashes_leaves_the_others, census_alone_runs_no_barrier,
    barrier_alone_finds_each_limit_from_1_to_64_groups, only_barriers_of_a_live_search_are_live,
    stalls_that_are_left_running_are_stalls, no_trial_of_an_ordinary_search_is_live,
    given_counts_are_tried_in_their_order_and_no_others, given_counts_that_all_pass_have_no_stall,
    given_counts_that_all_crash_are_each_tried_once, count_that_is_given_twice_is_tried_twice,
    given_counts_come_after_a_census_that_is_asked_for, replay_of_an_ordinary_search_gives_the_same_row,
    replay_of_any_search_gives_the_same_row, replay_of_searches_on_devices_that_answer_at_random_gives_the_same_rows,
    replay_of_a_broken_off_search_goes_on_where_it_ended, row_of_a_search_that_has_not_begun_is_not_measured,
    asking_for_the_next_trial_twice_gives_the_same_trial, search_gives_up_after_as_many_points_as_it_can_keep,
    last_verdict_that_was_no_pass_is_kept_with_its_point, twice_the_limit_is_tried_if_it_is_the_most_groups_of_a_launch,
    times_of_each_device_are_in_their_order, times_of_a_device_that_is_no_gpu_are_longer,
    compute_units_and_cut_loops_are_taken_over, most_groups_of_a_launch_are_many_and_fit_on_a_board,
    loops_that_are_cut_after_more_turns_than_32_bits_hold_are_cut, interruption_refutes_nothing,
    pass_above_a_census_that_counts_fewer_disagrees_with_it, discovery_alone_is_measured_and_contradicts_nothing)
