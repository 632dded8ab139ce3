/* The union of run files does not depend on how it is made. */
#include "merge_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>

/* --- the story of most tests --- */

/* Two shards of one run, each with a census of its own, and an older run of one of the points with another driver. */
static void make_three(void)
{
    struct store *store = create_run('a', 0, 2);
    int64_t device = add_driver(store, "1", false, 30);
    const struct store_source source = {.name = "mine.ini", .digest = "0123456789abcdef"};

    ck_assert_int_eq(store_add_source(store, &source, &error), 0);
    end_point(store, begin_point(store, device, 0, 0, 128, 5), &passed, 3, 100);
    end_point(store, begin_point(store, device, 1, 0, 1, 6), &passed, 3, 101);
    end_point(store, begin_point(store, device, 3, 0, 3, 7), &starved, 2, 102);
    begin_point(store, device, 4, 0, 4, 8);
    store_close(store);

    store = create_run('b', 1, 2);
    device = add_driver(store, "1", false, 20);
    ck_assert_int_eq(store_add_source(store, &source, &error), 0);
    end_point(store, begin_point(store, device, 0, 0, 128, 9), &passed, 4, 90);
    end_point(store, begin_point(store, device, 2, 0, 2, 10), &passed, 3, 103);
    end_point(store, begin_point(store, device, 2, 1, 2, 10), &passed, 3, 104);
    begin_point(store, device, 4, 0, 4, 9);
    store_close(store);

    store = create_run('c', 0, 0);
    device = add_driver(store, "0", true, 10);
    end_point(store, begin_point(store, device, 1, 0, 1, 6), &crashed, 1, 99);
    store_close(store);
}

static const char all_trials[] =
    "SELECT group_concat(x, ' ') FROM (SELECT driver_version || ':' || position || ':' || groups || '#' || sequence ||"
    " ':' || ifnull(duration_ns, 'begun') AS x FROM trial t JOIN device d ON d.id = t.device ORDER BY t.id)";

START_TEST(union_has_each_run_device_and_trial_once)
{
    make_three();
    const struct merge_summary summary = merge("abc", 'm', NULL);
    ck_assert_uint_eq(summary.runs, 3);
    ck_assert_uint_eq(summary.trials, 7);
    ck_assert_uint_eq(summary.twice, 2); /* the census, and the point that neither ended */
    ck_assert_uint_eq(summary.conflicts, 0);
    ck_assert_str_eq(query(all_trials), "0:1:1#0:99 1:0:128#0:90 1:1:1#0:101 1:2:2#0:103 1:2:2#1:104 1:3:3#0:102"
                                        " 1:4:4#0:begun");
    ck_assert_str_eq(query("SELECT count(*) FROM observation"), "16");
    ck_assert_str_eq(query("SELECT count(*) FROM verdict"), "16");
    ck_assert_str_eq(query("SELECT count(board) FROM observation"), "6");
    ck_assert_str_eq(query("SELECT group_concat(name || digest) FROM source"), "mine.ini0123456789abcdef");
    ck_assert_str_eq(query("SELECT group_concat(shard || '/' || shards) FROM run"), "0/2,1/2");
}
END_TEST

START_TEST(what_a_launch_showed_is_not_changed)
{
    struct seen seen;
    struct store *store = NULL;

    make_three();
    merge("ba", 'm', NULL);
    ck_assert_int_eq(store_open(path, &store, &error), 0);
    memset(&seen, 0, sizeof seen);
    seen.stop_at = 1;
    ck_assert_int_eq(store_each_trial(store, &(struct store_walk){1, 4, .take = take_trial, .context = &seen}, &error),
                     42);
    ck_assert_str_eq(seen.trials[0].name, "some_scenario/none/l1/g3#0");
    ck_assert_uint_eq(seen.trials[0].count, 2);
    ck_assert_mem_eq(&seen.launches[1].observation, &starved.observation, sizeof starved.observation);
    ck_assert_int_eq(seen.launches[1].verdict, VERDICT_STARVED);
    ck_assert_uint_eq(seen.trials[0].board_words, 3);
    ck_assert_uint_eq(seen.board[2], 3);
    ck_assert_uint_eq(seen.trials[0].samples_words, 2);
    ck_assert_uint_eq(seen.samples[1], seen.board[1]);
    ck_assert_uint_eq(seen.trials[0].prediction.position, 3);
    free(seen.board);
    store_close(store);
}
END_TEST

