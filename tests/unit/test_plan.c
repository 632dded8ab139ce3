#include "scenario/plan.h"

#include "harness.h"
#include "toy_kernels.h"

#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 256, UNITS = 2, MAX_GROUPS = 100 };

/* A point that the plan came to. */
struct visit {
    int outcome; /* of plan_trial */
    struct trial trial;
    struct expected expected;
    const char *reason;
    bool build_changed;
};

static struct scenario scenario;
static struct plan plan;
static struct visit visits[MOST_POINTS];
static size_t count;
static uint32_t resident = 4; /* of each build; 0: it cannot be measured */
static struct device_probe probe = {.dialect = DIALECT_CL30};

#define PASS (1u << VERDICT_PASS)
#define STALE (1u << VERDICT_STALE)
#define STARVED (1u << VERDICT_STARVED)

static void read_scenario(const char *kernel, const char *sweep, const char *verdict)
{
    char text[4096];
    struct error error = {0};
    snprintf(text, sizeof text,
             "[scenario]\nkernel = %s\npurpose = a\nteaches = b\n[sweep]\n%s[expect]\nverdict = %s\n", kernel, sweep,
             verdict);
    ck_assert_msg(scenario_parse(text, strlen(text), "t.ini", "", &scenario, &error) == 0, "%s", error.text);
    plan_init(&plan, &scenario, UNITS, MAX_GROUPS, &probe);
}

static void visit_all(void)
{
    struct error error = {0};
    for (count = 0; plan_next(&plan); ++count) {
        ck_assert_uint_lt(count, MOST_POINTS);
        struct visit *visit = &visits[count];
        visit->build_changed = plan.build_changed;
        if (plan.build_changed) {
            ck_assert_uint_eq(plan.resident, 0); /* the limit of the last build is forgotten */
            plan.resident = resident;
        }
        visit->outcome = plan_trial(&plan, &visit->trial, &visit->expected, &visit->reason, &error);
        ck_assert_msg(visit->outcome >= 0, "%s", error.text);
    }
}

/* All points of a sweep of the toy. */
static void play(const char *sweep)
{
    read_scenario("toy", sweep, "pass when groups <= resident; starved otherwise");
    visit_all();
}

/* The next point that is a trial, from *at on. */
static const struct visit *next_trial(size_t *at)
{
    while (*at < count && visits[*at].outcome != 0)
        ++*at;
    return *at < count ? &visits[(*at)++] : NULL;
}

static const struct trial *only_trial(void)
{
    size_t at = 0;
    const struct visit *visit = next_trial(&at);
    ck_assert_ptr_nonnull(visit);
    ck_assert_ptr_null(next_trial(&at));
    return &visit->trial;
}

static void assert_groups(size_t wanted_count, const uint32_t *wanted)
{
    size_t at = 0;
    for (size_t i = 0; i < wanted_count; ++i) {
        const struct visit *visit = next_trial(&at);
        ck_assert_ptr_nonnull(visit);
        ck_assert_uint_eq(visit->trial.groups, wanted[i]);
    }
    ck_assert_ptr_null(next_trial(&at));
}

/* The groups of all trials, in order. */
#define ASSERT_GROUPS(...)                                                                                             \
    do {                                                                                                               \
        const uint32_t wanted_groups[] = {__VA_ARGS__};                                                                \
        assert_groups(sizeof wanted_groups / sizeof *wanted_groups, wanted_groups);                                    \
    } while (0)

/* --- order --- */

START_TEST(groups_change_fastest_then_parameters_then_builds)
{
    static const char *const dialects[] = {"cl12", "cl30"};
    static const char *const faults[] = {"FAULT_LOST", "FAULT_NONE"};
    static const uint32_t sizes[] = {64, 1}, rounds[] = {5, 2}, groups[] = {3, 1};
    play("groups = 3, 1\nrounds = 5, 2\nlocal-size = 64, 1\nfault = lost, none\ndialect = cl12, cl30\n");
    ck_assert_uint_eq(count, 32);
    for (size_t i = 0; i < 32; ++i) {
        const struct trial *trial = &visits[i].trial;
        ck_assert_str_eq(dialect_name(trial->dialect), dialects[i / 16]);
        ck_assert_ptr_nonnull(strstr(trial->work.options, faults[i / 8 % 2]));
        ck_assert_uint_eq(trial->footprint.local_size, sizes[i / 4 % 2]);
        ck_assert_uint_eq(trial->rounds, rounds[i / 2 % 2]);
        ck_assert_uint_eq(trial->groups, groups[i % 2]);
    }
}
END_TEST

START_TEST(order_of_kinds_does_not_depend_on_the_order_in_the_file)
{
    static const uint32_t sizes[] = {64, 1}, rounds[] = {5, 2}, groups[] = {3, 1};
    play("local-size = 64, 1\nrounds = 5, 2\ngroups = 3, 1\n");
    ck_assert_uint_eq(count, 8);
    for (size_t i = 0; i < 8; ++i) {
        ck_assert_uint_eq(visits[i].trial.footprint.local_size, sizes[i / 4]);
        ck_assert_uint_eq(visits[i].trial.rounds, rounds[i / 2 % 2]);
        ck_assert_uint_eq(visits[i].trial.groups, groups[i % 2]);
    }
}
END_TEST

