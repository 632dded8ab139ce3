#include "core/lots.h"

#include "harness.h"

START_TEST(first_launch_has_the_seed_that_was_given)
{
    ck_assert_uint_eq(lots_launch_seed(1, 0), 1);
    ck_assert_uint_eq(lots_launch_seed(UINT32_MAX, 0), UINT32_MAX);
    ck_assert_uint_eq(lots_launch_seed(0, 0), 0);
}
END_TEST

static int compare(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

START_TEST(launches_have_seeds_of_their_own)
{
    enum { LAUNCHES = 100000 };
    static uint32_t seeds[LAUNCHES];

    for (uint32_t i = 0; i < LAUNCHES; ++i)
        seeds[i] = lots_launch_seed(1, i);
    qsort(seeds, LAUNCHES, sizeof *seeds, compare);
    for (int i = 1; i < LAUNCHES; ++i)
        ck_assert_uint_ne(seeds[i - 1], seeds[i]);
}
END_TEST

START_TEST(a_batch_goes_on_where_the_one_before_it_ended)
{
    for (uint32_t launches = 0; launches < 1000; ++launches)
        for (uint32_t i = 0; i < 10; ++i)
            ck_assert_uint_eq(lots_launch_seed(lots_launch_seed(7, launches), i), lots_launch_seed(7, launches + i));
}
END_TEST

START_TEST(no_later_launch_has_the_seed_that_means_unknown)
{
    const uint32_t step = lots_launch_seed(0, 1);

    ck_assert_uint_ne(lots_launch_seed(0U - step, 1), 0);
    ck_assert_uint_ne(lots_launch_seed(0U - 5 * step, 5), 0);
}
END_TEST

HARNESS_MAIN("lots", first_launch_has_the_seed_that_was_given, launches_have_seeds_of_their_own,
             a_batch_goes_on_where_the_one_before_it_ended, no_later_launch_has_the_seed_that_means_unknown)
