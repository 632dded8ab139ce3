/* The search on ordinary devices, and what its census and its discovery find. */
#include "harness.h"
#include "search_story.h"

/* --- launches --- */

static struct observation count_by_turns(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return passing(trial, least(trial->groups, model->limit - launch % 2));
}

static struct observation crash_with_many(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return trial->groups > 300 ? crash(model, trial, launch) : count_all(model, trial, launch);
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

START_TEST(census_of_a_device_that_proves_stalls_takes_no_time)
{
    const struct device_info info = {.kind = DEVICE_OTHER, .compute_units = 12};
    struct search_device settings;
    for (int channel = 0; channel < CHANNEL_COUNT; ++channel) {
        const struct device_probe probe = {.channel = (enum channel)channel};
        search_device_init(&settings, &info, &probe);
        ck_assert_int_eq(settings.close_ns == 0, channel == CHANNEL_PROOF);
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
    ck_assert_int_eq(trial_at(0)->kind, TRIAL_CENSUS);
    ck_assert_int_eq(trial_at(1)->kind, TRIAL_DISCOVERY);
    static const uint32_t groups[] = {10, 11, 9, 20};
    for (uint32_t i = 0; i < 4; ++i) {
        ck_assert_int_eq(trial_at(2 + i)->kind, TRIAL_BARRIER);
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
    ck_assert_uint_eq(first_trial(TRIAL_CENSUS, 0)->proven_groups, 0);
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 11)->proven_groups, 10);
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 9)->proven_groups, 9);
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
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 10)->gap_ns, 0);
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 11)->gap_ns, 77);
    ck_assert_uint_eq(story.limit.gap_ns, 77);
}
END_TEST

START_TEST(gap_is_told_only_as_far_as_a_stall_can_still_be_decided)
{
    ck_assert_uint_eq(search_gap_told_ns(0, 100), 0);
    ck_assert_uint_eq(search_gap_told_ns(399, 100), 399);
    ck_assert_uint_eq(search_gap_told_ns(UINT64_C(1) << 40, 100), 400);
}
END_TEST

/* --- the census --- */

START_TEST(census_launches_more_groups_while_all_of_them_are_resident)
{
    struct model model = device_of(1000);
    play_usual(&model);
    static const uint32_t groups[] = {64, 256, 1024};
    for (uint32_t i = 0; i < 3; ++i) {
        ck_assert_int_eq(trial_at(i)->kind, TRIAL_CENSUS);
        ck_assert_uint_eq(trial_at(i)->groups, groups[i]);
    }
    ck_assert_uint_eq(trials_of(TRIAL_CENSUS), 3);
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
    ck_assert_uint_eq(trials_of(TRIAL_CENSUS), 2);
    const struct trial *again = trial_at(story.trials - 1);
    ck_assert_int_eq(again->kind, TRIAL_CENSUS);
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
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 8)->enough_stalls, 0);
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 9)->enough_stalls, 0);
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 35)->enough_stalls, 1);
    ck_assert_uint_eq(first_trial(TRIAL_BARRIER, 51)->enough_stalls, 1);
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
    ck_assert_uint_eq(trials_of(TRIAL_CENSUS), 3);
    ck_assert_uint_eq(trial_at(story.trials - 1)->close_ns, 64 * CLOSE_NS);
}
END_TEST

START_TEST(census_that_agrees_is_not_repeated)
{
    struct model model = device_of(50);
    play_usual(&model);
    ck_assert_uint_eq(trials_of(TRIAL_CENSUS), 1);
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
    const uint32_t runs = first_trial(TRIAL_DISCOVERY, 0)->repeats;
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

HARNESS_MAIN("search", limit_of_each_device_from_1_to_64_groups_is_found, limit_is_proven_by_all_launches_asked_for,
             limit_of_an_ordinary_device_takes_at_most_seven_trials,
             census_comes_first_then_discovery_then_the_barrier_around_the_count,
             limit_at_the_most_groups_of_a_launch_is_found_without_a_stall,
             limit_one_below_the_most_groups_of_a_launch_is_found, limit_of_a_large_device_is_found,
             each_trial_is_of_the_footprint_and_has_the_times_of_the_device,
             barrier_is_told_how_many_groups_are_known_to_fit, times_of_all_trials_add_up,
             longest_gap_is_told_to_later_trials, gap_is_told_only_as_far_as_a_stall_can_still_be_decided,
             census_launches_more_groups_while_all_of_them_are_resident,
             hasty_census_is_overtaken_by_the_barrier_and_repeated_with_a_longer_time,
             hasty_census_lets_the_search_gallop_and_bisect_to_any_limit,
             stalls_on_the_way_to_the_limit_are_launched_only_until_the_first,
             census_that_always_undercounts_disagrees_with_the_barrier, census_that_agrees_is_not_repeated,
             barrier_that_holds_fewer_groups_than_the_census_is_searched_below_it,
             census_that_never_settles_is_not_exact, census_that_crashes_ends_the_search,
             census_that_crashes_with_more_groups_keeps_what_fewer_groups_proved,
             census_whose_last_launch_crashes_keeps_what_the_others_proved,
             census_of_which_all_were_resident_before_its_last_launch_crashed_keeps_what_they_proved,
             discovery_keeps_the_most_the_mean_and_the_runs, discovery_of_more_groups_than_fit_disagrees,
             discovery_that_crashes_leaves_the_others, times_of_each_device_are_in_their_order,
             times_of_a_device_that_is_no_gpu_are_longer, census_of_a_device_that_proves_stalls_takes_no_time,
             compute_units_and_cut_loops_are_taken_over, most_groups_of_a_launch_are_many_and_fit_on_a_board,
             loops_that_are_cut_after_more_turns_than_32_bits_hold_are_cut)