START_TEST(parameters_and_what_all_kernels_have_change_before_groups)
{
    play("groups = 1, 2\nitems = 8, 9\nseed = 3, 4\njitter = 5, 6\n");
    ck_assert_uint_eq(count, 16);
    for (size_t i = 0; i < 16; ++i) {
        ck_assert_uint_eq(visits[i].trial.groups, 1 + i % 2);
        ck_assert(!visits[i].build_changed || i == 0);
    }
}
END_TEST

START_TEST(build_changes_with_dialect_words_and_local_size_alone)
{
    play("groups = 1, 2\nrounds = 1, 2\naccess = plain, atomic\npoll = load, rmw\nlocal-size = 1, 2\n"
         "dialect = cl12, cl30\n");
    ck_assert_uint_eq(count, 64);
    for (size_t i = 0; i < 64; ++i)
        ck_assert_int_eq(visits[i].build_changed, i % 4 == 0);
}
END_TEST

START_TEST(first_point_comes_to_a_build)
{
    play("groups = 1\n");
    ck_assert_uint_eq(count, 1);
    ck_assert(visits[0].build_changed);
}
END_TEST

/* --- which groups --- */

START_TEST(groups_are_relative_to_the_limit_and_to_compute_units)
{
    play("groups = 1x resident - 1, resident, resident + 1, 1.5x compute-units, 2x resident\n");
    ASSERT_GROUPS(3, 4, 5, 8); /* 1.5 * 2 is 3 again */
}
END_TEST

START_TEST(group_counts_that_came_before_are_dropped)
{
    play("groups = 1, 1x compute-units, 2, resident, 1, 4, 2x compute-units, 5\n");
    ASSERT_GROUPS(1, 2, 4, 5);
    ck_assert_uint_eq(count, 8);
    for (size_t i = 0; i < count; ++i)
        ck_assert_ptr_null(visits[i].reason);
}
END_TEST

START_TEST(group_counts_below_1_are_dropped_without_a_reason)
{
    play("groups = resident - 4, resident - 5, resident - 3\n");
    ASSERT_GROUPS(1);
    ck_assert_int_eq(visits[0].outcome, 1);
    ck_assert_ptr_null(visits[0].reason);
}
END_TEST

START_TEST(group_counts_above_what_a_board_holds_are_dropped)
{
    play("groups = 100, 101, 30x resident\n");
    ASSERT_GROUPS(100);
}
END_TEST

START_TEST(group_count_that_was_dropped_is_none_that_came_before)
{
    play("groups = resident - 4, resident - 4 + 1, 101, 1\n");
    ASSERT_GROUPS(1);
}
END_TEST

START_TEST(without_a_limit_only_absolute_groups_are_tried_and_the_others_say_why)
{
    resident = 0;
    play("groups = resident, 3, 2x resident, 1x compute-units\n");
    ASSERT_GROUPS(3, 2);
    ck_assert_int_eq(visits[0].outcome, 1);
    ck_assert_ptr_nonnull(visits[0].reason);
    ck_assert_ptr_nonnull(strstr(visits[0].reason, "resident limit"));
    ck_assert_ptr_null(visits[1].reason);
    ck_assert_ptr_nonnull(visits[2].reason);
}
END_TEST

START_TEST(limit_is_that_of_the_build)
{
    static const uint32_t limits[] = {7, 9};
    size_t builds = 0;
    read_scenario("toy", "groups = resident\nfault = none, lost\n", "pass");
    while (plan_next(&plan)) {
        struct trial trial;
        struct expected expected;
        const char *reason;
        struct error error;
        ck_assert_uint_lt(builds, 2);
        plan.resident = limits[builds];
        ck_assert_int_eq(plan_trial(&plan, &trial, &expected, &reason, &error), 0);
        ck_assert_uint_eq(trial.groups, limits[builds++]);
    }
    ck_assert_uint_eq(builds, 2);
}
END_TEST

/* --- other values --- */

START_TEST(values_are_relative_to_groups)
{
    play("groups = 3, 5\nrounds = 2x groups\nitems = groups + 1\nseed = 100x groups\n");
    ASSERT_GROUPS(3, 5);
    for (size_t i = 0; i < 2; ++i) {
        const struct trial *trial = &visits[i].trial;
        ck_assert_uint_eq(trial->rounds, 2 * trial->groups);
        ck_assert_uint_eq(trial->work.own[0], trial->groups + 1);
        ck_assert_uint_eq(trial->work.seed, 100 * trial->groups);
    }
}
END_TEST

START_TEST(defaults_of_parameters_are_relative_to_groups)
{
    play("groups = 3\n");
    ck_assert_uint_eq(only_trial()->work.own[0], 6); /* items = 2*groups */
}
END_TEST

