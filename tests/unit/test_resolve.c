/* An entry resolved to numbers: build options, sync words, regions, results. */
#include "resolve_fixture.h"

/* --- the build, and numbers --- */

START_TEST(first_values_of_options_become_build_options)
{
    assert_resolved(" * option:  access = plain | volatile\n * option:  fault = none | lost\n");
    ck_assert_str_eq(work.kernel, "toy");
    ck_assert_str_eq(work.options, "-DACCESS_PLAIN -DFAULT_NONE");
}
END_TEST

START_TEST(chosen_values_of_options_become_build_options)
{
    choice.values[0] = 1;
    choice.values[1] = 2;
    assert_resolved(" * option:  access = plain | volatile\n * option:  fault = none | lost | doubled\n");
    ck_assert_str_eq(work.options, "-DACCESS_VOLATILE -DFAULT_DOUBLED");
}
END_TEST

START_TEST(hyphens_in_build_options_become_underscores)
{
    assert_resolved(" * option:  lock-kind = first-come | any\n");
    ck_assert_str_eq(work.options, "-DLOCK_KIND_FIRST_COME");
}
END_TEST

START_TEST(parameters_become_build_options_that_say_where_they_are)
{
    assert_resolved(" * option:  fault = none\n * param:   items = 1 in 0..9\n * param:   fan-out = 1 in 0..9\n");
    ck_assert_str_eq(work.options, "-DFAULT_NONE -DPARAM_ITEMS=0 -DPARAM_FAN_OUT=1");
}
END_TEST

START_TEST(kernel_without_options_has_no_build_options)
{
    assert_resolved("");
    ck_assert_str_eq(work.options, "");
}
END_TEST

START_TEST(build_options_that_do_not_fit_are_refused_and_not_cut)
{
    char lines[1024] = "";
    for (int i = 0; i < 8; ++i)
        sprintf(lines + strlen(lines), " * option:  an_option_with_a_name_%d = with_a_value_as_long\n", i);
    assert_refused(lines, "options");
}
END_TEST

START_TEST(values_of_parameters_are_given_to_the_kernel_in_their_order)
{
    choice.parameters[0] = 7;
    choice.parameters[1] = 4294967295;
    assert_resolved(" * param:   a = 1 in 0..9\n * param:   b = 1 in 0..4294967295\n");
    ck_assert_uint_eq(work.own[0], 7);
    ck_assert_uint_eq(work.own[1], 4294967295);
}
END_TEST

START_TEST(words_are_a_number)
{
    choice.parameters[0] = 5;
    assert_resolved(" * param:   locks = 1 in 0..9\n * words:   locks*line + groups\n");
    ck_assert_uint_eq(work.sync_words, 5 * 32 + 6);
    assert_resolved("");
    ck_assert_uint_eq(work.sync_words, 0);
}
END_TEST

START_TEST(hand_overs_have_a_region_of_times)
{
    assert_resolved(" * data:    cells float 1 zero\n");
    ck_assert_uint_eq(work.handover, 0);
    assert_resolved(" * data:    cells float 1 zero\n * data:    times uint groups zero\n * handover: times\n");
    ck_assert_uint_eq(work.handover, 2);
    assert_refused(" * data:    times uint groups zero\n * handover: cells\n", "handover");
    assert_refused(" * data:    times ulong groups zero\n * handover: times\n", "handover");
    assert_refused(" * data:    times uint groups index\n * handover: times\n", "handover");
}
END_TEST

START_TEST(checks_are_a_number_of_all_launches)
{
    assert_resolved(" * checks:  rounds*groups*local-size\n");
    ck_assert_uint_eq(work.checks, 3 * 6 * 4);
    ck_assert_uint_eq(work.launches, 1);
    assert_resolved(" * checks:  rounds*groups*local-size\n * launches: 5\n");
    ck_assert_uint_eq(work.checks, 5 * 3 * 6 * 4);
    ck_assert_uint_eq(work.launches, 5);
}
END_TEST

START_TEST(checks_are_counted_only_if_the_entry_says_how_many_there_are)
{
    assert_resolved(" * checks:  0\n");
    ck_assert(work.checks_counted);
    assert_resolved("");
    ck_assert(!work.checks_counted);
    ck_assert_uint_eq(work.checks, 0);
}
END_TEST

START_TEST(number_out_of_range_is_refused_with_what_is_allowed)
{
    assert_refused(" * words:   groups - 7\n", "expected 0 to 67108864");
    assert_refused(" * words:   67108865\n", "expected 0 to 67108864");
    assert_refused(" * checks:  0 - 1\n", "0 to");
    assert_refused(" * data:    a uint groups-7 zero\n", "0 to");
    assert_refused(" * checks:  9223372036854775807\n * launches: 3\n", "checks");
    assert_resolved(" * words:   67108864\n");
}
END_TEST

START_TEST(expression_that_cannot_be_read_is_refused)
{
    assert_refused(" * words:   nonsense\n", "nonsense");
    assert_refused(" * checks:  1/(groups-6)\n", "an undefined division");
    assert_refused(" * data:    a uint 2*(groups zero\n", "expected )");
}
END_TEST

START_TEST(expression_of_something_unknown_is_refused_for_that)
{
    assert_refused(" * words:   resident\n", "is unknown");
    assert_refused(" * data:    a uint resident zero\n", "is unknown");
}
END_TEST

/* --- ranges --- */

#define RANGE " * param:   width = 1 in 0..4294967295\n * range:   width 2*local-size 3\n"

static void choose(const char *shape, int64_t width)
{
    ck_assert_msg(nd_range_parse_shape(shape, &choice.range), "%s", shape);
    choice.parameters[0] = width;
}

