/* What a plan makes of a point: its trial, and what is expected of it. */
#include "plan_fixture.h"

/* --- trials --- */

START_TEST(trial_has_what_the_scenario_says)
{
    play("groups = 3\nlocal-size = 16\nrounds = 7\niterations = 9\nseed = 4294967295\njitter = 11\nuneven = 12\n"
         "burners = 13\nitems = 14\n");
    const struct trial *trial = only_trial();
    ck_assert_int_eq(trial->kind, TRIAL_WORK);
    ck_assert_uint_eq(trial->groups, 3);
    ck_assert_uint_eq(trial->footprint.local_size, 16);
    ck_assert_uint_eq(trial->rounds, 7);
    ck_assert_uint_eq(trial->repeats, 9);
    ck_assert_uint_eq(trial->work.numbers.seed, UINT32_MAX);
    ck_assert_uint_eq(trial->work.numbers.jitter, 11);
    ck_assert_uint_eq(trial->work.numbers.uneven, 12);
    ck_assert_uint_eq(trial->work.numbers.burners, 13);
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
    plan.settings =
        (struct plan_settings){.seed_given = true, .iterations_given = true, .iterations = 77, .live = true};
    visit_all();
    ck_assert_uint_eq(only_trial()->work.numbers.seed, 0);
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
    ck_assert_uint_eq(visits[2].trial.work.numbers.held, 3);
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

START_TEST(points_that_the_condition_holds_for_are_anti_patterns)
{
    read_scenario("toy\nanti-pattern = fault = lost and groups > 1", "groups = 1, 2\nfault = none, lost\n", "pass");
    visit_all();
    ck_assert_uint_eq(count, 4);
    for (size_t i = 0; i < count; ++i) {
        const struct trial *trial = &visits[i].trial;
        const bool lost = strstr(trial->work.point, "fault=lost") != NULL;
        ck_assert_int_eq(trial->work.anti_pattern, lost && trial->groups > 1);
    }
    play("groups = 2\nfault = lost\n");
    ck_assert(!only_trial()->work.anti_pattern);
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

HARNESS_MAIN("plan: trials", trial_has_what_the_scenario_says, trial_has_the_numbers_of_its_kernel,
             trial_is_built_with_the_words_of_its_point, kernel_without_options_is_built_with_its_poll,
             command_line_sets_seed_iterations_and_live, trial_is_told_how_many_groups_are_known_to_fit,
             points_that_the_condition_holds_for_are_anti_patterns, point_says_what_was_given_and_nothing_else,
             points_of_a_sweep_have_different_ids, point_that_the_kernel_cannot_have_is_an_error,
             expectation_is_that_of_the_point, without_a_limit_a_rule_about_it_gives_no_expectation,
             rule_sees_numbers_and_words_of_the_point, rule_sees_the_dialect_that_best_and_all_stand_for,
             groups_that_a_second_queue_holds_leave_fewer_places,
             point_without_a_place_beside_the_second_queue_is_left_out_and_says_why,
             limit_that_may_be_too_low_gives_groups_but_no_expectation)