START_TEST(values_do_not_depend_on_the_order_in_the_file)
{
    play("items = 9\nrounds = 2x groups\ngroups = 3\n");
    ck_assert_uint_eq(only_trial()->work.own[0], 9);
    ck_assert_uint_eq(only_trial()->rounds, 6);
}
END_TEST

START_TEST(each_parameter_has_its_own_value)
{
    read_scenario("two", "second = 8\nfirst = 1\ngroups = 3\n", "pass");
    visit_all();
    ck_assert_uint_eq(only_trial()->work.own[0], 1);
    ck_assert_uint_eq(only_trial()->work.own[1], 8);
    read_scenario("two", "groups = 3\n", "pass");
    visit_all();
    ck_assert_uint_eq(only_trial()->work.own[0], 5);
    ck_assert_uint_eq(only_trial()->work.own[1], 12); /* 6 times 2 compute units */
}
END_TEST

START_TEST(value_that_is_relative_and_came_before_is_dropped)
{
    play("groups = 4, 8\nitems = 8, 2x groups, groups + 4\n");
    /* With 4 groups all three are 8; with 8 they are 8, 16 and 12. */
    ASSERT_GROUPS(4, 8, 8, 8);
    size_t at = 0;
    static const uint32_t items[] = {8, 8, 16, 12};
    for (size_t i = 0; i < 4; ++i)
        ck_assert_uint_eq(next_trial(&at)->trial.work.own[0], items[i]);
}
END_TEST

START_TEST(values_out_of_range_are_dropped)
{
    play("groups = 1, 2\nitems = groups\n"); /* 2 ... 1000 */
    ASSERT_GROUPS(2);
    play("groups = 1, 90\nitems = 20x groups\n");
    ASSERT_GROUPS(1);
}
END_TEST

START_TEST(value_relative_to_an_unknown_limit_says_so)
{
    resident = 0;
    play("groups = 2\nrounds = resident, 3\n");
    ASSERT_GROUPS(2);
    ck_assert_ptr_nonnull(visits[0].reason);
    ck_assert_uint_eq(only_trial()->rounds, 3);
}
END_TEST

START_TEST(words_that_came_before_are_dropped)
{
    play("groups = 1\nfault = none, lost, none\n");
    ASSERT_GROUPS(1, 1);
    play("groups = 1\npoll = load, load\n");
    ASSERT_GROUPS(1);
}
END_TEST

/* --- dialects --- */

static void assert_dialects(size_t wanted_count, const enum dialect *wanted)
{
    size_t at = 0;
    for (size_t i = 0; i < wanted_count; ++i) {
        const struct visit *visit = next_trial(&at);
        ck_assert_ptr_nonnull(visit);
        ck_assert_int_eq(visit->trial.dialect, wanted[i]);
    }
    ck_assert_ptr_null(next_trial(&at));
}

START_TEST(best_dialect_is_the_one_that_was_probed)
{
    play("groups = 1\n");
    assert_dialects(1, (const enum dialect[]){DIALECT_CL30});
    probe.dialect = DIALECT_CL12;
    play("groups = 1\ndialect = best\n");
    assert_dialects(1, (const enum dialect[]){DIALECT_CL12});
}
END_TEST

START_TEST(dialect_is_the_one_that_is_named)
{
    play("groups = 1\ndialect = ptx, cl12\n");
    assert_dialects(2, (const enum dialect[]){DIALECT_PTX, DIALECT_CL12});
}
END_TEST

START_TEST(all_dialects_are_each_of_them_once)
{
    play("groups = 1\ndialect = all\n");
    assert_dialects(3, (const enum dialect[]){DIALECT_CL30, DIALECT_CL12, DIALECT_PTX});
    for (size_t i = 0; i < 3; ++i)
        ck_assert(visits[i].build_changed);
}
END_TEST

START_TEST(best_dialect_and_the_same_by_its_name_are_one)
{
    play("groups = 1\ndialect = best, cl12, cl30\n");
    assert_dialects(2, (const enum dialect[]){DIALECT_CL30, DIALECT_CL12});
}
END_TEST

/* --- trials --- */

START_TEST(trial_has_what_the_scenario_says)
{
    play("groups = 3\nlocal-size = 16\nrounds = 7\niterations = 9\nseed = 4294967295\njitter = 11\nuneven = 12\n"
         "burners = 13\nitems = 14\n");
    const struct trial *trial = only_trial();
    ck_assert_int_eq(trial->estimator, ESTIMATOR_WORK);
    ck_assert_uint_eq(trial->groups, 3);
    ck_assert_uint_eq(trial->footprint.local_size, 16);
    ck_assert_uint_eq(trial->rounds, 7);
    ck_assert_uint_eq(trial->repeats, 9);
    ck_assert_uint_eq(trial->work.seed, UINT32_MAX);
    ck_assert_uint_eq(trial->work.jitter, 11);
    ck_assert_uint_eq(trial->work.uneven, 12);
    ck_assert_uint_eq(trial->work.burners, 13);
    ck_assert_uint_eq(trial->work.own[0], 14);
    ck_assert(!trial->live);
}
END_TEST

