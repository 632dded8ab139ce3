/* Merged run files have the blocks of all, and two runs of one block are compared test by test. */
#include "merge_fixture.h"

/* What tests came to. */
static const struct test_outcome always_ended = {.ran = 20, .duration_ns = 1};
static const struct test_outcome never_ran = {.ran = 0};
static const struct test_outcome was_undecided = {
    .ran = 19, .undecided = 1, .state = {.groups = 64, .threads_started = 2, .position = {0, 1}}};
static const struct test_outcome was_cut = {.ran = 20, .cut = true};
static const struct test_outcome stalled_once = {.ran = 20,
                                                 .stalled = 1,
                                                 .confirmed = true,
                                                 .stall_ns = 9,
                                                 .state = {.groups = 64, .threads_started = 3, .position = {1, 2}}};
static const struct test_outcome stalled_often = {.ran = 20,
                                                  .stalled = 19,
                                                  .confirmed = true,
                                                  .stall_ns = 8,
                                                  .state = {.groups = 64, .threads_started = 1, .starved = true}};
static const struct test_outcome always_stalled = {.ran = 20, .stalled = 20, .confirmed = true};
static const struct test_outcome was_suspected = {.ran = 20, .stalled = 1};

static int64_t begin_block(struct store *store, int64_t device, const char *suite, uint32_t position)
{
    const struct store_prediction prediction = {.position = position};
    struct trial trial = {.footprint = {.local_size = 32},
                          .kind = TRIAL_PROGRESS,
                          .groups = 64,
                          .rounds = 1,
                          .repeats = 20,
                          .block = {.digest = "0123456789abcdef", .mapping = {MAPPING_RANDOM, 7}, .guarded = true}};
    int64_t row = 0;

    snprintf(trial.block.suite, sizeof trial.block.suite, "%s", suite);
    ck_assert_msg(store_begin_trial(store, device, 0, &trial, &prediction, &row, &error) == 0, "%s", error.text);
    return row;
}

/* The tests, each of which came to one of these; they end with NULL. */
static void end_block(struct store *store, int64_t row, const struct test_outcome *const *outcomes,
                      uint64_t duration_ns)
{
    const struct store_launch launch = {
        .observation = {.outcome = OUTCOME_ENDED, .groups = 64, .waitfor = WAITFOR_NOTHING, .duration_ns = 1},
        .verdict = VERDICT_PASS};
    struct store_test tests[16];
    struct store_end end = {.launches = &launch, .count = 1, .tests = tests, .duration_ns = duration_ns, .note = ""};

    for (; outcomes[end.test_count] != NULL; ++end.test_count) {
        tests[end.test_count] = (struct store_test){"0,0,1,1|0,0,-,0", *outcomes[end.test_count]};
        tests[end.test_count].outcome.test = end.test_count;
    }
    ck_assert_msg(store_end_trial(store, row, &end, &error) == 0, "%s", error.text);
}

static void make_block(char letter, const struct test_outcome *const *outcomes, uint64_t duration_ns)
{
    struct store *store = create_run(letter, 0, 0);
    const int64_t row = begin_block(store, add_driver(store, "1", false, 0), "quick", 0);
    if (outcomes != NULL)
        end_block(store, row, outcomes, duration_ns);
    store_close(store);
}

#define OUTCOMES(...)                                                                                                  \
    (const struct test_outcome *const[])                                                                               \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }
#define NAME "progress/quick/random-s7/table-guarded/l32/g64/i20/0123456789abcdef#0"

START_TEST(shards_of_a_suite_become_one)
{
    for (uint32_t shard = 0; shard < 2; ++shard) {
        struct store *store = create_run((char)('a' + shard), shard, 2);
        const int64_t device = add_driver(store, "1", false, 0);
        /* In neither file they stand where they will. */
        end_block(store, begin_block(store, device, shard == 0 ? "limit" : "quick", 3 - shard),
                  OUTCOMES(&stalled_often, &was_cut), 10);
        end_block(store, begin_block(store, device, shard == 0 ? "full" : "other", 1 - shard),
                  OUTCOMES(&always_ended, &was_undecided, &never_ran), 20);
        store_close(store);
    }
    const struct merge_summary summary = merge("ab", 'm', NULL);
    ck_assert_uint_eq(summary.trials, 4);
    ck_assert_uint_eq(summary.twice + summary.conflicts, 0);
    ck_assert_str_eq(query("SELECT group_concat(suite || ':' || tests, ' ') FROM (SELECT suite, (SELECT count(*) FROM"
                           " litmus l WHERE l.trial = t.id) AS tests FROM trial t ORDER BY t.id)"),
                     "other:3 full:3 quick:2 limit:2");
    merge("ba", 'n', NULL);
    assert_same_contents('m', 'n');
}
END_TEST

static int compare_stalled(void *context, const struct store_trial *trial)
{
    struct test_outcome wanted = stalled_often;

    (void)context;
    wanted.test = 1;
    ck_assert_uint_eq(trial->test_count, 2);
    ck_assert_mem_eq(&trial->tests[1].outcome, &wanted, sizeof wanted);
    ck_assert_int_eq(trial->trial.block.mapping.kind, MAPPING_RANDOM);
    ck_assert(trial->trial.block.guarded);
    return 42;
}

