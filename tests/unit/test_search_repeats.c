/* The search on devices on which a launch fails now and then: its trial is repeated, and the row says so. */
#include "harness.h"
#include "search_story.h"

/* Which launch fails, of all that the model has seen of its kind, and how. */
static struct {
    enum trial_kind kind;
    uint32_t groups; /* 0: any */
    uint32_t from, times;
    enum outcome outcome;
    uint32_t seen;
} fault;

static bool is_faulty(const struct trial *trial)
{
    if (trial->kind != fault.kind || (fault.groups != 0 && trial->groups != fault.groups))
        return false;
    const uint32_t index = fault.seen++;
    return index >= fault.from && index - fault.from < fault.times;
}

static struct observation barrier_or_fault(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return is_faulty(trial) ? observed(trial, fault.outcome) : fit_or_stall(model, trial, launch);
}

static struct observation count_or_fault(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return is_faulty(trial) ? observed(trial, fault.outcome) : count_all(model, trial, launch);
}

/* A search on a device of 10 groups of which launches number `from` and on fail, `times` of them. */
static void play_fault(enum trial_kind kind, uint32_t groups, uint32_t from, uint32_t times, enum outcome outcome)
{
    struct model model = device_of(10);
    model.barrier = barrier_or_fault;
    model.census = model.discovery = count_or_fault;
    fault.kind = kind;
    fault.groups = groups;
    fault.from = from;
    fault.times = times;
    fault.outcome = outcome;
    fault.seen = 0;
    play_usual(&model);
}

static void assert_failures(enum trial_kind kind, uint32_t groups, uint32_t launches, uint32_t failed, bool stay,
                            enum verdict verdict)
{
    size_t at = 0;
    const struct failures *failures = search_failures(&story.search, &at);
    ck_assert_ptr_nonnull(failures);
    ck_assert_int_eq(failures->kind, kind);
    ck_assert_uint_eq(failures->groups, groups);
    ck_assert_uint_eq(failures->launches, launches);
    ck_assert_uint_eq(failures->failed, failed);
    ck_assert_int_eq(failures->in_a_row > 0, stay);
    ck_assert_str_eq(verdict_name(failures->verdict), verdict_name(verdict));
}

static void assert_row(uint32_t failed, bool fails)
{
    ck_assert_uint_eq(story.limit.failed, failed);
    ck_assert_int_eq(story.limit.fails, fails);
    ck_assert_int_eq(limit_is_surprise(&story.limit, false), fails);
}

START_TEST(ordinary_search_has_no_failures)
{
    size_t at = 0;
    play_fault(TRIAL_BARRIER, 0, 0, 0, OUTCOME_CRASHED);
    ck_assert_ptr_null(search_failures(&story.search, &at));
    assert_row(0, false);
    assert_limit(10, 10, 11);
}
END_TEST

/* --- the barrier --- */

START_TEST(launch_that_was_lost_once_at_the_limit_is_repeated_and_moves_nothing)
{
    static const enum outcome outcomes[] = {OUTCOME_CRASHED, OUTCOME_DEVICE_LOST, OUTCOME_KILLED, OUTCOME_CL_ERROR};
    static const enum verdict verdicts[] = {VERDICT_CRASH, VERDICT_DEVICE_LOST, VERDICT_HANG, VERDICT_ERROR};
    for (int i = 0; i < 4; ++i) {
        play_fault(TRIAL_BARRIER, 10, 13, 1, outcomes[i]);
        assert_limit(10, 10, 11);
        ck_assert_uint_eq(barriers_at(10), 2);
        ck_assert_uint_eq(story.limit.passes, REPEATS);
        ck_assert_uint_eq(story.limit.pass_launches, REPEATS + 1);
        assert_row(1, false);
        assert_failures(TRIAL_BARRIER, 10, REPEATS + 1, 1, false, verdicts[i]);
    }
}
END_TEST

static struct observation be_wrong_once(const struct model *model, const struct trial *trial, uint32_t launch)
{
    struct observation o = fit_or_stall(model, trial, launch);
    if (is_faulty(trial))
        o.witnesses -= 1;
    return o;
}

static struct observation be_undecided_once(const struct model *model, const struct trial *trial, uint32_t launch)
{
    return is_faulty(trial) ? waiting(trial, trial->groups) : fit_or_stall(model, trial, launch);
}

START_TEST(launch_that_was_wrong_or_undecided_once_at_the_limit_is_repeated)
{
    for (int i = 0; i < 2; ++i) {
        struct model model = device_of(10);
        play_fault(TRIAL_BARRIER, 10, 7, 1, OUTCOME_ENDED);
        fault.seen = 0;
        model.barrier = i == 0 ? be_wrong_once : be_undecided_once;
        play_usual(&model);
        assert_limit(10, 10, 11);
        assert_row(1, false);
        assert_failures(TRIAL_BARRIER, 10, REPEATS + 1, 1, false, i == 0 ? VERDICT_WRONG : VERDICT_INCONCLUSIVE);
    }
}
END_TEST

