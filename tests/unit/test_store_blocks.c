/* Blocks of litmus tests in a run file: what each test came to comes back, and goes with its trial. */
#include "store_fixture.h"

static const char mutex[] = "0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2";

static const struct trial random_block = {
    .footprint = {.local_size = 32},
    .kind = TRIAL_PROGRESS,
    .groups = 8448,
    .rounds = 1,
    .repeats = 20,
    .proven_groups = 4224,
    .suspect_ns = 12,
    .confirm_ns = 13,
    .block = {.engine = ENGINE_COMPILED,
              .mapping = {MAPPING_RANDOM, UINT32_MAX},
              .guarded = true,
              .suite = "a-suite-of-some",
              .digest = "0123456789abcdef"},
};
static const struct trial plain_block = {
    .footprint = {.local_size = 1},
    .kind = TRIAL_PROGRESS,
    .groups = 2,
    .rounds = 1,
    .repeats = 1,
    .block = {.suite = "quick", .digest = "fedcba9876543210"},
};

/* One that always ended, one that stalled, one that was cut, and one of as many threads as there can be. */
static const struct store_test tests[] = {
    {mutex, {.test = 0, .ran = 20, .duration_ns = UINT64_MAX}},
    {"0,0,1,1|0,0,-,0|1,0,-,0",
     {.test = 1,
      .ran = 19,
      .stalled = 2,
      .undecided = 1,
      .confirmed = true,
      .duration_ns = 3,
      .stall_ns = UINT64_C(1) << 63,
      .state = {.groups = 8448,
                .started = 4224,
                .ended = 1,
                .stuck = 2112,
                .instance = 7,
                .threads_started = 2,
                .threads_ended = 1,
                .memory = 3,
                .position = {0, 255},
                .starved = true}}},
    {mutex, {.test = 5, .ran = 20, .cut = true}},
    {"0|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15",
     {.test = 127,
      .undecided = UINT32_MAX,
      .state = {.groups = UINT32_MAX,
                .threads_started = UINT16_MAX,
                .threads_ended = 0x8000,
                .memory = UINT8_MAX,
                .position = {255, 254, 253, 252, 251, 250, 249, 248, 247, 246, 245, 244, 243, 242, 241, 240}}}},
};
enum { TESTS = sizeof tests / sizeof *tests };

static const struct store_launch block_ended = {
    .observation = {.outcome = OUTCOME_ENDED, .groups = 8448, .waitfor = WAITFOR_NOTHING, .duration_ns = 9},
    .verdict = VERDICT_PASS};

static void end_with(struct store *store, int64_t row, const struct store_test *told, uint32_t count)
{
    const struct store_end end = {
        .launches = &block_ended, .count = 1, .tests = told, .test_count = count, .duration_ns = 5, .note = ""};
    ck_assert_msg(store_end_trial(store, row, &end, &error) == 0, "%s", error.text);
}

/* A file with one block that has ended; the id of its device. */
static struct store *with_block(const struct trial *trial, int64_t *device)
{
    struct store *store = create();
    *device = add_device(store);
    end_with(store, begin(store, *device, 0, trial), tests, TESTS);
    return store;
}

/* --- what comes back --- */

START_TEST(block_comes_back)
{
    struct seen seen;
    struct store *store = create();
    const int64_t device = add_device(store);

    begin(store, device, 0, &random_block);
    begin(store, device, 0, &plain_block);
    begin(store, device, 0, &barrier);
    store = reopen(store);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 3);
    ck_assert_mem_eq(&seen.trials[0].trial, &random_block, sizeof random_block);
    ck_assert_mem_eq(&seen.trials[1].trial, &plain_block, sizeof plain_block);
    ck_assert_mem_eq(&seen.trials[2].trial, &barrier, sizeof barrier);
    ck_assert_str_eq(seen.trials[0].name,
                     "progress/a-suite-of-some/random-s4294967295/compiled-guarded/l32/g8448/i20/0123456789abcdef#0");
    ck_assert_uint_eq(seen.trials[0].test_count, 0);
    store_close(store);

    ck_assert_str_eq(query("SELECT printf('%s %s %d %d %s', engine, mapping, mapping_seed, guarded, suite) FROM trial"
                           " WHERE id = 1"),
                     "compiled random 4294967295 1 a-suite-of-some");
    ck_assert_str_eq(query("SELECT printf('%s %s %d %s %s', engine, mapping, guarded, suite, digest) FROM trial"
                           " WHERE id = 2 AND mapping_seed IS NULL"),
                     "table plain 0 quick fedcba9876543210");
    ck_assert_str_eq(query("SELECT coalesce(engine, mapping, mapping_seed, guarded, suite, digest) FROM trial"
                           " WHERE id = 3"),
                     "NULL");
}
END_TEST

