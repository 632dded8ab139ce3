/* What is asked of the search, and the search fed with stored trials. */
#include "harness.h"
#include "search_story.h"

/* --- what is asked for --- */

START_TEST(census_alone_runs_no_barrier)
{
    struct search_options options = only(TRIAL_CENSUS);
    struct model model = device_of(40);
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, trials_of(TRIAL_CENSUS));
    assert_limit(40, 0, 0);
    ck_assert(story.limit.measured);
    ck_assert_str_eq(story.limit.no_stall, "not asked for");
}
END_TEST

START_TEST(discovery_alone_is_measured_and_contradicts_nothing)
{
    struct search_options options = only(TRIAL_DISCOVERY);
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
    struct search_options options = only(TRIAL_BARRIER);
    for (uint32_t limit = 1; limit <= 64; ++limit) {
        struct model model = device_of(limit);
        play(&model, &options, &usual);
        assert_limit(limit, limit, limit + 1);
        ck_assert_uint_eq(story.trials, trials_of(TRIAL_BARRIER));
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
        ck_assert_int_eq(trial_at(i)->live, trial_at(i)->kind == TRIAL_BARRIER);
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
    options.estimators[TRIAL_CENSUS] = options.estimators[TRIAL_DISCOVERY] = false;
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

START_TEST(given_counts_that_all_crash_are_each_tried_twice)
{
    struct search_options options = given(1, 2, 3);
    struct model model = {.barrier = crash};
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, 6);
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
    options.estimators[TRIAL_CENSUS] = true;
    play(&model, &options, &usual);
    ck_assert_uint_eq(story.trials, 4);
    ck_assert_int_eq(trial_at(0)->kind, TRIAL_CENSUS);
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
        ck_assert_int_eq(next.kind, trial_at(trials)->kind);
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
    ck_assert_int_eq(first.kind, second.kind);
    ck_assert_uint_eq(first.groups, second.groups);
}
END_TEST

HARNESS_MAIN("search options", census_alone_runs_no_barrier, barrier_alone_finds_each_limit_from_1_to_64_groups,
             only_barriers_of_a_live_search_are_live, stalls_that_are_left_running_are_stalls,
             no_trial_of_an_ordinary_search_is_live, given_counts_are_tried_in_their_order_and_no_others,
             given_counts_that_all_pass_have_no_stall, given_counts_that_all_crash_are_each_tried_twice,
             count_that_is_given_twice_is_tried_twice, given_counts_come_after_a_census_that_is_asked_for,
             replay_of_an_ordinary_search_gives_the_same_row, replay_of_any_search_gives_the_same_row,
             replay_of_searches_on_devices_that_answer_at_random_gives_the_same_rows,
             replay_of_a_broken_off_search_goes_on_where_it_ended, row_of_a_search_that_has_not_begun_is_not_measured,
             asking_for_the_next_trial_twice_gives_the_same_trial, discovery_alone_is_measured_and_contradicts_nothing)