START_TEST(trial_has_the_numbers_of_its_kernel)
{
    play("groups = 3\nlocal-size = 16\nrounds = 7\n");
    const struct workload *work = &only_trial()->work;
    ck_assert_str_eq(work->scenario, "t");
    ck_assert_str_eq(work->kernel, "toy");
    ck_assert_str_eq(work->folder, "");
    ck_assert_uint_eq(work->sync_words, 3 * 32);
    ck_assert_uint_eq(work->checks, 7 * 3);
    ck_assert_uint_eq(work->region_count, 1);
    ck_assert_uint_eq(work->regions[0].count, 3 * 16);
    ck_assert_int_eq(work->results[0].right.value, 6); /* items */
}
END_TEST

START_TEST(trial_is_built_with_the_words_of_its_point)
{
    play("groups = 1\naccess = volatile, atomic\npoll = rmw, volatile\n");
    static const char *const options[] = {
        "-DACCESS_VOLATILE -DFAULT_NONE -DPARAM_ITEMS=0 -DPOLL_RMW",
        "-DACCESS_VOLATILE -DFAULT_NONE -DPARAM_ITEMS=0 -DPOLL_VOLATILE",
        "-DACCESS_ATOMIC -DFAULT_NONE -DPARAM_ITEMS=0 -DPOLL_RMW",
        "-DACCESS_ATOMIC -DFAULT_NONE -DPARAM_ITEMS=0 -DPOLL_VOLATILE",
    };
    ck_assert_uint_eq(count, 4);
    for (size_t i = 0; i < 4; ++i) { /* whichever of the two comes first in the build */
        size_t same = 0;
        for (size_t j = 0; j < 4; ++j)
            same += strcmp(visits[i].trial.work.options, options[j]) == 0;
        ck_assert_msg(same == 1, "%s", visits[i].trial.work.options);
        for (size_t j = 0; j < i; ++j)
            ck_assert_str_ne(visits[i].trial.work.options, visits[j].trial.work.options);
    }
}
END_TEST

START_TEST(kernel_without_options_is_built_with_its_poll)
{
    read_scenario("bare", "groups = 1\n", "pass");
    visit_all();
    ck_assert_str_eq(only_trial()->work.options, "-DPOLL_LOAD");
}
END_TEST

START_TEST(command_line_sets_seed_iterations_and_live)
{
    read_scenario("toy", "groups = 1\nseed = 5\niterations = 6\n", "pass");
    plan.seed_given = plan.iterations_given = plan.live = true;
    plan.seed = 0;
    plan.iterations = 77;
    visit_all();
    ck_assert_uint_eq(only_trial()->work.seed, 0);
    ck_assert_uint_eq(only_trial()->repeats, 77);
    ck_assert(only_trial()->live);
}
END_TEST

START_TEST(trial_is_told_how_many_groups_are_known_to_fit)
{
    play("groups = 3, 4, 5\n");
    ck_assert_uint_eq(visits[0].trial.proven_groups, 3);
    ck_assert_uint_eq(visits[1].trial.proven_groups, 4);
    ck_assert_uint_eq(visits[2].trial.proven_groups, 4);
    resident = 0;
    play("groups = 3\n");
    ck_assert_uint_eq(only_trial()->proven_groups, 0);
}
END_TEST

START_TEST(groups_that_a_second_queue_holds_leave_fewer_places)
{
    play("groups = 2\nheld = 0, 1, 3\n");
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(visits[0].trial.proven_groups, 2);
    ck_assert_uint_eq(visits[1].trial.proven_groups, 2);
    ck_assert_uint_eq(visits[2].trial.proven_groups, 1);
    ck_assert_uint_eq(visits[2].trial.work.held, 3);
}
END_TEST

START_TEST(point_without_a_place_beside_the_second_queue_is_left_out_and_says_why)
{
    play("groups = 2\nheld = 3, 4, 5\n");
    ASSERT_GROUPS(2);
    for (size_t i = 1; i < 3; ++i) {
        ck_assert_int_eq(visits[i].outcome, 1);
        ck_assert_ptr_nonnull(visits[i].reason);
        ck_assert_ptr_nonnull(strstr(visits[i].reason, "second queue"));
    }
    resident = 0; /* who knows? */
    play("groups = 2\nheld = 5\n");
    ASSERT_GROUPS(2);
}
END_TEST

START_TEST(point_says_what_was_given_and_nothing_else)
{
    play("groups = 3\n");
    ck_assert_str_eq(only_trial()->work.point, "");
    play("groups = 3\nfault = lost\nitems = 3x groups\nlocal-size = 8\ndialect = cl12\niterations = 5\n");
    ck_assert_str_eq(only_trial()->work.point, "fault=lost,items=9");
    play("groups = 3\nrounds = 1, 2\n");
    ck_assert_str_eq(visits[0].trial.work.point, "rounds=1");
    ck_assert_str_eq(visits[1].trial.work.point, "rounds=2");
}
END_TEST