START_TEST(launch_that_is_lost_again_when_it_is_repeated_is_a_surprise)
{
    play_fault(TRIAL_BARRIER, 10, 13, 2, OUTCOME_CRASHED);
    ck_assert_uint_eq(barriers_at(10), 2);
    ck_assert_uint_eq(story.limit.passes_at, 9);
    assert_row(2, true);
    assert_failures(TRIAL_BARRIER, 10, 15, 2, true, VERDICT_CRASH);
}
END_TEST

START_TEST(stalls_above_the_limit_are_completed_after_one_that_was_lost)
{
    play_fault(TRIAL_BARRIER, 11, 5, 1, OUTCOME_DEVICE_LOST);
    assert_limit(10, 10, 11);
    ck_assert_uint_eq(story.limit.stalls, REPEATS);
    ck_assert_uint_eq(story.limit.stall_launches, REPEATS + 1);
    assert_row(1, false);
}
END_TEST

START_TEST(launch_that_is_lost_below_the_limit_moves_nothing)
{
    play_fault(TRIAL_BARRIER, 9, 0, 1, OUTCOME_DEVICE_LOST);
    assert_limit(10, 10, 11);
    ck_assert(story.limit.monotone);
    assert_row(1, false);
}
END_TEST

START_TEST(as_many_trials_are_repeated_as_a_footprint_may_have)
{
    play_fault(TRIAL_BARRIER, 0, 0, UINT32_MAX, OUTCOME_CRASHED);
    ck_assert_uint_eq(barriers_at(10), 2);
    ck_assert_uint_eq(barriers_at(1), 1);
    assert_limit(10, 0, 0);
    ck_assert(story.limit.fails);
}
END_TEST

START_TEST(cut_is_no_failure_of_a_device_that_cuts_loops)
{
    struct search_device device = usual;
    struct model model = device_of(10);
    size_t at = 0;
    device.loops_cut_at = 65536;
    play_fault(TRIAL_BARRIER, 10, 7, 1, OUTCOME_ENDED);
    fault.seen = 0;
    model.barrier = be_undecided_once;
    play(&model, &all_estimators, &device);
    ck_assert_ptr_null(search_failures(&story.search, &at));
}
END_TEST

/* --- the census and discovery --- */

START_TEST(census_that_crashed_once_is_repeated)
{
    for (uint32_t from = 0; from < 3; ++from) {
        play_fault(TRIAL_CENSUS, 0, from, 1, OUTCOME_CRASHED);
        assert_limit(10, 10, 11);
        ck_assert_uint_eq(story.limit.counted, 10);
        ck_assert(story.limit.census_exact);
        ck_assert_uint_eq(trials_of(TRIAL_CENSUS), 2);
        ck_assert_uint_eq(trial_at(1)->groups, trial_at(0)->groups);
        ck_assert_uint_eq(trial_at(1)->close_ns, trial_at(0)->close_ns);
        assert_row(1, false);
        assert_failures(TRIAL_CENSUS, 64, from + 4, 1, false, VERDICT_CRASH);
    }
}
END_TEST

START_TEST(census_that_crashes_each_time_refuses_the_footprint)
{
    play_fault(TRIAL_CENSUS, 0, 0, UINT32_MAX, OUTCOME_CRASHED);
    ck_assert_uint_eq(story.trials, 2);
    ck_assert(!story.limit.measured);
    ck_assert_int_eq(story.limit.refusal, VERDICT_CRASH);
    assert_row(2, true);
}
END_TEST

START_TEST(census_that_counted_before_it_crashed_each_time_is_a_surprise)
{
    play_fault(TRIAL_CENSUS, 0, 2, 1, OUTCOME_CRASHED);
    assert_row(1, false);
    play_fault(TRIAL_CENSUS, 0, 1, UINT32_MAX, OUTCOME_CRASHED);
    assert_limit(10, 10, 11);
    assert_row(2, true);
}
END_TEST

START_TEST(discovery_that_lost_the_device_once_is_repeated)
{
    play_fault(TRIAL_DISCOVERY, 0, 1, 1, OUTCOME_DEVICE_LOST);
    assert_limit(10, 10, 11);
    ck_assert_uint_eq(trials_of(TRIAL_DISCOVERY), 2);
    assert_row(1, false);
    assert_failures(TRIAL_DISCOVERY, 64, 5, 1, false, VERDICT_DEVICE_LOST);
}
END_TEST

