#include "search/residency.h"

#include "board_builder.h"
#include "harness.h"

#include <string.h>

/* The residency of a census of 64 groups in which these were counted, in this order of their starts. */
static struct residency read_starts(const uint32_t *groups, uint32_t count)
{
    struct builder b = builder_init(64);
    struct residency residency;
    for (uint32_t i = 0; i < count; ++i) {
        builder_start(&b, groups[i]);
        builder_set(&b, groups[i], GL_COUNTED, 1);
    }
    residency_read(&b.board, &residency);
    builder_fini(&b);
    return residency;
}

START_TEST(ranges_ascend_and_are_as_few_as_possible)
{
    static const uint32_t starts[] = {9, 0, 2, 1, 63, 8};
    struct residency residency = read_starts(starts, 6);

    ck_assert_uint_eq(residency.range_count, 3);
    ck_assert_uint_eq(residency.ranges[0].first, 0);
    ck_assert_uint_eq(residency.ranges[0].last, 2);
    ck_assert_uint_eq(residency.ranges[1].first, 8);
    ck_assert_uint_eq(residency.ranges[1].last, 9);
    ck_assert_uint_eq(residency.ranges[2].first, 63);
    ck_assert_uint_eq(residency.ranges[2].last, 63);
    residency_fini(&residency);
}
END_TEST

static enum pattern pattern_of(const uint32_t *groups, uint32_t count)
{
    struct residency residency = read_starts(groups, count);
    residency_fini(&residency);
    return residency.pattern;
}

static enum start_order order_of(const uint32_t *groups, uint32_t count)
{
    struct residency residency = read_starts(groups, count);
    residency_fini(&residency);
    return residency.order;
}

#define LIST(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

START_TEST(first_groups_are_a_prefix)
{
    ck_assert_int_eq(pattern_of(LIST(0, 1, 2, 3)), PATTERN_PREFIX);
}
END_TEST

START_TEST(prefix_is_one_in_any_order_of_starts)
{
    ck_assert_int_eq(pattern_of(LIST(3, 1, 0, 2)), PATTERN_PREFIX);
}
END_TEST

START_TEST(group_0_alone_is_a_prefix)
{
    ck_assert_int_eq(pattern_of(LIST(0)), PATTERN_PREFIX);
}
END_TEST

START_TEST(prefix_with_a_hole_is_no_prefix)
{
    ck_assert_int_ne(pattern_of(LIST(0, 1, 2, 4)), PATTERN_PREFIX);
}
END_TEST

START_TEST(equal_distances_are_strided)
{
    ck_assert_int_eq(pattern_of(LIST(0, 16, 32, 48)), PATTERN_STRIDED);
}
END_TEST

START_TEST(equal_distances_that_do_not_begin_at_0_are_scattered)
{
    ck_assert_int_eq(pattern_of(LIST(8, 16, 24, 32)), PATTERN_SCATTERED);
}
END_TEST

START_TEST(distances_that_shrink_are_chunked)
{
    ck_assert_int_eq(pattern_of(LIST(0, 32, 48, 56, 60)), PATTERN_CHUNKED);
}
END_TEST

START_TEST(distances_that_shrink_and_then_stay_are_chunked)
{
    ck_assert_int_eq(pattern_of(LIST(0, 32, 48, 49, 50)), PATTERN_CHUNKED);
}
END_TEST

START_TEST(distances_that_grow_are_scattered)
{
    ck_assert_int_eq(pattern_of(LIST(0, 1, 3, 7)), PATTERN_SCATTERED);
}
END_TEST

START_TEST(distances_that_shrink_and_grow_again_are_scattered)
{
    ck_assert_int_eq(pattern_of(LIST(0, 10, 12, 30)), PATTERN_SCATTERED);
}
END_TEST

START_TEST(one_group_that_is_not_the_first_is_scattered)
{
    ck_assert_int_eq(pattern_of(LIST(5)), PATTERN_SCATTERED);
}
END_TEST