START_TEST(order_makes_no_difference)
{
    static const char *const orders[] = {"acb", "bac", "bca", "cab", "cba", "abcabc", "ccbbaa"};

    make_three();
    merge("abc", 'm', NULL);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; ++i) {
        merge(orders[i], (char)('n' + i), NULL);
        assert_same_contents('m', (char)('n' + i));
    }
}
END_TEST

START_TEST(neither_does_merging_merged_files)
{
    make_three();
    merge("abc", 'm', NULL);
    merge("ab", 'n', NULL);
    merge("nc", 'o', NULL);
    assert_same_contents('m', 'o');
    merge("cb", 'p', NULL);
    merge("ap", 'q', NULL);
    assert_same_contents('m', 'q');
    merge("m", 'r', NULL);
    assert_same_contents('m', 'r');
    merge("onmabc", 's', NULL);
    assert_same_contents('m', 's');
}
END_TEST

/* The limits of one footprint are all in one file, and in the order in which the search asked for them. */
START_TEST(trials_of_a_search_stay_in_their_order)
{
    static const uint32_t counts[2][3] = {{8, 2, 4}, {3, 9, 1}};

    for (uint32_t i = 0; i < 2; ++i) {
        struct store *store = create_run((char)('a' + i), i, 2);
        const int64_t device = add_driver(store, "1", false, 0);
        const struct store_prediction prediction = {.position = 1 - i};
        for (int j = 0; j < 3; ++j) {
            struct trial trial = barrier;
            int64_t row;
            trial.footprint.local_size = i + 1;
            trial.groups = counts[i][j];
            ck_assert_int_eq(store_begin_trial(store, device, 0, &trial, &prediction, &row, &error), 0);
        }
        store_close(store);
    }
    merge("ab", 'm', NULL);
    ck_assert_str_eq(query("SELECT group_concat(groups) FROM (SELECT groups FROM trial ORDER BY id)"), "3,9,1,8,2,4");
    merge("ba", 'n', NULL);
    assert_same_contents('m', 'n');
}
END_TEST

/* --- the same trial in several files --- */

static void make_one(char letter, const struct store_launch *launch, uint32_t count, uint64_t duration_ns,
                     uint64_t gap_ns)
{
    struct store *store = create_run(letter, 0, 0);
    const int64_t device = add_driver(store, "1", false, 0);
    const int64_t row = begin_point(store, device, 0, 0, 1, gap_ns);

    if (launch != NULL)
        end_point(store, row, launch, count, duration_ns);
    store_close(store);
}

START_TEST(ended_wins_over_begun)
{
    struct conflicts conflicts;

    make_one('a', NULL, 0, 0, 1);
    make_one('b', &passed, 3, 50, 1);
    for (int i = 0; i < 2; ++i) {
        const struct merge_summary summary = merge(i == 0 ? "ab" : "ba", (char)('m' + i), &conflicts);
        ck_assert_uint_eq(summary.trials, 1);
        ck_assert_uint_eq(summary.conflicts, 0);
        ck_assert_str_eq(conflicts.text, "");
        ck_assert_str_eq(query("SELECT duration_ns FROM trial"), "50");
    }
    assert_same_contents('m', 'n');
}
END_TEST

START_TEST(shorter_of_two_is_kept)
{
    make_one('a', &passed, 3, 60, 1);
    make_one('b', &passed, 3, 50, 1);
    make_one('c', &passed, 3, 70, 1);
    merge("abc", 'm', NULL);
    ck_assert_str_eq(query("SELECT duration_ns FROM trial"), "50");
    merge("cba", 'n', NULL);
    assert_same_contents('m', 'n');
}
END_TEST

