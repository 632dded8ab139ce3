/* Builds of a plan, censuses of them, and kernels that are launched over a range. */
#include "plan_fixture.h"

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
    ck_assert_int_eq(census.kind, TRIAL_CENSUS);
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

HARNESS_MAIN("plan: builds", limit_that_is_counted_again_changes_what_is_predicted_and_no_point,
             plan_goes_back_to_the_first_point_of_the_present_build, build_is_what_the_point_is_built_with,
             census_is_of_the_same_build_as_the_trials, census_has_room_for_its_groups_and_the_smallest_parameters,
             census_needs_no_limit, build_of_a_local_size_that_came_before_has_it,
             local_size_that_came_before_gives_no_trial, shapes_are_points_in_the_order_of_the_file,
             id_of_a_shape_has_what_was_given_before_it, words_change_before_shapes_and_numbers_after_them,
             shape_that_came_before_gives_no_trial, trial_of_a_shape_has_one_group_and_the_shapes_local_size,
             trial_of_a_shape_has_its_range, trial_of_a_shape_is_built_with_it, shape_needs_no_limit,
             trial_of_a_kernel_without_a_range_has_none, rule_sees_shape_edge_and_local_size_of_the_point,
             build_of_a_shape_has_its_local_size, range_that_is_too_large_at_a_point_is_an_error_there)
