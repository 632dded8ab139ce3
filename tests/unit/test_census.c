#include "search/census.h"

#include "harness.h"

enum { CLOSE_NS = 100 };

/* A census whose launches counted these, with no gap between two arrivals. */
static struct census counts(const uint32_t *counted, size_t launches)
{
    struct census census;
    census_init(&census, CLOSE_NS);
    for (size_t i = 0; i < launches; ++i)
        census_take(&census, counted[i], 0);
    return census;
}

#define COUNTS(...) counts((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

START_TEST(new_census_is_not_settled)
{
    struct census census;
    census_init(&census, CLOSE_NS);
    ck_assert(!census_settled(&census));
    ck_assert(!census_finished(&census));
    ck_assert_uint_eq(census.close_ns, CLOSE_NS);
}
END_TEST

START_TEST(three_agreeing_launches_settle_it)
{
    struct census census = COUNTS(8, 8, 8);
    ck_assert(census_settled(&census));
    ck_assert_uint_eq(census.best, 8);
}
END_TEST

START_TEST(one_launch_that_a_proof_closed_settles_it)
{
    struct census census;
    census_init(&census, 0);
    ck_assert(!census_settled(&census));
    census_take(&census, 8, 0);
    ck_assert(census_settled(&census));
    ck_assert(census_finished(&census));
    ck_assert_uint_eq(census.best, 8);
}
END_TEST

START_TEST(two_agreeing_launches_do_not_settle_it)
{
    struct census census = COUNTS(8, 8);
    ck_assert(!census_settled(&census));
}
END_TEST

START_TEST(three_agreeing_launches_that_are_not_in_a_row_do_not_settle_it)
{
    struct census census = COUNTS(8, 8, 7, 8);
    ck_assert(!census_settled(&census));
}
END_TEST

START_TEST(three_agreeing_launches_after_a_smaller_count_settle_it)
{
    struct census census = COUNTS(5, 8, 8, 8);
    ck_assert(census_settled(&census));
}
END_TEST

START_TEST(three_agreeing_launches_below_the_best_do_not_settle_it)
{
    struct census census = COUNTS(9, 8, 8, 8);
    ck_assert(!census_settled(&census));
    ck_assert_uint_eq(census.best, 9);
}
END_TEST

START_TEST(each_launch_doubles_the_closing_time)
{
    struct census census = COUNTS(8, 8, 8, 8);
    ck_assert_uint_eq(census.close_ns, 16 * CLOSE_NS);
}
END_TEST

START_TEST(closing_time_of_less_than_two_gaps_does_not_settle_it)
{
    struct census census;
    census_init(&census, CLOSE_NS);
    for (int i = 0; i < 3; ++i)
        census_take(&census, 8, 2 * CLOSE_NS + 1); /* the last launch was closed after 4 CLOSE_NS */
    ck_assert(!census_settled(&census));
}
END_TEST

START_TEST(closing_time_of_two_gaps_settles_it)
{
    struct census census;
    census_init(&census, CLOSE_NS);
    for (int i = 0; i < 3; ++i)
        census_take(&census, 8, 2 * CLOSE_NS);
    ck_assert(census_settled(&census));
}
END_TEST

START_TEST(longest_gap_of_any_launch_counts)
{
    struct census census;
    census_init(&census, CLOSE_NS);
    census_take(&census, 8, 1000 * CLOSE_NS);
    census_take(&census, 8, 0);
    census_take(&census, 8, 0);
    ck_assert_uint_eq(census.gap_ns, 1000 * CLOSE_NS);
    ck_assert(!census_settled(&census));
}
END_TEST

START_TEST(settled_census_is_finished)
{
    struct census census = COUNTS(8, 8, 8);
    ck_assert(census_finished(&census));
}
END_TEST

START_TEST(census_that_never_settles_is_finished_after_twelve_launches)
{
    struct census census;
    census_init(&census, CLOSE_NS);
    for (uint32_t i = 0; i < CENSUS_LAUNCHES; ++i) {
        ck_assert(!census_finished(&census));
        census_take(&census, 10 + i % 2, 0);
    }
    ck_assert(census_finished(&census));
    ck_assert(!census_settled(&census));
    ck_assert_uint_eq(census.best, 11);
}
END_TEST

HARNESS_MAIN("census", new_census_is_not_settled, three_agreeing_launches_settle_it,
             one_launch_that_a_proof_closed_settles_it, two_agreeing_launches_do_not_settle_it,
             three_agreeing_launches_that_are_not_in_a_row_do_not_settle_it,
             three_agreeing_launches_after_a_smaller_count_settle_it,
             three_agreeing_launches_below_the_best_do_not_settle_it, each_launch_doubles_the_closing_time,
             closing_time_of_less_than_two_gaps_does_not_settle_it, closing_time_of_two_gaps_settles_it,
             longest_gap_of_any_launch_counts, settled_census_is_finished,
             census_that_never_settles_is_finished_after_twelve_launches)