START_TEST(points_of_a_sweep_have_different_ids)
{
    char ids[MOST_POINTS][256];
    play("groups = 1, 2\nrounds = 1, 2\naccess = plain, atomic\npoll = load, rmw\nlocal-size = 1, 2\nitems = 5, 6\n"
         "dialect = cl12, cl30\nseed = 1, 2\n");
    ck_assert_uint_eq(count, 256);
    for (size_t i = 0; i < count; ++i) {
        trial_id(&visits[i].trial, 1, ids[i], sizeof ids[i]);
        for (size_t j = 0; j < i; ++j)
            ck_assert_str_ne(ids[i], ids[j]);
    }
}
END_TEST

START_TEST(point_that_the_kernel_cannot_have_is_an_error)
{
    struct error error = {0};
    struct trial trial;
    struct expected expected;
    const char *reason;
    read_scenario("odd", "groups = 3, 4\n", "pass"); /* words = groups - 4 */
    ck_assert(plan_next(&plan));
    ck_assert_int_eq(plan_trial(&plan, &trial, &expected, &reason, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "kernel odd"));
    ck_assert(plan_next(&plan));
    ck_assert_int_eq(plan_trial(&plan, &trial, &expected, &reason, &error), 0);
}
END_TEST

/* --- expectations --- */

START_TEST(expectation_is_that_of_the_point)
{
    play("groups = 3, 4, 5\n");
    ck_assert_uint_eq(visits[0].expected.verdicts, PASS);
    ck_assert_uint_eq(visits[1].expected.verdicts, PASS);
    ck_assert_uint_eq(visits[2].expected.verdicts, STARVED);
}
END_TEST

START_TEST(without_a_limit_a_rule_about_it_gives_no_expectation)
{
    resident = 0;
    play("groups = 3, 5\n");
    ck_assert_uint_eq(visits[0].expected.verdicts, 0);
    ck_assert_uint_eq(visits[1].expected.verdicts, 0);
}
END_TEST

START_TEST(limit_that_may_be_too_low_gives_groups_but_no_expectation)
{
    read_scenario("toy", "groups = 3, resident\n", "pass when groups <= resident; starved otherwise");
    plan.resident_is_least = true;
    visit_all();
    ASSERT_GROUPS(3, 4);
    ck_assert_uint_eq(visits[0].expected.verdicts | visits[1].expected.verdicts, 0);
    read_scenario("toy", "groups = 3, resident\n", "pass when groups = 4; starved otherwise");
    plan.resident_is_least = true;
    visit_all();
    ck_assert_uint_eq(visits[0].expected.verdicts, STARVED); /* which needs no limit */
    ck_assert_uint_eq(visits[1].expected.verdicts, PASS);
}
END_TEST

START_TEST(rule_sees_numbers_and_words_of_the_point)
{
    read_scenario("toy", "groups = 2\nfault = none, lost\nrounds = 1, 2\n",
                  "stale when fault = lost and rounds = 2x compute-units - 2 and items = 4 and dialect = cl30; pass");
    visit_all();
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(visits[0].expected.verdicts, PASS);  /* none, 1 */
    ck_assert_uint_eq(visits[1].expected.verdicts, PASS);  /* none, 2 */
    ck_assert_uint_eq(visits[2].expected.verdicts, PASS);  /* lost, 1 */
    ck_assert_uint_eq(visits[3].expected.verdicts, STALE); /* lost, 2 */
}
END_TEST

START_TEST(rule_sees_the_dialect_that_best_and_all_stand_for)
{
    read_scenario("toy", "groups = 2\ndialect = all\n", "stale when dialect = cl12; pass otherwise");
    visit_all();
    ck_assert_uint_eq(visits[0].expected.verdicts, PASS);
    ck_assert_uint_eq(visits[1].expected.verdicts, STALE);
    ck_assert_uint_eq(visits[2].expected.verdicts, PASS);
    probe.dialect = DIALECT_CL12;
    read_scenario("toy", "groups = 2\ndialect = best\n", "stale when dialect = cl12; pass otherwise");
    visit_all();
    ck_assert_uint_eq(visits[0].expected.verdicts, STALE);
}
END_TEST

/* --- builds, and censuses of them --- */

START_TEST(build_is_what_the_point_is_built_with)
{
    struct plan_build build;
    read_scenario("toy",
                  "groups = 1\naccess = atomic\nfault = lost\npoll = rmw\nlocal-size = 8x compute-units\n"
                  "dialect = ptx\n",
                  "pass");
    ck_assert(plan_next(&plan));
    plan_build(&plan, &build);
    ck_assert_int_eq(build.dialect, DIALECT_PTX);
    ck_assert_uint_eq(build.local_size, 16);
    ck_assert_uint_eq(build.values[0], 2);
    ck_assert_uint_eq(build.values[1], 1);
    ck_assert_str_eq(build.poll, "rmw");
}
END_TEST