START_TEST(conflict_is_named)
{
    struct conflicts conflicts;

    make_one('a', &starved, 2, 60, 1);
    make_one('b', &passed, 3, 50, 1);
    make_one('c', &passed, 3, 70, 1);
    const struct merge_summary summary = merge("abc", 'm', &conflicts);
    ck_assert_uint_eq(summary.conflicts, 1);
    ck_assert_uint_eq(summary.twice, 1);
    ck_assert_str_eq(conflicts.text, "some_scenario/none/l1/g1#0: pass, starved; ");
    merge("cba", 'n', &conflicts);
    ck_assert_str_eq(conflicts.text, "some_scenario/none/l1/g1#0: pass, starved; ");
    assert_same_contents('m', 'n');
}
END_TEST

static void make_source(char letter, const char *digest)
{
    struct store *store = create_run(letter, 0, 0);
    struct store_source source = {.name = "mine.ini"};

    snprintf(source.digest, sizeof source.digest, "%s", digest);
    ck_assert_int_eq(store_add_source(store, &source, &error), 0);
    end_point(store, begin_point(store, add_driver(store, "1", false, 30), 0, 0, 1, 6), &passed, 3, 101);
    store_close(store);
}

START_TEST(sources_that_differ_are_a_conflict)
{
    static const char wanted[] = "digest of mine.ini: 0000000000000001, 0000000000000002; ";
    struct conflicts conflicts;

    make_source('a', "0000000000000002");
    make_source('b', "0000000000000001");
    make_source('c', "0000000000000002");
    const struct merge_summary summary = merge("abc", 'm', &conflicts);
    ck_assert_uint_eq(summary.conflicts, 1);
    ck_assert_uint_eq(summary.trials, 1);
    ck_assert_uint_eq(summary.twice, 2);
    ck_assert_str_eq(conflicts.text, wanted);
    merge("cba", 'n', &conflicts);
    ck_assert_str_eq(conflicts.text, wanted);
    assert_same_contents('m', 'n');
}
END_TEST

START_TEST(sources_that_are_the_same_are_none)
{
    struct conflicts conflicts;

    make_source('a', "0000000000000002");
    make_source('b', "0000000000000002");
    ck_assert_uint_eq(merge("ab", 'm', &conflicts).conflicts, 0);
    ck_assert_str_eq(conflicts.text, "");
}
END_TEST

START_TEST(more_launches_with_the_same_verdict_are_no_conflict)
{
    struct conflicts conflicts;

    make_one('a', &passed, 3, 60, 1);
    make_one('b', &passed, 4, 50, 1);
    ck_assert_uint_eq(merge("ab", 'm', &conflicts).conflicts, 0);
    ck_assert_str_eq(conflicts.text, "");
}
END_TEST

/* They differ in what they were begun with, so it matters which one is kept. */
START_TEST(of_two_that_did_not_end_the_same_is_kept_in_any_order)
{
    make_one('a', NULL, 0, 0, 7);
    make_one('b', NULL, 0, 0, 5);
    merge("ab", 'm', NULL);
    merge("ba", 'n', NULL);
    assert_same_contents('m', 'n');
}
END_TEST

/* --- devices --- */

START_TEST(drivers_of_one_device_stay_apart)
{
    make_three();
    merge("abc", 'm', NULL);
    ck_assert_str_eq(query("SELECT group_concat(driver_version || ':' || poll_ps) FROM device"), "0:10,1:20");
}
END_TEST

