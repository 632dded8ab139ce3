#include "plan_fixture.h"

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
        ck_assert_uint_eq(trial->work.numbers.seed, 100 * trial->groups);
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

HARNESS_MAIN("plan", groups_change_fastest_then_parameters_then_builds,
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
             values_do_not_depend_on_the_order_in_the_file, each_parameter_has_its_own_value)