START_TEST(census_is_of_the_same_build_as_the_trials)
{
    struct error error;
    struct trial census;
    read_scenario("toy", "groups = 3\naccess = volatile\npoll = rmw\nlocal-size = 8\ndialect = cl12\n", "pass");
    visit_all();
    plan_init(&plan, &scenario, UNITS, MAX_GROUPS, &probe);
    ck_assert(plan_next(&plan));
    ck_assert_int_eq(plan_census(&plan, 50, &census, &error), 0);
    ck_assert_int_eq(census.estimator, ESTIMATOR_CENSUS);
    ck_assert_uint_eq(census.groups, 50);
    ck_assert_str_eq(census.work.options, only_trial()->work.options);
    ck_assert_str_eq(census.work.kernel, "toy");
    ck_assert_str_eq(census.work.scenario, "t");
    ck_assert_uint_eq(census.footprint.local_size, 8);
    ck_assert_int_eq(census.dialect, DIALECT_CL12);
}
END_TEST

START_TEST(census_has_room_for_its_groups_and_the_smallest_parameters)
{
    struct error error;
    struct trial census;
    read_scenario("toy", "groups = 3\nitems = 500\nrounds = 900\nlocal-size = 8\n", "pass");
    ck_assert(plan_next(&plan));
    ck_assert_int_eq(plan_census(&plan, 50, &census, &error), 0);
    ck_assert_uint_eq(census.work.sync_words, 50 * 32);
    ck_assert_uint_eq(census.work.regions[0].count, 50 * 8);
    ck_assert_int_eq(census.work.results[0].right.value, 2); /* the least of items */
}
END_TEST

START_TEST(census_needs_no_limit)
{
    struct error error;
    struct trial census;
    read_scenario("toy", "groups = 2x resident\nitems = resident\n", "pass");
    ck_assert(plan_next(&plan));
    ck_assert_int_eq(plan_census(&plan, 1, &census, &error), 0);
    ck_assert_uint_eq(census.groups, 1);
}
END_TEST

START_TEST(build_of_a_local_size_that_came_before_has_it)
{
    struct plan_build build;
    size_t builds = 0;
    read_scenario("toy", "groups = 1\nlocal-size = 64, 32x compute-units\n", "pass");
    for (; plan_next(&plan); ++builds) {
        plan_build(&plan, &build);
        ck_assert_uint_eq(build.local_size, 64);
    }
    ck_assert_uint_eq(builds, 2);
}
END_TEST

START_TEST(local_size_that_came_before_gives_no_trial)
{
    play("groups = 1\nlocal-size = 64, 32x compute-units, 8\n");
    ASSERT_GROUPS(1, 1);
    ck_assert_uint_eq(visits[2].trial.footprint.local_size, 8);
}
END_TEST

/* --- kernels that are launched over a range --- */

/* All points of a sweep of the grid. */
static void play_grid(const char *sweep)
{
    read_scenario("grid", sweep, "pass");
    visit_all();
}

/* The ids of all trials, in order, without what comes before their point and shape. */
static void assert_ids(size_t wanted_count, const char *const *wanted)
{
    size_t at = 0;
    for (size_t i = 0; i < wanted_count; ++i) {
        char id[256], full[256];
        const struct visit *visit = next_trial(&at);
        ck_assert_ptr_nonnull(visit);
        trial_id(&visit->trial, 7, id, sizeof id);
        snprintf(full, sizeof full, "t/cl30/%s#7", wanted[i]);
        ck_assert_str_eq(id, full);
    }
    ck_assert_ptr_null(next_trial(&at));
}

#define ASSERT_IDS(...)                                                                                                \
    do {                                                                                                               \
        const char *const wanted_ids[] = {__VA_ARGS__};                                                                \
        assert_ids(sizeof wanted_ids / sizeof *wanted_ids, wanted_ids);                                                \
    } while (0)

START_TEST(shapes_are_points_in_the_order_of_the_file)
{
    play_grid("shape = 64, 16x16, driver-2d, 8\n");
    ASSERT_IDS("64", "16x16", "driver-2d", "8");
}
END_TEST

START_TEST(id_of_a_shape_has_what_was_given_before_it)
{
    play_grid("shape = 8x8x4, driver-3d\nmapping = column\nedge = ragged\nwidth = 30\nrounds = 2\niterations = 5\n");
    ASSERT_IDS("mapping=column,edge=ragged,width=30,rounds=2/8x8x4",
               "mapping=column,edge=ragged,width=30,rounds=2/driver-3d");
}
END_TEST

START_TEST(words_change_before_shapes_and_numbers_after_them)
{
    play_grid("width = 4, 5\nshape = 8, 9\nmapping = row, column\n");
    ASSERT_IDS("width=4,mapping=row/8", "width=5,mapping=row/8", "width=4,mapping=row/9", "width=5,mapping=row/9",
               "width=4,mapping=column/8", "width=5,mapping=column/8", "width=4,mapping=column/9",
               "width=5,mapping=column/9");
    for (size_t i = 0; i < count; ++i)
        ck_assert_int_eq(visits[i].build_changed, i % 2 == 0);
}
END_TEST

START_TEST(shape_that_came_before_gives_no_trial)
{
    play_grid("shape = 64, 8x8, 64, 64x1\n");
    ASSERT_IDS("64", "8x8", "64x1");
}
END_TEST

