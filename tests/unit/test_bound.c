#include "search/search.h"

#include "harness.h"

#include <math.h>

START_TEST(no_launches_prove_nothing)
{
    ck_assert_double_eq(bound_none_seen(0), 1.0);
}
END_TEST

START_TEST(one_launch_proves_nineteen_in_twenty)
{
    ck_assert_double_eq_tol(bound_none_seen(1), 0.95, 1e-12);
}
END_TEST

START_TEST(fifty_nine_launches_are_the_first_to_prove_one_in_twenty)
{
    ck_assert_double_gt(bound_none_seen(58), 0.05);
    ck_assert_double_lt(bound_none_seen(59), 0.05);
}
END_TEST

START_TEST(bound_is_the_rate_at_which_seeing_none_has_one_chance_in_twenty)
{
    for (uint32_t launches = 1; launches <= 1000; ++launches)
        ck_assert_double_eq_tol(pow(1.0 - bound_none_seen(launches), launches), 0.05, 1e-9);
}
END_TEST

START_TEST(more_launches_prove_more)
{
    for (uint32_t launches = 0; launches < 1000; ++launches)
        ck_assert_double_lt(bound_none_seen(launches + 1), bound_none_seen(launches));
}
END_TEST

START_TEST(bound_is_never_zero)
{
    ck_assert_double_gt(bound_none_seen(UINT32_MAX), 0.0);
}
END_TEST

HARNESS_MAIN("bound", no_launches_prove_nothing, one_launch_proves_nineteen_in_twenty,
             fifty_nine_launches_are_the_first_to_prove_one_in_twenty,
             bound_is_the_rate_at_which_seeing_none_has_one_chance_in_twenty, more_launches_prove_more,
             bound_is_never_zero)