START_TEST(seed_0_of_a_mapping_by_lot_is_a_seed)
{
    struct trial trial = random_block;
    struct store *store = create();

    trial.block.mapping = (struct mapping){MAPPING_SHUFFLED, 0};
    begin(store, add_device(store), 0, &trial);
    store_close(store);
    ck_assert_str_eq(query("SELECT mapping || mapping_seed FROM trial"), "shuffled0");
}
END_TEST

static int compare_tests(void *context, const struct store_trial *trial)
{
    int *calls = context;

    ck_assert_uint_eq(trial->test_count, TESTS);
    for (size_t i = 0; i < TESTS; ++i) {
        ck_assert_str_eq(trial->tests[i].program, tests[i].program);
        ck_assert_mem_eq(&trial->tests[i].outcome, &tests[i].outcome, sizeof tests[i].outcome);
    }
    ck_assert(trial->ended);
    ck_assert_int_eq(trial->launches[0].verdict, VERDICT_PASS);
    ck_assert_int_eq(trial->launches[0].observation.outcome, OUTCOME_ENDED);
    *calls += 1;
    return 0;
}

START_TEST(tests_come_back_with_all_that_they_came_to)
{
    int64_t device;
    int calls = 0;
    struct store *store = reopen(with_block(&random_block, &device));

    ck_assert_msg(
        store_each_trial(store, &(struct store_walk){device, 0, .take = compare_tests, .context = &calls}, &error) == 0,
        "%s", error.text);
    ck_assert_int_eq(calls, 1);
    store_close(store);

    ck_assert_str_eq(query("SELECT group_concat(test || ':' || ifnull(positions, 'NULL'), '; ') FROM"
                           " (SELECT * FROM litmus ORDER BY test)"),
                     "0:NULL; 1:- 255 -; 5:NULL; 127:255 254 253 252 251 250 249 248 247 246 245 244 243 242 241 240");
    ck_assert_str_eq(query("SELECT coalesce(stall_ns, groups, started, ended, stuck, instance, threads_started,"
                           " threads_ended, memory, positions, starved) FROM litmus WHERE test = 0"),
                     "NULL");
    ck_assert_str_eq(query("SELECT program FROM litmus WHERE test = 5"), mutex);
    ck_assert_str_eq(query("SELECT printf('%d %d %d %d %d', ran, stalled, undecided, confirmed, cut) FROM litmus"
                           " WHERE test = 1"),
                     "19 2 1 1 0");
}
END_TEST

START_TEST(each_block_has_its_own_tests)
{
    struct seen seen;
    int64_t device;
    struct store *store = with_block(&random_block, &device);

    end_with(store, begin(store, device, 1, &random_block), tests, 1);
    end_with(store, begin(store, device, 2, &random_block), NULL, 0);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 3);
    ck_assert_uint_eq(seen.trials[0].test_count, TESTS);
    ck_assert_uint_eq(seen.trials[1].test_count, 1);
    ck_assert_uint_eq(seen.trials[2].test_count, 0);
    store_close(store);
}
END_TEST

START_TEST(a_scan_leaves_tests_out)
{
    struct seen seen = {.count = 0};
    int64_t device;
    struct store *store = with_block(&random_block, &device);

    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, 0, .quick = true, .take = take_trial, .context = &seen},
                         &error),
        0);
    ck_assert_int_eq(seen.count, 1);
    ck_assert_int_eq(seen.trials[0].trial.kind, TRIAL_PROGRESS);
    ck_assert_uint_eq(seen.trials[0].test_count, 0);
    ck_assert_ptr_null(seen.trials[0].tests);
    store_close(store);
}
END_TEST

