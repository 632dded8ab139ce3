/* Reading many trials at once, as reports do. */
#include "store_fixture.h"

static void end(struct store *store, int64_t trial, const struct store_launch *launches, uint32_t count)
{
    const struct store_end end = {.launches = launches, .count = count, .duration_ns = 5, .note = "a note"};
    ck_assert_msg(store_end_trial(store, trial, &end, &error) == 0, "%s", error.text);
}

static void scan(struct store *store, int64_t device, int64_t after, struct seen *seen)
{
    memset(seen, 0, sizeof *seen);
    ck_assert_msg(
        store_each_trial(store, &(struct store_walk){device, after, .quick = true, .take = take_trial, .context = seen},
                         &error) == 0,
        "%s", error.text);
}

START_TEST(trials_come_once_each_with_their_launches)
{
    const struct store_launch launches[] = {passed, starved, crashed};
    struct store *store = create();
    struct seen seen;
    const int64_t device = add_device(store), other = add_device(store);
    const int64_t first = begin(store, device, 0, &barrier);
    end(store, begin(store, other, 0, &barrier), &passed, 1);
    const int64_t second = begin(store, device, 1, &barrier);
    end(store, second, launches, 3);
    scan(store, device, 0, &seen);
    ck_assert_int_eq(seen.count, 2);
    ck_assert_int_eq(seen.trials[0].id, first);
    ck_assert(!seen.trials[0].ended);
    ck_assert_uint_eq(seen.trials[0].count, 0);
    ck_assert_int_eq(seen.trials[1].id, second);
    ck_assert(seen.trials[1].ended);
    ck_assert_uint_eq(seen.trials[1].count, 3);
    ck_assert_uint_eq(seen.trials[1].duration_ns, 5);
    ck_assert_str_eq(seen.note, "a note");
    ck_assert_int_eq(seen.launches[1].verdict, VERDICT_STARVED);
    ck_assert_uint_eq(seen.launches[1].observation.started, 102);
    ck_assert_uint_eq(seen.launches[1].observation.waitfor.never_started, 114);
    ck_assert(!seen.launches[2].observation.board_read);
    scan(store, device, first, &seen);
    ck_assert_int_eq(seen.count, 1);
    scan(store, device, second, &seen);
    ck_assert_int_eq(seen.count, 0);
    store_close(store);
}
END_TEST

START_TEST(predictions_come_back)
{
    const struct store_prediction written = {
        .position = 7,
        .resident = 3,
        .expected = {.verdicts = UINT32_C(1) << VERDICT_PASS | UINT32_C(1) << VERDICT_STALE,
                     .allowed = UINT32_C(1) << VERDICT_HANG,
                     .causes = UINT32_C(1) << CAUSE_OCCUPANCY,
                     .whole = {.some = UINT32_C(1) << VERDICT_WRONG,
                               .limited = UINT32_C(1) << VERDICT_STALE,
                               .most = 1,
                               .of = 200}},
        .known = KNOWN_AS_FLAKE,
        .quoted = "a sentence",
    };
    struct store *store = create();
    struct seen seen;
    int64_t row;
    const int64_t device = add_device(store);

    ck_assert_int_eq(store_begin_trial(store, device, 0, &barrier, &written, &row, &error), 0);
    begin(store, device, 5, &barrier);
    scan(store, device, 0, &seen);
    ck_assert_mem_eq(&seen.trials[0].prediction, &written, sizeof written);
    ck_assert_mem_eq(&seen.trials[1].prediction, &(struct store_prediction){0}, sizeof written);
    ck_assert_uint_eq(seen.trials[1].sequence, 5);
    store_close(store);
    ck_assert_str_eq(query("SELECT printf('%s, %s, %s, %s, %s, %s', expected, allowed, expected_causes, expected_some,"
                           " expected_rate, known) FROM trial WHERE id = 1"),
                     "pass or stale, hang, occupancy, wrong, stale <= 1/200, flake");
    ck_assert_str_eq(query("SELECT coalesce(expected, allowed, expected_causes, expected_some, expected_rate, known)"
                           " FROM trial WHERE id = 2"),
                     "NULL");
}
END_TEST

static int count_trial(void *context, const struct store_trial *trial)
{
    int64_t *last = context;
    ck_assert_int_gt(trial->id, *last);
    *last = trial->id;
    return trial->id == 900 ? -1 : 0;
}

/* Some hundred at a time: none is lost or comes twice in between. */
START_TEST(many_trials_come_in_order)
{
    struct store *store = create();
    const int64_t device = add_device(store);
    int64_t last = 0;
    store_close(store);
    ck_assert_int_eq(
        execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO trial (id, "
            "device, run, sequence, name, position, estimator, dialect, local_size, private_bytes, local_memory_bytes, "
            "groups, rounds, repeats, enough_stalls, gap_ns, proven_groups, suspect_ns, confirm_ns, close_ns, live)"
            " SELECT i, 1, 1, 0, 'x#0', i, 'work', 'none', 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0 FROM n"),
        SQLITE_OK);
    store = reopen(NULL);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, 0, .quick = true, .take = count_trial, .context = &last},
                         &error),
        -1);
    ck_assert_int_eq(last, 900); /* what the callback returns ends it */
    ck_assert_int_eq(
        store_each_trial(
            store, &(struct store_walk){device, last, .quick = true, .take = count_trial, .context = &last}, &error),
        0);
    ck_assert_int_eq(last, 1000);
    store_close(store);
}
END_TEST

static int write_meanwhile(void *context, const struct store_trial *trial)
{
    int *codes = context;
    if (trial->id == 1)
        codes[0] = execute("UPDATE device SET wedged = 1");
    return 0;
}

START_TEST(file_is_not_locked_afterwards)
{
    struct store *store = create();
    const int64_t device = add_device(store);
    int code = SQLITE_OK;
    begin(store, device, 0, &barrier);
    begin(store, device, 1, &barrier); /* a second one, so that the first is not the end */
    ck_assert_int_eq(
        store_each_trial(
            store, &(struct store_walk){device, 0, .quick = true, .take = write_meanwhile, .context = &code}, &error),
        0);
    ck_assert_int_eq(code, SQLITE_BUSY); /* while it reads, nobody writes */
    ck_assert_int_eq(execute("UPDATE device SET wedged = 1"), SQLITE_OK);
    store_close(store);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, trials_come_once_each_with_their_launches);
    tcase_add_test(tests, predictions_come_back);
    tcase_add_test(tests, many_trials_come_in_order);
    tcase_add_test(tests, file_is_not_locked_afterwards);
}

int main(void)
{
    return fixture_run("scan", add_tests);
}