/* Of two that are alike but for what was probed, one is kept; which, must not depend on the order. */
START_TEST(device_that_was_probed_twice_is_one)
{
    for (int i = 0; i < 2; ++i) {
        struct store *store = create_run((char)('a' + i), 0, 0);
        struct store_device device = {.info = {.name = "some device"}, .settings = {.confirm_ns = (uint64_t)(9 - i)}};
        ck_assert_int_eq(store_add_device(store, &device, &error), 0);
        begin_point(store, device.id, 0, 0, (uint32_t)i + 1, 0);
        store_close(store);
    }
    merge("ab", 'm', NULL);
    ck_assert_str_eq(query("SELECT count(*) FROM device"), "1");
    ck_assert_str_eq(query("SELECT count(*) FROM trial WHERE device = 1"), "2");
    merge("ba", 'n', NULL);
    assert_same_contents('m', 'n');
}
END_TEST

START_TEST(wedged_in_one_file_is_wedged)
{
    for (int i = 0; i < 2; ++i) {
        struct store *store = create_run((char)('a' + i), 0, 0);
        add_driver(store, "1", i == 1, (uint64_t)(10 + i));
        store_close(store);
    }
    merge("ab", 'm', NULL);
    ck_assert_str_eq(query("SELECT wedged || ':' || poll_ps FROM device"), "1:10");
    merge("ba", 'n', NULL);
    assert_same_contents('m', 'n');
}
END_TEST

/* --- refusals --- */

static size_t count_entries(void)
{
    DIR *entries = opendir(folder);
    size_t count = 0;

    ck_assert_ptr_nonnull(entries);
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries))
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

/* Nothing of the failed merge is left. */
static void assert_refused(const char *letters, const char *named, const char *why)
{
    struct conflicts conflicts = {""};
    struct merge_summary summary;
    char *files[FILES_MOST];
    const size_t before = count_entries();

    for (size_t i = 0; letters[i] != '\0'; ++i)
        files[i] = (char *)file(letters[i]);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(merge_files(file('m'), files, strlen(letters), MERGE_BOARDS_ALL, &summary,
                                 &(struct merge_teller){note_conflict, &conflicts}, &error),
                     -1);
    ck_assert_msg(error.status == STATUS_USAGE, "%d: %s", (int)error.status, error.text);
    ck_assert_msg(strstr(error.text, named) != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, why) != NULL, "%s", error.text);
    ck_assert_uint_eq(count_entries(), before);
    ck_assert_str_eq(conflicts.text, "");
}

static void write_text(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_ge(fputs(text, out), 0);
    ck_assert_int_eq(fclose(out), 0);
}

START_TEST(what_is_no_run_file_of_this_schema_is_refused)
{
    make_three();
    assert_refused("abz", file('z'), "No such file");
    write_text(file('z'), "This is some text, long enough that SQLite cannot take it for the header of a file of its "
                          "own, which has a hundred bytes.\n");
    assert_refused("az", file('z'), "not a run file");
    look_at(file('b'));
    ck_assert_int_eq(execute("PRAGMA user_version = 999"), SQLITE_OK);
    assert_refused("acb", file('b'), "schema version 999");
}
END_TEST

START_TEST(existing_output_is_kept)
{
    make_three();
    write_text(file('m'), "precious");
    assert_refused("abc", file('m'), "exists");
    FILE *in = fopen(file('m'), "r");
    char text[16] = "";
    ck_assert_ptr_nonnull(fgets(text, sizeof text, in));
    fclose(in);
    ck_assert_str_eq(text, "precious");
}
END_TEST

