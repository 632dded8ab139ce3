/* Medians. */
#include "core/reference.h"

#include "harness.h"

START_TEST(median_is_that_of_values_in_any_order)
{
    uint32_t one[] = {7}, odd[] = {9, 1, 5}, even[] = {8, 2, 6, 4}, large[] = {UINT32_MAX, 1, UINT32_MAX};
    ck_assert_uint_eq(median_of_known(one, 1), 7);
    ck_assert_uint_eq(median_of_known(odd, 3), 5);
    ck_assert_uint_eq(median_of_known(even, 4), 4);
    ck_assert_uint_eq(median_of_known(large, 3), UINT32_MAX);
}
END_TEST

START_TEST(what_is_not_known_does_not_count)
{
    uint32_t some[] = {0, 3, 0, 0, 1, 2}, none[] = {0, 0};
    ck_assert_uint_eq(median_of_known(some, 6), 2);
    ck_assert_uint_eq(median_of_known(none, 2), 0);
    ck_assert_uint_eq(median_of_known(none, 0), 0);
}
END_TEST

HARNESS_MAIN("median", median_is_that_of_values_in_any_order, what_is_not_known_does_not_count)
