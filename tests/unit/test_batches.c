/* What the batches of a point come to together, in whatever order they are added. */
#include "harness.h"
#include "judge/batches.h"

#define SET(verdict) (UINT32_C(1) << VERDICT_##verdict)

static struct batches point;
static struct verdict_tally all;
static struct expected expected; /* of the batches that follow */

static void begin(verdict_set verdicts)
{
    point = (struct batches){.count = 0};
    all = (struct verdict_tally){.launches = 0};
    expected = (struct expected){.verdicts = verdicts};
}

static struct batches batch_of(uint32_t resident, uint32_t sequence, enum verdict first, enum verdict second)
{
    const enum verdict verdicts[] = {first, second};
    struct batches batch = batches_begin(&expected, resident, sequence);

    for (int i = 0; i < 2; ++i)
        batches_take_launch(&batch, &all, verdicts[i], expected_is_surprise(&expected, verdicts[i], CAUSE_NONE, false));
    return batch;
}

/* A batch of two launches. */
static bool add(uint32_t sequence, enum verdict first, enum verdict second)
{
    const struct batches batch = batch_of(4, sequence, first, second);
    const bool counts = batches_add(&point, &batch);

    batches_judge(&point, &expected.whole, &all);
    return counts;
}

START_TEST(worst_launch_gives_its_batch_the_verdict)
{
    begin(SET(PASS) | SET(STARVED));
    add(0, VERDICT_PASS, VERDICT_STARVED);
    ck_assert_int_eq(point.verdict, VERDICT_STARVED);
    ck_assert(!point.surprise);
    begin(SET(PASS) | SET(STARVED));
    add(0, VERDICT_STARVED, VERDICT_WRONG);
    ck_assert_int_eq(point.verdict, VERDICT_WRONG);
    ck_assert(point.surprise);
    ck_assert_uint_eq(point.verdicts, SET(STARVED) | SET(WRONG));
}
END_TEST

/* The point is not predicted any more with the limit that is right. */
START_TEST(what_is_left_open_by_a_better_limit_is_no_surprise)
{
    for (int allows = 0; allows < 2; ++allows) {
        begin(SET(PASS));
        const struct batches low = batch_of(2, 0, VERDICT_STALE, VERDICT_STALE);
        batches_add(&point, &low);
        expected = (struct expected){.allowed = SET(PASS) | (allows ? SET(STALE) : SET(STARVED))};
        add(1, VERDICT_PASS, VERDICT_INCONCLUSIVE);
        ck_assert_int_eq(point.surprise, !allows);
        ck_assert_uint_eq(point.allowed, expected.allowed);
    }
}
END_TEST

START_TEST(of_equal_batches_the_last_one_counts)
{
    begin(SET(PASS));
    ck_assert(add(1, VERDICT_PASS, VERDICT_PASS));
    ck_assert(!add(0, VERDICT_PASS, VERDICT_PASS));
    ck_assert(add(2, VERDICT_PASS, VERDICT_PASS));
    ck_assert_uint_eq(point.count, 3);
    ck_assert_uint_eq(point.sequence, 2);
    ck_assert_uint_eq(all.counts[VERDICT_PASS], 6);
}
END_TEST

START_TEST(what_failed_is_not_undone_by_what_passes)
{
    begin(SET(PASS));
    ck_assert(add(0, VERDICT_PASS, VERDICT_STALE));
    ck_assert(!add(1, VERDICT_PASS, VERDICT_PASS));
    ck_assert(point.surprise);
    ck_assert_uint_eq(point.surprises, SET(STALE));
    ck_assert_uint_eq(point.surprising, 1);
    ck_assert_uint_eq(point.seen, SET(PASS) | SET(STALE));
}
END_TEST

START_TEST(expected_failure_stays_beside_a_batch_that_is_undecided)
{
    begin(SET(STARVED));
    add(0, VERDICT_STARVED, VERDICT_STARVED);
    ck_assert(!add(1, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE));
    ck_assert(!point.surprise);
    ck_assert(!batches_undecided(&point));
    ck_assert_uint_eq(point.seen, SET(STARVED));
}
END_TEST