START_TEST(trial_of_a_shape_has_one_group_and_the_shapes_local_size)
{
    static const uint32_t sizes[] = {64, 128, 32, 1, 1};
    play_grid("shape = 64, 16x8, 4x4x2, driver-1d, driver-3d\n");
    ck_assert_uint_eq(count, 5);
    for (size_t i = 0; i < count; ++i) {
        ck_assert_uint_eq(visits[i].trial.groups, 1);
        ck_assert_uint_eq(visits[i].trial.footprint.local_size, sizes[i]);
        ck_assert_uint_eq(visits[i].trial.work.regions[0].count, sizes[i]); /* groups*local-size */
    }
}
END_TEST

START_TEST(trial_of_a_shape_has_its_range)
{
    play_grid("shape = 16x16, driver-2d\nedge = padded, ragged\n");
    static const uint64_t wanted[][2] = {{32, 32}, {20, 24}, {20, 24}, {20, 24}}; /* of 20 x 12 x 2 */
    ck_assert_uint_eq(count, 4);
    for (size_t i = 0; i < count; ++i) {
        const struct nd_range *range = &visits[i].trial.work.range;
        ck_assert_uint_eq(range->dimensions, 2);
        ck_assert_uint_eq(range->local[0], i % 2 == 0 ? 16 : 0);
        ck_assert_uint_eq(range->global[0], wanted[i][0]);
        ck_assert_uint_eq(range->global[1], wanted[i][1]);
        ck_assert_uint_eq(range->global[2], 1);
    }
}
END_TEST

START_TEST(trial_of_a_shape_is_built_with_it)
{
    play_grid("shape = 16x8\nmapping = column\npoll = rmw\n");
    ck_assert_str_eq(only_trial()->work.options, "-DMAPPING_COLUMN -DPARAM_WIDTH=0 -DGL_DIMENSIONS=2 -DGL_LOCAL_X=16 "
                                                 "-DGL_LOCAL_Y=8 -DGL_LOCAL_Z=1 -DPOLL_RMW");
}
END_TEST

START_TEST(shape_needs_no_limit)
{
    resident = 0;
    play_grid("shape = 64\n");
    ck_assert_int_eq(visits[0].outcome, 0);
    ck_assert_uint_eq(visits[0].expected.verdicts, PASS);
    ck_assert_uint_eq(only_trial()->proven_groups, 0);
}
END_TEST

START_TEST(trial_of_a_kernel_without_a_range_has_none)
{
    play("groups = 3\n");
    ck_assert_uint_eq(only_trial()->work.range.dimensions, 0);
}
END_TEST

START_TEST(rule_sees_shape_edge_and_local_size_of_the_point)
{
    read_scenario("grid", "shape = 64, 16x16, 8x8, driver-2d\nedge = ragged\n",
                  "stale when local-size > 64; starved when shape = 8x8 and edge = ragged; pass otherwise");
    visit_all();
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(visits[0].expected.verdicts, PASS);
    ck_assert_uint_eq(visits[1].expected.verdicts, STALE);
    ck_assert_uint_eq(visits[2].expected.verdicts, STARVED);
    ck_assert_uint_eq(visits[3].expected.verdicts, PASS);
}
END_TEST

START_TEST(build_of_a_shape_has_its_local_size)
{
    static const uint32_t sizes[] = {64, 256, 1};
    struct plan_build build;
    read_scenario("grid", "shape = 64, 16x16, driver-3d\n", "pass");
    for (size_t i = 0; i < 3; ++i) {
        ck_assert(plan_next(&plan));
        ck_assert(plan.build_changed);
        plan_build(&plan, &build);
        ck_assert_uint_eq(build.local_size, sizes[i]);
    }
}
END_TEST

START_TEST(range_that_is_too_large_at_a_point_is_an_error_there)
{
    struct error error = {0};
    struct trial trial;
    struct expected expected;
    const char *reason;
    read_scenario("grid", "shape = 64\nwidth = 178956971, 178956970\n", "pass"); /* times 24: 2^32 + 8, 2^32 - 16 */
    ck_assert(plan_next(&plan));
    ck_assert_int_eq(plan_trial(&plan, &trial, &expected, &reason, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "kernel grid: its range has no work-items, or more than 2^32 - 1"));
    ck_assert(plan_next(&plan));
    ck_assert_int_eq(plan_trial(&plan, &trial, &expected, &reason, &error), -1); /* padded, it has 2^32 */
    read_scenario("grid", "shape = 16\nwidth = 178956970\n", "pass");
    ck_assert(plan_next(&plan));
    ck_assert_int_eq(plan_trial(&plan, &trial, &expected, &reason, &error), 0);
    ck_assert_uint_eq(trial.work.range.global[0], 4294967280);
}
END_TEST

/* The first point of a build whose limit is `limit`. */
static void begin_again(uint32_t limit, struct visit *visit)
{
    struct error error = {0};
    plan.resident = limit;
    visit->outcome = plan_trial(&plan, &visit->trial, &visit->expected, &visit->reason, &error);
    ck_assert_int_eq(visit->outcome, 0);
}

