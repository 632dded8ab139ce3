#include "core/trial.h"

#include "harness.h"

#include <string.h>

/* Two tests of one thread, which stores and ends. */
static const struct block block = {
    .engine = ENGINE_COMPILED,
    .mapping = {MAPPING_RANDOM, 7},
    .groups = 8448,
    .iterations = 20,
    .local_size = 32,
    .guarded = true,
    .suspect_ns = 5,
    .confirm_ns = 6,
    .resident = 4224,
    .test_count = 2,
    .code_count = 6,
    .codes = {1, 1, 4, 1, 1, 5},
};

START_TEST(a_block_is_a_trial)
{
    struct trial trial;
    block_trial(&block, "quick", &trial);
    ck_assert_int_eq(trial.kind, TRIAL_PROGRESS);
    ck_assert_uint_eq(trial.footprint.local_size, 32);
    ck_assert_uint_eq(trial.groups, 8448);
    ck_assert_uint_eq(trial.rounds, 1);
    ck_assert_uint_eq(trial.repeats, 20);
    ck_assert_uint_eq(trial.suspect_ns, 5);
    ck_assert_uint_eq(trial.confirm_ns, 6);
    ck_assert_uint_eq(trial.proven_groups, 4224);
    ck_assert_int_eq(trial.block.engine, ENGINE_COMPILED);
    ck_assert_int_eq(trial.block.mapping.kind, MAPPING_RANDOM);
    ck_assert_uint_eq(trial.block.mapping.seed, 7);
    ck_assert(trial.block.guarded);
    ck_assert_str_eq(trial.block.suite, "quick");
    ck_assert_uint_eq(strlen(trial.block.digest), 16);
}
END_TEST

static const char *id_of(const struct block *of)
{
    static char text[256];
    struct trial trial;
    block_trial(of, "quick", &trial);
    trial_id(&trial, 3, text, sizeof text);
    return text;
}

START_TEST(its_id_says_all_that_tells_blocks_apart)
{
    ck_assert_str_eq(id_of(&block), "progress/quick/random-s7/compiled-guarded/l32/g8448/i20/bf4cabee8221c57c#3");
}
END_TEST

START_TEST(a_mapping_that_is_not_by_lot_has_no_seed)
{
    struct block plain = block;
    plain.mapping.kind = MAPPING_PLAIN;
    plain.engine = ENGINE_TABLE;
    plain.guarded = false;
    ck_assert_str_eq(id_of(&plain), "progress/quick/plain/table/l32/g8448/i20/bf4cabee8221c57c#3");
}
END_TEST

START_TEST(the_digest_is_of_all_codes_and_of_nothing_else)
{
    struct block other = block;
    char first[17], second[17];

    block_digest(&block, first);
    other.iterations = 1;
    other.mapping.seed = 8;
    block_digest(&other, second);
    ck_assert_str_eq(first, second);
    other.codes[5] ^= 1 << 8;
    block_digest(&other, second);
    ck_assert_str_ne(first, second);
    other = block;
    other.code_count = 3;
    block_digest(&other, second);
    ck_assert_str_ne(first, second);
}
END_TEST

START_TEST(a_long_suite_is_cut)
{
    struct trial trial;
    block_trial(&block, "a-suite-with-a-name-beyond-its-room", &trial);
    ck_assert_str_eq(trial.block.suite, "a-suite-with-a-");
}
END_TEST

START_TEST(only_estimators_of_a_limit_are_found_by_name)
{
    ck_assert_str_eq(trial_kind_name(TRIAL_PROGRESS), "progress");
    ck_assert_int_eq(naming_find(&estimator_naming, "progress"), -1);
    ck_assert_int_eq(naming_find(&estimator_naming, "census"), TRIAL_CENSUS);
}
END_TEST

HARNESS_MAIN("trial", a_block_is_a_trial, its_id_says_all_that_tells_blocks_apart,
             a_mapping_that_is_not_by_lot_has_no_seed, the_digest_is_of_all_codes_and_of_nothing_else,
             a_long_suite_is_cut, only_estimators_of_a_limit_are_found_by_name)