START_TEST(undecided_batch_says_nothing_beside_another)
{
    begin(SET(PASS));
    add(0, VERDICT_PASS, VERDICT_INCONCLUSIVE);
    ck_assert(batches_undecided(&point));
    ck_assert(point.surprise);
    add(1, VERDICT_PASS, VERDICT_PASS);
    ck_assert(!batches_undecided(&point));
    ck_assert(!point.surprise);
    ck_assert_uint_eq(point.seen, SET(PASS));
    ck_assert_uint_eq(point.surprising, 0);
}
END_TEST

START_TEST(batch_that_never_ended_says_nothing_of_verdicts)
{
    struct batches batch;

    begin(SET(PASS));
    batch = batches_begin(&expected, 4, 0);
    batches_abandon(&batch, &all);
    batches_add(&point, &batch);
    batches_judge(&point, &expected.whole, &all);
    ck_assert_int_eq(point.verdict, VERDICT_INCOMPLETE);
    ck_assert_uint_eq(point.seen, 0);
    ck_assert_uint_eq(all.launches, 1);
    ck_assert(!point.surprise);
}
END_TEST

START_TEST(larger_limit_supersedes_in_any_order)
{
    for (int first = 0; first < 2; ++first) {
        begin(SET(STARVED));
        const struct batches low = batch_of(2, 0, VERDICT_PASS, VERDICT_PASS);
        expected.verdicts = SET(PASS);
        const struct batches high = batch_of(3, 1, VERDICT_PASS, VERDICT_PASS);
        batches_add(&point, first == 0 ? &low : &high);
        batches_add(&point, first == 0 ? &high : &low);
        batches_judge(&point, &expected.whole, &all);
        ck_assert(!point.surprise);
        ck_assert_uint_eq(point.surprising, 0);
        ck_assert_uint_eq(point.resident, 3);
        ck_assert_uint_eq(point.expected, SET(PASS));
        ck_assert(!batches_blames(&point, &low));
    }
}
END_TEST

START_TEST(undecided_batch_is_blamed_as_long_as_nothing_else_surprised)
{
    begin(SET(PASS));
    const struct batches undecided = batch_of(4, 0, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE);
    batches_add(&point, &undecided);
    batches_judge(&point, &expected.whole, &all);
    ck_assert(batches_blames(&point, &undecided));
    const struct batches stale = batch_of(4, 1, VERDICT_STALE, VERDICT_PASS);
    batches_add(&point, &stale);
    batches_judge(&point, &expected.whole, &all);
    ck_assert(!batches_blames(&point, &undecided));
    ck_assert(batches_blames(&point, &stale));
}
END_TEST

START_TEST(shortfall_is_that_of_all_batches)
{
    begin(SET(PASS) | SET(STALE));
    expected.whole = (struct whole){.some = SET(STALE)};
    add(0, VERDICT_PASS, VERDICT_PASS);
    ck_assert_uint_eq(point.shortfall, WHOLE_NONE_CAME);
    ck_assert(point.surprise && !point.launch_surprise);
    add(1, VERDICT_STALE, VERDICT_PASS);
    ck_assert_uint_eq(point.shortfall, 0);
    ck_assert(!point.surprise);
}
END_TEST

HARNESS_MAIN("batches", worst_launch_gives_its_batch_the_verdict, what_is_left_open_by_a_better_limit_is_no_surprise,
             of_equal_batches_the_last_one_counts, what_failed_is_not_undone_by_what_passes,
             expected_failure_stays_beside_a_batch_that_is_undecided, undecided_batch_says_nothing_beside_another,
             batch_that_never_ended_says_nothing_of_verdicts, larger_limit_supersedes_in_any_order,
             undecided_batch_is_blamed_as_long_as_nothing_else_surprised, shortfall_is_that_of_all_batches)