START_TEST(discovery_that_loses_the_device_each_time_is_a_surprise)
{
    play_fault(TRIAL_DISCOVERY, 0, 0, UINT32_MAX, OUTCOME_DEVICE_LOST);
    assert_limit(10, 10, 11);
    ck_assert_uint_eq(trials_of(TRIAL_DISCOVERY), 2);
    assert_row(2, true);
}
END_TEST

/* --- what a barrier proves --- */

START_TEST(groups_that_waited_in_a_stall_were_resident_together)
{
    const struct trial barrier = {.kind = TRIAL_BARRIER, .groups = 12};
    const struct trial work = {.kind = TRIAL_WORK, .groups = 12};
    struct observation o = stalling(&barrier, 10);
    ck_assert_uint_eq(search_proven(&barrier, &o), 10);
    ck_assert_uint_eq(search_proven(&work, &o), 10);
    o.confirmed = false;
    ck_assert_uint_eq(search_proven(&barrier, &o), 0);
    o = passing(&barrier, 0);
    ck_assert_uint_eq(search_proven(&barrier, &o), 12);
    ck_assert_uint_eq(search_proven(&work, &o), 0);
}
END_TEST

/* Passes with as many groups as a hasty census counts, and stalls with one more although ten are inside. */
static struct observation stall_with_all_inside(const struct model *model, const struct trial *trial, uint32_t launch)
{
    (void)launch;
    return trial->groups <= model->hasty ? passing(trial, 0) : stalling(trial, least(trial->groups, model->limit));
}

START_TEST(stall_with_more_groups_inside_than_were_counted_repeats_the_census)
{
    struct model model = device_of(10);
    model.census = count_few_in_haste;
    model.hasty = 8;
    model.patience_ns = 4 * CLOSE_NS;
    model.barrier = stall_with_all_inside;
    play_usual(&model);
    ck_assert_uint_eq(trials_of(TRIAL_CENSUS), 2);
    ck_assert_uint_eq(story.limit.counted, 10);
    ck_assert_uint_eq(story.limit.resident, 10);
}
END_TEST

static uint32_t censuses_of(uint32_t limit, uint32_t compute_units, uint32_t loops_cut_at)
{
    struct search_options options = only(TRIAL_CENSUS);
    struct search_device device = usual;
    struct model model = device_of(limit);
    device.compute_units = compute_units;
    device.loops_cut_at = loops_cut_at;
    play(&model, &options, &device);
    ck_assert_uint_eq(story.limit.counted, limit);
    return story.trials;
}

START_TEST(census_of_fewer_groups_than_there_are_units_is_repeated_once)
{
    ck_assert_uint_eq(censuses_of(4, 4, 0), 1);
    ck_assert_uint_eq(censuses_of(3, 4, 65536), 1);
    ck_assert_uint_eq(censuses_of(3, 4, 0), 2);
    ck_assert_uint_eq(trial_at(1)->close_ns, 8 * CLOSE_NS);
}
END_TEST

START_TEST(limit_explains_what_passes_starves_or_is_undecided_and_nothing_else)
{
    const verdict_set explained =
        UINT32_C(1) << VERDICT_PASS | UINT32_C(1) << VERDICT_STARVED | UINT32_C(1) << VERDICT_INCONCLUSIVE;
    ck_assert_uint_eq(limit_unexplained(explained), 0);
    ck_assert_uint_eq(limit_unexplained(UINT32_MAX), UINT32_MAX & ~explained);
}
END_TEST

HARNESS_MAIN("search repeats", ordinary_search_has_no_failures,
             launch_that_was_lost_once_at_the_limit_is_repeated_and_moves_nothing,
             launch_that_was_wrong_or_undecided_once_at_the_limit_is_repeated,
             launch_that_is_lost_again_when_it_is_repeated_is_a_surprise,
             stalls_above_the_limit_are_completed_after_one_that_was_lost,
             launch_that_is_lost_below_the_limit_moves_nothing, as_many_trials_are_repeated_as_a_footprint_may_have,
             cut_is_no_failure_of_a_device_that_cuts_loops, census_that_crashed_once_is_repeated,
             census_that_crashes_each_time_refuses_the_footprint,
             census_that_counted_before_it_crashed_each_time_is_a_surprise,
             discovery_that_lost_the_device_once_is_repeated, discovery_that_loses_the_device_each_time_is_a_surprise,
             groups_that_waited_in_a_stall_were_resident_together,
             stall_with_more_groups_inside_than_were_counted_repeats_the_census,
             census_of_fewer_groups_than_there_are_units_is_repeated_once,
             limit_explains_what_passes_starves_or_is_undecided_and_nothing_else)