START_TEST(starts_in_the_order_of_the_groups_are_ascending)
{
    ck_assert_int_eq(order_of(LIST(0, 1, 2, 3)), START_ASCENDING);
}
END_TEST

START_TEST(starts_against_the_order_of_the_groups_are_descending)
{
    ck_assert_int_eq(order_of(LIST(3, 2, 1, 0)), START_DESCENDING);
    ck_assert_int_eq(order_of(LIST(1, 0)), START_DESCENDING);
}
END_TEST

START_TEST(starts_in_another_order_are_mixed)
{
    ck_assert_int_eq(order_of(LIST(0, 2, 1, 3)), START_MIXED);
}
END_TEST

START_TEST(ids_are_in_the_order_of_the_starts)
{
    static const uint32_t starts[] = {9, 3, 7, 0};
    struct residency residency = read_starts(starts, 4);
    ck_assert_uint_eq(residency.count, 4);
    ck_assert_int_eq(memcmp(residency.ids, starts, sizeof starts), 0);
    residency_fini(&residency);
    ck_assert_ptr_null(residency.ids);
}
END_TEST

START_TEST(groups_that_were_not_counted_are_left_out)
{
    struct builder b = builder_init(4);
    struct residency residency;
    builder_start_all(&b);
    builder_set(&b, 0, GL_COUNTED, 1);
    builder_set(&b, 1, GL_COUNTED, 1);
    residency_read(&b.board, &residency);
    ck_assert_uint_eq(residency.count, 2);
    ck_assert_int_eq(residency.pattern, PATTERN_PREFIX);
    residency_fini(&residency);
    builder_fini(&b);
}
END_TEST

START_TEST(census_that_counted_nobody_is_unknown)
{
    struct residency residency = read_starts(NULL, 0);
    ck_assert_uint_eq(residency.count, 0);
    ck_assert_int_eq(residency.pattern, PATTERN_UNKNOWN);
    ck_assert_int_eq(residency.order, START_UNKNOWN);
    residency_fini(&residency);
}
END_TEST

START_TEST(each_pattern_and_each_order_has_its_name)
{
    ck_assert_str_eq(pattern_name(PATTERN_UNKNOWN), "unknown");
    ck_assert_str_eq(pattern_name(PATTERN_PREFIX), "prefix");
    ck_assert_str_eq(pattern_name(PATTERN_STRIDED), "strided");
    ck_assert_str_eq(pattern_name(PATTERN_CHUNKED), "chunked");
    ck_assert_str_eq(pattern_name(PATTERN_SCATTERED), "scattered");
    ck_assert_str_eq(start_order_name(START_UNKNOWN), "unknown");
    ck_assert_str_eq(start_order_name(START_ASCENDING), "ascending");
    ck_assert_str_eq(start_order_name(START_DESCENDING), "descending");
    ck_assert_str_eq(start_order_name(START_MIXED), "mixed");
}
END_TEST

HARNESS_MAIN("residency", first_groups_are_a_prefix, prefix_is_one_in_any_order_of_starts, group_0_alone_is_a_prefix,
             prefix_with_a_hole_is_no_prefix, equal_distances_are_strided,
             equal_distances_that_do_not_begin_at_0_are_scattered, distances_that_shrink_are_chunked,
             distances_that_shrink_and_then_stay_are_chunked, distances_that_grow_are_scattered,
             distances_that_shrink_and_grow_again_are_scattered, one_group_that_is_not_the_first_is_scattered,
             starts_in_the_order_of_the_groups_are_ascending, starts_against_the_order_of_the_groups_are_descending,
             starts_in_another_order_are_mixed, ids_are_in_the_order_of_the_starts,
             ranges_ascend_and_are_as_few_as_possible, groups_that_were_not_counted_are_left_out,
             census_that_counted_nobody_is_unknown, each_pattern_and_each_order_has_its_name)