START_TEST(limit_that_is_counted_again_changes_what_is_predicted_and_no_point)
{
    struct visit visit = {0};
    struct error error = {0};
    read_scenario("toy", "groups = resident + 1, 2x resident\n", "pass when groups <= resident; starved otherwise");
    ck_assert(plan_next(&plan));
    begin_again(2, &visit);
    ck_assert_uint_eq(visit.trial.groups, 3);
    ck_assert_uint_eq(visit.trial.proven_groups, 2);
    ck_assert_uint_eq(visit.expected.verdicts, STARVED);
    plan.recounted = 4;
    ck_assert_int_eq(plan_trial(&plan, &visit.trial, &visit.expected, &visit.reason, &error), 0);
    ck_assert_uint_eq(visit.trial.groups, 3);
    ck_assert_uint_eq(visit.trial.proven_groups, 3);
    ck_assert_uint_eq(visit.expected.verdicts, PASS);
}
END_TEST

START_TEST(plan_goes_back_to_the_first_point_of_the_present_build)
{
    struct visit visit = {0};
    read_scenario("toy", "groups = resident, resident + 1\nrounds = 2, 3\nfault = none, lost\n", "pass");
    for (int i = 0; i < 7; ++i)
        ck_assert(plan_next(&plan));
    plan.recounted = 4;
    plan_again(&plan);
    ck_assert(plan.build_changed);
    ck_assert_uint_eq(plan.resident, 0);
    ck_assert_uint_eq(plan.recounted, 0);
    begin_again(4, &visit);
    ck_assert_uint_eq(visit.trial.groups, 4);
    ck_assert_uint_eq(visit.trial.rounds, 2);
    ck_assert_ptr_nonnull(strstr(visit.trial.work.options, "FAULT_LOST"));
    for (int i = 0; i < 3; ++i)
        ck_assert(plan_next(&plan));
    ck_assert(!plan_next(&plan));
}
END_TEST

HARNESS_MAIN("plan", limit_that_is_counted_again_changes_what_is_predicted_and_no_point,
             plan_goes_back_to_the_first_point_of_the_present_build, groups_change_fastest_then_parameters_then_builds,
             order_of_kinds_does_not_depend_on_the_order_in_the_file,
             parameters_and_what_all_kernels_have_change_before_groups,
             build_changes_with_dialect_words_and_local_size_alone, first_point_comes_to_a_build,
             groups_are_relative_to_the_limit_and_to_compute_units, group_counts_that_came_before_are_dropped,
             group_counts_below_1_are_dropped_without_a_reason, group_counts_above_what_a_board_holds_are_dropped,
             group_count_that_was_dropped_is_none_that_came_before,
             without_a_limit_only_absolute_groups_are_tried_and_the_others_say_why, limit_is_that_of_the_build,
             values_are_relative_to_groups, defaults_of_parameters_are_relative_to_groups,
             value_that_is_relative_and_came_before_is_dropped, values_out_of_range_are_dropped,
             value_relative_to_an_unknown_limit_says_so, words_that_came_before_are_dropped,
             best_dialect_is_the_one_that_was_probed, dialect_is_the_one_that_is_named,
             all_dialects_are_each_of_them_once, best_dialect_and_the_same_by_its_name_are_one,
             trial_has_what_the_scenario_says, trial_has_the_numbers_of_its_kernel,
             trial_is_built_with_the_words_of_its_point, kernel_without_options_is_built_with_its_poll,
             command_line_sets_seed_iterations_and_live, trial_is_told_how_many_groups_are_known_to_fit,
             point_says_what_was_given_and_nothing_else, points_of_a_sweep_have_different_ids,
             point_that_the_kernel_cannot_have_is_an_error, expectation_is_that_of_the_point,
             without_a_limit_a_rule_about_it_gives_no_expectation, rule_sees_numbers_and_words_of_the_point,
             rule_sees_the_dialect_that_best_and_all_stand_for, build_is_what_the_point_is_built_with,
             census_is_of_the_same_build_as_the_trials, census_has_room_for_its_groups_and_the_smallest_parameters,
             census_needs_no_limit, build_of_a_local_size_that_came_before_has_it,
             local_size_that_came_before_gives_no_trial, values_do_not_depend_on_the_order_in_the_file,
             each_parameter_has_its_own_value, groups_that_a_second_queue_holds_leave_fewer_places,
             point_without_a_place_beside_the_second_queue_is_left_out_and_says_why,
             limit_that_may_be_too_low_gives_groups_but_no_expectation, shapes_are_points_in_the_order_of_the_file,
             id_of_a_shape_has_what_was_given_before_it, words_change_before_shapes_and_numbers_after_them,
             shape_that_came_before_gives_no_trial, trial_of_a_shape_has_one_group_and_the_shapes_local_size,
             trial_of_a_shape_has_its_range, trial_of_a_shape_is_built_with_it, shape_needs_no_limit,
             trial_of_a_kernel_without_a_range_has_none, rule_sees_shape_edge_and_local_size_of_the_point,
             build_of_a_shape_has_its_local_size, range_that_is_too_large_at_a_point_is_an_error_there)