/* --- all or nothing --- */

START_TEST(end_with_a_test_twice_leaves_nothing)
{
    const struct store_test twice[] = {tests[0], tests[1], tests[0]};
    const struct store_end end = {.launches = &block_ended, .count = 1, .tests = twice, .test_count = 3, .note = ""};
    struct store *store = create();
    const int64_t row = begin(store, add_device(store), 0, &random_block);

    ck_assert_int_eq(store_end_trial(store, row, &end, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_str_eq(query("SELECT count(duration_ns) FROM trial"), "0");
    ck_assert_str_eq(query("SELECT (SELECT count(*) FROM observation) + (SELECT count(*) FROM litmus)"), "0");
    end_with(store, row, twice, 2);
    store_close(store);
    ck_assert_str_eq(query("SELECT count(*) FROM litmus"), "2");
}
END_TEST

START_TEST(reopened_block_has_no_tests)
{
    int64_t device;
    struct store *store = with_block(&random_block, &device);
    const int64_t other = begin(store, device, 1, &random_block);

    end_with(store, other, tests, 2);
    ck_assert_msg(store_reopen_trial(store, other, &error) == 0, "%s", error.text);
    ck_assert_str_eq(query("SELECT group_concat(DISTINCT trial) || ':' || count(*) FROM litmus"), "1:4");
    end_with(store, other, tests, 1);
    ck_assert_str_eq(query("SELECT count(*) FROM litmus"), "5");
    store_close(store);
}
END_TEST

/* --- what no version writes --- */

static const struct spoiler spoilers[] = {
    {"UPDATE trial SET engine = 'steam'", "engine"},
    {"UPDATE trial SET mapping = ''", "mapping"},
    {"UPDATE trial SET mapping_seed = -1", "mapping_seed"},
    {"UPDATE trial SET suite = 'a-suite-beyond-it'", "suite"},
    {"UPDATE litmus SET ran = 4294967296", "ran"},
    {"UPDATE litmus SET cut = 2", "cut"},
    {"UPDATE litmus SET memory = 256 WHERE memory IS NOT NULL", "memory"},
    {"UPDATE litmus SET threads_ended = 65536 WHERE memory IS NOT NULL", "threads_ended"},
    {"UPDATE litmus SET threads_ended = -1 WHERE memory IS NOT NULL", "threads_ended"},
    {"UPDATE litmus SET positions = '- 256 -' WHERE test = 1", "positions"},
    {"UPDATE litmus SET positions = '- -1 -' WHERE test = 1", "positions"},
    {"UPDATE litmus SET positions = '0 255 -' WHERE test = 1", "positions"},
    {"UPDATE litmus SET positions = '- - -' WHERE test = 1", "positions"},
    {"UPDATE litmus SET positions = '- 255x -' WHERE test = 1", "positions"},
    {"UPDATE litmus SET positions = '- 0255555555555555555555555 -' WHERE test = 1", "positions"},
    {"UPDATE litmus SET positions = '- 255 - - - - - - - - - - - - - - -' WHERE test = 1", "positions"},
    {"UPDATE litmus SET positions = printf('%065d', 0) WHERE test = 1", "positions"},
};

START_TEST(spoilt_values_are_refused)
{
    int64_t device;
    struct store *store = with_block(&random_block, &device);

    assert_spoilt(store, device, &spoilers[_i]);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, block_comes_back);
    tcase_add_test(cases, seed_0_of_a_mapping_by_lot_is_a_seed);
    tcase_add_test(cases, tests_come_back_with_all_that_they_came_to);
    tcase_add_test(cases, each_block_has_its_own_tests);
    tcase_add_test(cases, a_scan_leaves_tests_out);
    tcase_add_test(cases, end_with_a_test_twice_leaves_nothing);
    tcase_add_test(cases, reopened_block_has_no_tests);
    tcase_add_loop_test(cases, spoilt_values_are_refused, 0, (int)(sizeof spoilers / sizeof *spoilers));
}

int main(void)
{
    return fixture_run("store blocks", add_tests);
}
