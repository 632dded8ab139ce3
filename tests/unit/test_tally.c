/* How often each name has come. */
#include "base/tally.h"

#include "harness.h"

#include <stdio.h>

enum { NAMES = 5000 };

START_TEST(names_are_counted_each_by_itself)
{
    struct tally tally = {0};

    ck_assert_uint_eq(tally_count(&tally, "a"), 0);
    ck_assert_uint_eq(tally_count(&tally, "b"), 0);
    ck_assert_uint_eq(tally_count(&tally, "a"), 1);
    ck_assert_uint_eq(tally_count(&tally, "a"), 2);
    ck_assert_uint_eq(tally_count(&tally, "b"), 1);
    ck_assert_uint_eq(tally_count(&tally, ""), 0);
    ck_assert_uint_eq(tally_count(&tally, ""), 1);
    ck_assert_uint_eq(tally.names.used, 3);
    tally_fini(&tally);
}
END_TEST

START_TEST(a_name_is_copied)
{
    struct tally tally = {0};
    char name[8] = "one";

    tally_count(&tally, name);
    snprintf(name, sizeof name, "two");
    ck_assert_uint_eq(tally_count(&tally, "one"), 1);
    ck_assert_uint_eq(tally_count(&tally, name), 0);
    tally_fini(&tally);
}
END_TEST

START_TEST(counts_outlive_the_growing)
{
    struct tally tally = {0};
    char name[64];

    for (uint32_t round = 0; round < 3; ++round) {
        for (int i = 0; i < NAMES; ++i) {
            snprintf(name, sizeof name, "barrier_central/cl30/l64/g%d#0", i);
            ck_assert_uint_eq(tally_count(&tally, name), round);
        }
    }
    ck_assert_uint_eq(tally.names.used, NAMES);
    tally_fini(&tally);
}
END_TEST

START_TEST(an_emptied_tally_can_be_used_again)
{
    struct tally tally = {0};

    tally_count(&tally, "a");
    tally_fini(&tally);
    ck_assert_uint_eq(tally.names.used, 0);
    ck_assert_uint_eq(tally_count(&tally, "a"), 0);
    tally_fini(&tally);
    tally_fini(&tally);
}
END_TEST

/* Shards of other versions and machines must choose the same: these values are of the algorithm's authors. */
START_TEST(the_hash_is_fnv_1a)
{
    ck_assert_uint_eq(tally_hash(""), UINT64_C(0xcbf29ce484222325));
    ck_assert_uint_eq(tally_hash("a"), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(tally_hash("foobar"), UINT64_C(0x85944171f73967e8));
    ck_assert_uint_eq(tally_hash("\xff"), UINT64_C(0xaf64724c8602eb6e));
}
END_TEST

HARNESS_MAIN("tally", names_are_counted_each_by_itself, a_name_is_copied, counts_outlive_the_growing,
             an_emptied_tally_can_be_used_again, the_hash_is_fnv_1a)