START_TEST(what_a_test_came_to_is_not_changed)
{
    struct store *store = NULL;

    make_block('a', OUTCOMES(&always_ended, &stalled_often), 10);
    merge("a", 'm', NULL);
    ck_assert_int_eq(store_open(path, &store, &error), 0);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){1, 0, .take = compare_stalled, .context = NULL}, &error), 42);
    store_close(store);
}
END_TEST

/* Merges both in either order, and gives what conflicts they have. */
static const char *conflicts_of(const struct test_outcome *const *kept, const struct test_outcome *const *other,
                                struct merge_summary *summary)
{
    static struct conflicts conflicts;
    struct conflicts turned;

    make_block('a', kept, 10);
    make_block('b', other, 20);
    *summary = merge("ab", 'm', &conflicts);
    merge("ba", 'n', &turned);
    ck_assert_str_eq(conflicts.text, turned.text);
    assert_same_contents('m', 'n');
    ck_assert_str_eq(query("SELECT duration_ns FROM trial"), "10");
    ck_assert_uint_eq(summary->trials, 1);
    return conflicts.text;
}

START_TEST(how_often_a_test_stalled_is_no_conflict)
{
    struct merge_summary summary;

    ck_assert_str_eq(
        conflicts_of(OUTCOMES(&stalled_once, &always_ended), OUTCOMES(&stalled_often, &always_ended), &summary), "");
    ck_assert_uint_eq(summary.conflicts, 0);
    ck_assert_uint_eq(summary.twice, 1);
}
END_TEST

START_TEST(tests_that_came_to_something_else_are_named)
{
    struct merge_summary summary;

    ck_assert_str_eq(conflicts_of(OUTCOMES(&always_ended, &always_ended, &stalled_once, &always_ended),
                                  OUTCOMES(&always_ended, &stalled_often, &always_stalled, &was_undecided), &summary),
                     NAME ", test 1: ended, ended stalled; " NAME ", test 2: ended stalled, stalled; " NAME
                          ", test 3: ended, ended undecided; ");
    ck_assert_uint_eq(summary.conflicts, 3);
    ck_assert_uint_eq(summary.twice, 0);
}
END_TEST

START_TEST(a_stall_that_was_not_confirmed_is_another)
{
    struct merge_summary summary;

    ck_assert_str_eq(conflicts_of(OUTCOMES(&was_suspected, &was_cut), OUTCOMES(&stalled_once, &always_ended), &summary),
                     NAME ", test 0: ended suspected, ended stalled; " NAME ", test 1: ended cut, ended; ");
}
END_TEST

START_TEST(a_test_that_only_one_ran_is_no_conflict)
{
    struct merge_summary summary;

    ck_assert_str_eq(conflicts_of(OUTCOMES(&always_ended, &never_ran),
                                  OUTCOMES(&always_ended, &stalled_once, &always_stalled), &summary),
                     "");
    ck_assert_uint_eq(summary.twice, 1);
}
END_TEST

START_TEST(a_block_that_did_not_end_is_none)
{
    struct conflicts conflicts;

    make_block('a', NULL, 0);
    make_block('b', OUTCOMES(&stalled_once), 10);
    make_block('c', NULL, 0);
    const struct merge_summary summary = merge("abc", 'm', &conflicts);
    ck_assert_str_eq(conflicts.text, "");
    ck_assert_uint_eq(summary.twice, 2);
    ck_assert_str_eq(query("SELECT count(*) FROM litmus"), "1");
}
END_TEST

START_TEST(several_of_one_mind_are_named_once)
{
    struct conflicts conflicts;

    make_block('a', OUTCOMES(&always_ended), 10);
    make_block('b', OUTCOMES(&stalled_once), 20);
    make_block('c', OUTCOMES(&stalled_often), 30);
    make_block('d', OUTCOMES(&always_ended), 40);
    const struct merge_summary summary = merge("dabc", 'm', &conflicts);
    ck_assert_str_eq(conflicts.text, NAME ", test 0: ended, ended stalled; ");
    ck_assert_uint_eq(summary.conflicts, 1);
    ck_assert_uint_eq(summary.twice, 1);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, shards_of_a_suite_become_one);
    tcase_add_test(tests, what_a_test_came_to_is_not_changed);
    tcase_add_test(tests, how_often_a_test_stalled_is_no_conflict);
    tcase_add_test(tests, tests_that_came_to_something_else_are_named);
    tcase_add_test(tests, a_stall_that_was_not_confirmed_is_another);
    tcase_add_test(tests, a_test_that_only_one_ran_is_no_conflict);
    tcase_add_test(tests, a_block_that_did_not_end_is_none);
    tcase_add_test(tests, several_of_one_mind_are_named_once);
}

int main(void)
{
    return fixture_run("merge blocks", add_tests);
}
