/* What the report of a run makes of a point that was run in several batches. */
#include "report/run.h"
#include "store_fixture.h"

#include <stdbool.h>

static struct run_report report;
static int64_t device;
static struct store *store;

#define PASS (UINT32_C(1) << VERDICT_PASS)
#define STALE (UINT32_C(1) << VERDICT_STALE)
#define WRONG (UINT32_C(1) << VERDICT_WRONG)

/* What is expected of the batches that follow. */
static struct store_prediction prediction;

static void begin_batches(void)
{
    store = create();
    device = add_device(store);
    report = (struct run_report){0};
    prediction = (struct store_prediction){.resident = 2, .expected.verdicts = PASS};
}

/* A batch of one launch, of a point of two groups. */
static void batch(uint32_t sequence, enum verdict verdict)
{
    const struct trial trial = {.kind = TRIAL_WORK,
                                .footprint = {.local_size = 64},
                                .groups = 2,
                                .repeats = 1,
                                .dialect = DIALECT_CL30,
                                .work = {.scenario = "toy", .kernel = "toy", .launches = 1}};
    const struct store_launch launch = {.observation = passed.observation, .verdict = verdict};
    const struct store_end end = {.launches = &launch, .count = 1, .note = ""};
    int64_t id = 0;

    ck_assert_int_eq(store_begin_trial(store, device, sequence, &trial, &prediction, &id, &error), 0);
    ck_assert_msg(store_end_trial(store, id, &end, &error) == 0, "%s", error.text);
}

/* The same, if what is expected goes by this limit. */
static void batch_by(uint32_t resident, uint32_t sequence, enum verdict verdict)
{
    prediction.resident = resident;
    prediction.expected.verdicts = resident < 2 ? UINT32_C(1) << VERDICT_STARVED : PASS;
    batch(sequence, verdict);
}

/* Reads the report and gives its one point, which stays until end_batches. */
static const struct run_point *read_point(void)
{
    ck_assert_msg(run_report_update(&report, store, &error) == 0, "%s", error.text);
    ck_assert_uint_eq(report.devices[0].scenarios[0].count, 1);
    return &report.devices[0].scenarios[0].points[0];
}

static void end_batches(void)
{
    run_report_fini(&report);
    store_close(store);
}

static void assert_point(enum verdict verdict, bool surprise, uint32_t batches, uint32_t surprising)
{
    const struct run_point *point = read_point();
    verdict_set verdicts;

    ck_assert_str_eq(verdict_name(point->batches.verdict), verdict_name(verdict));
    ck_assert_int_eq(point->batches.surprise, surprise);
    ck_assert_uint_eq(point->batches.count, batches);
    ck_assert_uint_eq(point->batches.surprising, surprising);
    ck_assert_int_eq(run_report_status(&report, &verdicts), surprise ? STATUS_SURPRISE : STATUS_OK);
    end_batches();
}

START_TEST(batch_that_was_undecided_gives_way_to_one_that_was_not)
{
    begin_batches();
    batch(0, VERDICT_INCONCLUSIVE);
    batch(1, VERDICT_PASS);
    assert_point(VERDICT_PASS, false, 2, 0);
}
END_TEST

START_TEST(pass_is_not_undone_by_a_batch_that_is_undecided)
{
    begin_batches();
    batch(0, VERDICT_PASS);
    batch(1, VERDICT_INCONCLUSIVE);
    assert_point(VERDICT_PASS, false, 2, 0);
}
END_TEST

START_TEST(order_in_which_batches_are_read_does_not_matter)
{
    begin_batches();
    batch(1, VERDICT_PASS);
    batch(0, VERDICT_INCONCLUSIVE);
    assert_point(VERDICT_PASS, false, 2, 0);
}
END_TEST

START_TEST(surprise_counts_wherever_it_is_read)
{
    begin_batches();
    batch(2, VERDICT_PASS);
    batch(1, VERDICT_STALE);
    batch(0, VERDICT_INCONCLUSIVE);
    assert_point(VERDICT_STALE, true, 3, 1);
}
END_TEST

START_TEST(point_that_stays_undecided_is_a_surprise)
{
    begin_batches();
    batch(0, VERDICT_INCONCLUSIVE);
    batch(1, VERDICT_INCONCLUSIVE);
    batch(2, VERDICT_INCONCLUSIVE);
    assert_point(VERDICT_INCONCLUSIVE, true, 3, 3);
}
END_TEST

START_TEST(surprise_is_not_undone_by_batches_that_pass)
{
    begin_batches();
    batch(0, VERDICT_STALE);
    batch(1, VERDICT_PASS);
    batch(2, VERDICT_PASS);
    assert_point(VERDICT_STALE, true, 3, 1);
}
END_TEST

START_TEST(surprise_is_not_undone_by_a_batch_that_is_undecided)
{
    begin_batches();
    batch(0, VERDICT_STALE);
    batch(1, VERDICT_INCONCLUSIVE);
    assert_point(VERDICT_STALE, true, 2, 1);
}
END_TEST

START_TEST(of_several_surprises_the_last_one_counts)
{
    begin_batches();
    batch(0, VERDICT_STALE);
    batch(1, VERDICT_PASS);
    batch(2, VERDICT_WRONG);
    assert_point(VERDICT_WRONG, true, 3, 2);
}
END_TEST

START_TEST(pass_above_a_limit_that_was_too_low_is_no_surprise)
{
    begin_batches();
    batch_by(1, 0, VERDICT_PASS);
    batch_by(2, 1, VERDICT_PASS);
    ck_assert_uint_eq(read_point()->batches.resident, 2);
    ck_assert_uint_eq(read_point()->batches.expected, UINT32_C(1) << VERDICT_PASS);
    assert_point(VERDICT_PASS, false, 2, 0);
}
END_TEST