static void assert_global(uint64_t x, uint64_t y, uint64_t z)
{
    ck_assert_uint_eq(work.range.global[0], x);
    ck_assert_uint_eq(work.range.global[1], y);
    ck_assert_uint_eq(work.range.global[2], z);
}

START_TEST(range_is_covered_by_the_shape_that_was_chosen)
{
    choose("8x4x2", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.dimensions, 3);
    ck_assert_mem_eq(work.range.local, choice.range.local, sizeof work.range.local);
    assert_global(16, 8, 4);
    choose("16x16", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.dimensions, 2);
    assert_global(16, 32, 1);
    choose("100", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.dimensions, 1);
    assert_global(300, 1, 1); /* 240 */
}
END_TEST

START_TEST(range_is_rounded_up_unless_its_edges_are_ragged)
{
    choice.ragged = true;
    choose("16x16", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.local[0], 16);
    assert_global(10, 24, 1);
}
END_TEST

START_TEST(range_that_the_driver_divides_is_as_large_as_the_kernel_says)
{
    choose("driver-2d", 10);
    assert_resolved(RANGE);
    ck_assert_uint_eq(work.range.dimensions, 2);
    ck_assert_uint_eq(work.range.local[0], 0);
    assert_global(10, 24, 1);
}
END_TEST

START_TEST(shape_becomes_build_options)
{
    choose("8x4x2", 10);
    assert_resolved(" * range:   1 1 1\n");
    ck_assert_str_eq(work.options, "-DGL_DIMENSIONS=3 -DGL_LOCAL_X=8 -DGL_LOCAL_Y=4 -DGL_LOCAL_Z=2");
    choose("64", 10);
    assert_resolved(" * option:  fault = none\n" RANGE);
    ck_assert_str_eq(work.options, "-DFAULT_NONE -DPARAM_WIDTH=0 -DGL_DIMENSIONS=1 -DGL_LOCAL_X=64 -DGL_LOCAL_Y=1 "
                                   "-DGL_LOCAL_Z=1");
    choose("driver-2d", 10);
    assert_resolved(" * range:   1 1 1\n");
    ck_assert_str_eq(work.options, "-DGL_DIMENSIONS=2 -DGL_LOCAL_X=0 -DGL_LOCAL_Y=0 -DGL_LOCAL_Z=0");
}
END_TEST

START_TEST(kernel_without_a_range_has_no_shape)
{
    choose("16x16", 10);
    assert_resolved(" * checks:  1\n");
    ck_assert_uint_eq(work.range.dimensions, 0);
    ck_assert_str_eq(work.options, "");
}
END_TEST

START_TEST(build_options_that_do_not_fit_with_a_shape_are_refused_and_not_cut)
{
    static const char shape[] = " -DGL_DIMENSIONS=3 -DGL_LOCAL_X=8 -DGL_LOCAL_Y=4 -DGL_LOCAL_Z=2";
    char lines[1024] = "";
    choose("8x4x2", 10);
    for (int i = 0; i < 3; ++i)
        sprintf(lines + strlen(lines), " * option:  an_option_with_a_name_%d = with_a_value_as_long\n", i);
    strcat(lines, " * range:   1 1 1\n");
    assert_resolved(lines);
    ck_assert_str_eq(work.options + strlen(work.options) - strlen(shape), shape);
    for (int i = 3; i < 6; ++i)
        sprintf(lines + strlen(lines), " * option:  an_option_with_a_name_%d = with_a_value_as_long\n", i);
    assert_refused(lines, "build options are");
}
END_TEST

START_TEST(extent_out_of_range_is_refused_with_what_is_allowed)
{
    choose("64", 10);
    assert_refused(" * range:   4294967296 1 1\n", "'4294967296' is 4294967296: expected 0 to 4294967295");
    assert_refused(" * range:   1 groups-7 1\n", "'groups-7' is -1: expected 0 to 4294967295");
    assert_refused(" * range:   1 1 nonsense\n", "nonsense");
    assert_refused(" * range:   1 1 resident\n", "is unknown");
}
END_TEST

START_TEST(range_with_too_many_work_items_or_none_is_refused)
{
    choose("64", 0);
    assert_refused(RANGE, "its range has no work-items, or more than 2^32 - 1");
    choose("64", 4294967295);
    assert_refused(RANGE, "its range has no work-items, or more than 2^32 - 1");
    assert_refused(" * range:   4294967295 1 1\n", "more than 2^32 - 1"); /* once it is padded */
    choice.ragged = true;
    assert_resolved(" * range:   4294967295 1 1\n");
}
END_TEST

HARNESS_MAIN("resolve", first_values_of_options_become_build_options, chosen_values_of_options_become_build_options,
             hyphens_in_build_options_become_underscores, parameters_become_build_options_that_say_where_they_are,
             kernel_without_options_has_no_build_options, build_options_that_do_not_fit_are_refused_and_not_cut,
             values_of_parameters_are_given_to_the_kernel_in_their_order, words_are_a_number,
             hand_overs_have_a_region_of_times, checks_are_a_number_of_all_launches,
             checks_are_counted_only_if_the_entry_says_how_many_there_are,
             number_out_of_range_is_refused_with_what_is_allowed, expression_that_cannot_be_read_is_refused,
             expression_of_something_unknown_is_refused_for_that, range_is_covered_by_the_shape_that_was_chosen,
             range_is_rounded_up_unless_its_edges_are_ragged,
             range_that_the_driver_divides_is_as_large_as_the_kernel_says, shape_becomes_build_options,
             kernel_without_a_range_has_no_shape, build_options_that_do_not_fit_with_a_shape_are_refused_and_not_cut,
             extent_out_of_range_is_refused_with_what_is_allowed, range_with_too_many_work_items_or_none_is_refused)