START_TEST(inputs_stay_as_they_are)
{
    struct stat before, after;

    make_three();
    ck_assert_int_eq(stat(file('a'), &before), 0);
    merge("abc", 'm', NULL);
    ck_assert_int_eq(stat(file('a'), &after), 0);
    ck_assert_int_eq(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    ck_assert_int_eq(before.st_size, after.st_size);
    ck_assert_uint_eq(count_entries(), 4);
}
END_TEST

/* Names that would mean something to SQLite, in the folder in which the merge is made. */
START_TEST(special_and_relative_names_are_files)
{
    struct conflicts conflicts = {""};
    struct merge_summary summary;
    char *files[] = {"file:a?mode=memory", "it's b"};
    const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    make_three();
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(rename("a.run", files[0]), 0);
    ck_assert_int_eq(rename("b.run", files[1]), 0);
    ck_assert_msg(merge_files(":memory:", files, 2, MERGE_BOARDS_ALL, &summary,
                              &(struct merge_teller){note_conflict, &conflicts}, &error) == 0,
                  "%s", error.text);
    ck_assert_int_eq(access(":memory:", F_OK), 0);
    ck_assert_uint_eq(summary.trials, 6);
    ck_assert_int_eq(fchdir(here), 0);
    close(here);
}
END_TEST

/* --- by lot --- */

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

/* A run of some of twenty points; in two files they may be the same, other, or have not ended. */
static void draw_file(char letter, uint64_t *state)
{
    static const struct store_launch *const launches[] = {&passed, &starved, &crashed};
    struct store *store = create_run(letter, 0, 0);
    char driver[2] = "0";

    for (uint32_t drivers = draw(state, 3); drivers > 0; --drivers) {
        driver[0] = (char)('0' + drivers);
        const int64_t device = add_driver(store, driver, draw(state, 4) == 0, draw(state, 3));
        for (uint32_t position = draw(state, 6); position < 20; position += 1 + draw(state, 4)) {
            const int64_t row = begin_point(store, device, position, 0, position + 1, draw(state, 3));
            if (draw(state, 4) != 0)
                end_point(store, row, launches[draw(state, 12) == 0 ? 1 + draw(state, 2) : 0], 1 + draw(state, 4),
                          1 + (uint64_t)draw(state, 1u << 30));
        }
    }
    store_close(store);
}

START_TEST(any_files_in_any_order_and_grouping_give_the_same)
{
    struct conflicts first, other;
    uint64_t state = (uint64_t)_i;

    for (char letter = 'a'; letter < 'e'; ++letter)
        draw_file(letter, &state);
    merge("abcd", 'm', &first);
    merge("dbca", 'n', &other);
    ck_assert_str_eq(first.text, other.text);
    assert_same_contents('m', 'n');
    merge("cad", 'o', NULL);
    merge("bo", 'p', NULL);
    assert_same_contents('m', 'p');
    merge("ad", 'q', NULL);
    merge("cb", 'r', NULL);
    merge("rq", 's', NULL);
    assert_same_contents('m', 's');
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, union_has_each_run_device_and_trial_once);
    tcase_add_test(tests, what_a_launch_showed_is_not_changed);
    tcase_add_test(tests, order_makes_no_difference);
    tcase_add_test(tests, neither_does_merging_merged_files);
    tcase_add_test(tests, trials_of_a_search_stay_in_their_order);
    tcase_add_test(tests, ended_wins_over_begun);
    tcase_add_test(tests, shorter_of_two_is_kept);
    tcase_add_test(tests, conflict_is_named);
    tcase_add_test(tests, sources_that_differ_are_a_conflict);
    tcase_add_test(tests, sources_that_are_the_same_are_none);
    tcase_add_test(tests, more_launches_with_the_same_verdict_are_no_conflict);
    tcase_add_test(tests, of_two_that_did_not_end_the_same_is_kept_in_any_order);
    tcase_add_test(tests, drivers_of_one_device_stay_apart);
    tcase_add_test(tests, device_that_was_probed_twice_is_one);
    tcase_add_test(tests, wedged_in_one_file_is_wedged);
    tcase_add_test(tests, what_is_no_run_file_of_this_schema_is_refused);
    tcase_add_test(tests, existing_output_is_kept);
    tcase_add_test(tests, inputs_stay_as_they_are);
    tcase_add_test(tests, special_and_relative_names_are_files);
    tcase_add_loop_test(tests, any_files_in_any_order_and_grouping_give_the_same, 0, 25);
}

int main(void)
{
    return fixture_run("merge", add_tests);
}