START_TEST(pass_above_a_limit_that_stands_is_a_surprise)
{
    begin_batches();
    batch_by(1, 0, VERDICT_PASS);
    batch_by(1, 1, VERDICT_PASS);
    assert_point(VERDICT_PASS, true, 2, 2);
}
END_TEST

START_TEST(larger_limit_counts_wherever_it_is_read)
{
    begin_batches();
    batch_by(2, 1, VERDICT_PASS);
    batch_by(1, 0, VERDICT_STARVED);
    assert_point(VERDICT_PASS, false, 2, 0);
}
END_TEST

START_TEST(larger_limit_does_not_excuse_stale_data)
{
    begin_batches();
    batch_by(1, 0, VERDICT_PASS);
    batch_by(1, 1, VERDICT_STALE);
    batch_by(2, 2, VERDICT_PASS);
    assert_point(VERDICT_STALE, true, 3, 2);
}
END_TEST

START_TEST(surprise_by_the_larger_limit_counts)
{
    begin_batches();
    batch_by(1, 0, VERDICT_STARVED);
    batch_by(2, 1, VERDICT_STARVED);
    batch_by(2, 2, VERDICT_PASS);
    assert_point(VERDICT_STARVED, true, 3, 1);
}
END_TEST

/* --- of the point as a whole --- */

static void begin_mixed_batches(struct whole whole)
{
    begin_batches();
    prediction = (struct store_prediction){.resident = 2, .expected.verdicts = PASS | STALE};
    prediction.expected.whole = whole;
}

START_TEST(some_launch_of_any_batch_is_enough)
{
    begin_mixed_batches((struct whole){.some = STALE});
    batch(0, VERDICT_PASS);
    batch(1, VERDICT_STALE);
    batch(2, VERDICT_PASS);
    assert_point(VERDICT_STALE, false, 3, 0);
}
END_TEST

START_TEST(point_of_which_no_launch_came_to_it_is_a_surprise)
{
    begin_mixed_batches((struct whole){.some = STALE});
    batch(0, VERDICT_PASS);
    batch(1, VERDICT_PASS);
    ck_assert_uint_eq(read_point()->batches.shortfall, WHOLE_NONE_CAME);
    assert_point(VERDICT_PASS, true, 2, 0);
}
END_TEST

START_TEST(rate_is_that_of_all_batches)
{
    begin_mixed_batches((struct whole){.limited = STALE, .most = 1, .of = 3});
    batch(0, VERDICT_STALE);
    ck_assert_uint_eq(read_point()->batches.shortfall, WHOLE_TOO_MANY);
    batch(1, VERDICT_PASS);
    ck_assert_uint_eq(read_point()->batches.shortfall, WHOLE_TOO_MANY);
    batch(2, VERDICT_PASS);
    ck_assert_uint_eq(read_point()->batches.shortfall, 0);
    ck_assert_uint_eq(read_point()->all->counts[VERDICT_PASS], 2);
    assert_point(VERDICT_STALE, false, 3, 0);
}
END_TEST

START_TEST(batch_that_is_no_surprise_is_not_undone_by_the_point_s_rate)
{
    begin_mixed_batches((struct whole){.limited = STALE, .most = 0, .of = 1});
    batch(0, VERDICT_STALE);
    batch(1, VERDICT_PASS);
    assert_point(VERDICT_STALE, true, 2, 0);
}
END_TEST

START_TEST(surprise_of_a_launch_stays_one_where_the_point_is_as_expected)
{
    begin_mixed_batches((struct whole){STALE, .limited = WRONG, .most = 1, .of = 1});
    batch(0, VERDICT_STALE);
    batch(1, VERDICT_WRONG);
    assert_point(VERDICT_WRONG, true, 2, 1);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, pass_above_a_limit_that_was_too_low_is_no_surprise);
    tcase_add_test(tests, pass_above_a_limit_that_stands_is_a_surprise);
    tcase_add_test(tests, larger_limit_counts_wherever_it_is_read);
    tcase_add_test(tests, larger_limit_does_not_excuse_stale_data);
    tcase_add_test(tests, surprise_by_the_larger_limit_counts);
    tcase_add_test(tests, batch_that_was_undecided_gives_way_to_one_that_was_not);
    tcase_add_test(tests, pass_is_not_undone_by_a_batch_that_is_undecided);
    tcase_add_test(tests, order_in_which_batches_are_read_does_not_matter);
    tcase_add_test(tests, surprise_counts_wherever_it_is_read);
    tcase_add_test(tests, point_that_stays_undecided_is_a_surprise);
    tcase_add_test(tests, surprise_is_not_undone_by_batches_that_pass);
    tcase_add_test(tests, surprise_is_not_undone_by_a_batch_that_is_undecided);
    tcase_add_test(tests, of_several_surprises_the_last_one_counts);
    tcase_add_test(tests, some_launch_of_any_batch_is_enough);
    tcase_add_test(tests, point_of_which_no_launch_came_to_it_is_a_surprise);
    tcase_add_test(tests, rate_is_that_of_all_batches);
    tcase_add_test(tests, batch_that_is_no_surprise_is_not_undone_by_the_point_s_rate);
    tcase_add_test(tests, surprise_of_a_launch_stays_one_where_the_point_is_as_expected);
}

int main(void)
{
    return fixture_run("run batches", add_tests);
}
