/* The search on devices that are not monotone, on which nothing stalls, or on which launches fail. */
#include "harness.h"
#include "search_story.h"

#include <string.h>

/* --- launches --- */

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

static struct observation not_build(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)model;
    (void)launch;
    return observed(trial, OUTCOME_BUILD_FAILED);
}

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
    ck_assert_uint_eq(trials_of(TRIAL_CENSUS), 3);
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
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 9)->repeats, REPEATS);
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 9)->enough_stalls, 0);
    ck_assert_ptr_null(first_trial(TRIAL_BARRIER, 5));
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
    ck_assert_uint_le(trials_of(TRIAL_BARRIER), 2 * SEARCH_POINTS);
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
        ck_assert_msg(trial_at(i)->groups <= MAX_GROUPS, "%s with %u groups", trial_kind_name(trial_at(i)->kind),
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

/* Its loops end before all have come: what it counts is no contradiction of the barrier. */
START_TEST(census_that_undercounts_on_a_device_that_cuts_loops_contradicts_nothing)
{
    struct search_device device = usual;
    struct model model = device_of(40);
    device.loops_cut_at = 65536;
    model.barrier = fit_or_cut;
    model.census = count_few_in_haste;
    model.hasty = 8;
    model.patience_ns = UINT64_MAX;
    play(&model, &all_estimators, &device);
    assert_limit(40, 40, 0);
    ck_assert_uint_eq(story.limit.counted, 8);
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
    ck_assert_str_eq(story.limit.no_stall, "a launch failed, but no stall was confirmed");
}
END_TEST

START_TEST(stalls_that_are_never_confirmed_are_no_stall)
{
    struct model model = device_of(40);
    model.barrier = fit_or_be_undecided;
    play_usual(&model);
    assert_limit(40, 40, 0);
    ck_assert_str_eq(story.limit.no_stall, "a launch failed, but no stall was confirmed");
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
        ck_assert_str_eq(story.limit.no_stall, "a launch failed, but no stall was confirmed");
        ck_assert_msg(story.trials <= 13, "limit %u: %u trials", limit, story.trials);
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
    struct search_options options = only(TRIAL_BARRIER);
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
    ck_assert_int_eq(trial_at(story.trials - 1)->kind, TRIAL_BARRIER);
    ck_assert_uint_eq(trials_of(TRIAL_BARRIER), 1);
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

/* Feeds each trial of `kind` an empty batch, as if its worker had died before the first launch. */
static struct limit play_without_launches(enum trial_kind kind)
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
        if (trial.kind != kind)
            run_batch(&model, &record);
        search_take(&search, &trial, record.observations, record.count, 1);
    }
    search_limit(&search, &limit);
    return limit;
}

START_TEST(barriers_without_a_launch_pass_nowhere)
{
    struct limit limit = play_without_launches(TRIAL_BARRIER);
    ck_assert_uint_eq(limit.passes_at, 0);
    ck_assert_uint_eq(limit.stalls_at, 0);
}
END_TEST

START_TEST(discovery_without_a_launch_is_not_repeated)
{
    struct limit limit = play_without_launches(TRIAL_DISCOVERY);
    ck_assert_uint_eq(limit.discovery_runs, 0);
    ck_assert_uint_eq(limit.passes_at, 40);
}
END_TEST

START_TEST(census_without_a_launch_ends_the_search)
{
    struct limit limit = play_without_launches(TRIAL_CENSUS);
    ck_assert_uint_eq(limit.counted, 0);
}
END_TEST

START_TEST(limit_is_a_surprise_if_it_contradicts_itself_or_failed)
{
    ck_assert(!limit_is_surprise(&(struct limit){.measured = true, .agree = true, .monotone = true}, false));
    ck_assert(limit_is_surprise(&(struct limit){.measured = true, .monotone = true}, false));
    ck_assert(limit_is_surprise(&(struct limit){.measured = true, .agree = true}, false));
    ck_assert(limit_is_surprise(&(struct limit){.refusal = VERDICT_CRASH}, false));
    ck_assert(limit_is_surprise(&(struct limit){.refusal = VERDICT_INCONCLUSIVE}, true));
    ck_assert(!limit_is_surprise(&(struct limit){.refusal = VERDICT_UNSUPPORTED}, false));
    ck_assert(!limit_is_surprise(&(struct limit){.refusal = VERDICT_INCOMPLETE}, false));
    ck_assert(!limit_is_surprise(&(struct limit){.refusal = VERDICT_PASS}, false));
}
END_TEST

START_TEST(loop_that_was_cut_is_a_surprise_where_none_are)
{
    ck_assert(limit_is_surprise(&(struct limit){.refusal = VERDICT_CUT}, false));
    ck_assert(!limit_is_surprise(&(struct limit){.refusal = VERDICT_CUT}, true));
}
END_TEST

HARNESS_MAIN("search failures", pass_above_a_stall_is_not_monotone_and_is_resident,
             pass_above_a_stall_repeats_the_census, one_stall_in_twenty_at_the_limit_makes_the_limit_one_group_less,
             one_stall_in_twenty_at_one_group_leaves_no_safe_count, stall_one_below_the_limit_moves_the_limit_below_it,
             search_ends_on_devices_that_answer_at_random, fair_device_passes_up_to_the_most_groups_of_a_launch,
             fair_device_whose_census_undercounts_is_galloped_up_to_the_most_groups_of_a_launch,
             no_trial_has_more_groups_than_a_launch_may_have,
             no_trial_of_an_ordinary_device_has_more_groups_than_a_launch_may_have,
             device_that_is_known_to_cut_loops_has_no_stall_and_says_why,
             census_that_undercounts_on_a_device_that_cuts_loops_contradicts_nothing,
             cut_at_a_count_that_also_passed_refutes_nothing_on_a_device_that_cuts_loops,
             cut_on_a_device_that_is_not_known_to_cut_loops_is_a_failure_but_no_stall,
             stalls_that_are_never_confirmed_are_no_stall, undecided_launches_at_the_limit_are_repeated_once,
             device_that_crashes_in_each_barrier_passes_nowhere,
             device_that_crashes_where_others_stall_passes_at_its_limit_and_has_no_stall,
             unsupported_footprint_is_refused_after_one_trial, unsupported_footprint_is_refused_by_a_barrier_alone,
             kernel_that_cannot_be_built_is_refused_after_one_trial, interruption_ends_the_search_at_once,
             barriers_without_a_launch_pass_nowhere, discovery_without_a_launch_is_not_repeated,
             census_without_a_launch_ends_the_search, limit_is_a_surprise_if_it_contradicts_itself_or_failed,
             loop_that_was_cut_is_a_surprise_where_none_are, search_gives_up_after_as_many_points_as_it_can_keep,
             last_verdict_that_was_no_pass_is_kept_with_its_point,
             twice_the_limit_is_tried_if_it_is_the_most_groups_of_a_launch, interruption_refutes_nothing,
             pass_above_a_census_that_counts_fewer_disagrees_with_it)
