/* A run file that a run goes on with: what it finds there, and what it may change. */
#include "store_fixture.h"

#include <sys/wait.h>

static struct store *go_on(void)
{
    struct store *store = NULL;
    ck_assert_msg(store_continue(path, &store, &error) == 0, "%s", error.text);
    return store;
}

static struct store *go_on_after(struct store *store)
{
    store_close(store);
    return go_on();
}

static void end(struct store *store, int64_t row, const struct store_launch *launches, uint32_t count)
{
    const struct store_end ended = {.launches = launches,
                                    .count = count,
                                    .duration_ns = 5,
                                    .facts = {.build_ns = 6, .most_items = 7, .multiple_items = 8},
                                    .rungs = "stop-word",
                                    .stderr_tail = "last words",
                                    .note = "a note"};
    ck_assert_msg(store_end_trial(store, row, &ended, &error) == 0, "%s", error.text);
}

static int64_t find(struct store *store, int64_t device, const char *name)
{
    int64_t id = -7;
    ck_assert_msg(store_find_trial(store, device, name, &id, &error) == 0, "%s", error.text);
    return id;
}

/* --- going on --- */

START_TEST(what_was_begun_can_end_and_more_can_begin)
{
    struct seen seen;
    struct store *store = create();
    const int64_t device = add_device(store);
    const int64_t first = begin(store, device, 0, &barrier);

    store = go_on_after(store);
    end(store, first, &passed, 1);
    const int64_t second = begin(store, device, 1, &barrier);
    ck_assert_int_gt(second, first);
    store = reopen(store);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 2);
    ck_assert(seen.trials[0].ended);
    ck_assert(!seen.trials[1].ended);
    store_close(store);
}
END_TEST

START_TEST(what_the_dead_had_half_written_is_undone)
{
    struct store *store = create();
    const int64_t device = add_device(store);
    int status = -1;

    begin(store, device, 0, &barrier);
    store_close(store);
    const pid_t child = fork();
    if (child == 0) {
        sqlite3 *database;
        sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL);
        _exit(sqlite3_exec(database,
                           "PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;"
                           "UPDATE trial SET note = 'half' || hex(zeroblob(1000000))",
                           NULL, NULL, NULL));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, SQLITE_OK);
    store = go_on();
    begin(store, device, 1, &barrier);
    store_close(store);
    ck_assert_str_eq(query("SELECT count(note) || ' ' || count(*) FROM trial"), "0 2");
}
END_TEST

static void assert_refused(const char *why)
{
    struct store *store = NULL;
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(store_continue(path, &store, &error), -1);
    ck_assert_msg(error.status == STATUS_USAGE, "%d: %s", (int)error.status, error.text);
    ck_assert_ptr_null(store);
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_msg(strstr(error.text, why) != NULL, "%s", error.text);
}

START_TEST(what_is_no_run_of_this_schema_is_refused)
{
    FILE *file;

    assert_refused("No such file");
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    assert_refused("not a regular file");
    ck_assert_int_eq(rmdir(path), 0);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    assert_refused("not a run file");
    ck_assert_int_eq(unlink(path), 0);
    store_close(create());
    ck_assert_int_eq(execute("PRAGMA user_version = 999"), SQLITE_OK);
    assert_refused("schema version 999");
}
END_TEST

START_TEST(file_that_cannot_be_written_is_refused)
{
    if (geteuid() == 0)
        return; /* who may write to anything */
    store_close(create());
    ck_assert_int_eq(chmod(path, 0444), 0);
    assert_refused("cannot write");
}
END_TEST

/* --- runs --- */

struct runs {
    struct store_run runs[4]; /* texts in it are dead, but for the copy below */
    char command_line[64];
    int count, stop_at;
};

static int take_run(void *context, const struct store_run *stored)
{
    struct runs *runs = context;
    ck_assert_int_lt(runs->count, 4);
    runs->runs[runs->count++] = *stored;
    snprintf(runs->command_line, sizeof runs->command_line, "%s|%s", stored->folder, stored->command_line);
    return runs->count == runs->stop_at ? 42 : 0;
}

START_TEST(run_says_about_itself_what_it_was_created_with)
{
    struct runs runs = {.count = 0};
    struct store *store = go_on_after(create());

    ck_assert_int_eq(store_each_run(store, take_run, &runs, &error), 0);
    ck_assert_int_eq(runs.count, 1);
    ck_assert_str_eq(runs.runs[0].uuid, run.uuid);
    ck_assert_str_eq(runs.command_line, "/home/somebody|limits -o run.db");
    ck_assert_int_eq(runs.runs[0].started_ms, run.started_ms);
    ck_assert(!runs.runs[0].sharded);
    store_close(store);
}
END_TEST

START_TEST(shard_comes_back)
{
    struct store_run sharded = run;
    struct runs runs = {.count = 0};
    struct store *store = NULL;

    sharded.sharded = true;
    sharded.shard = 0; /* which is not the same as none */
    sharded.shards = 3;
    ck_assert_int_eq(store_create(path, &sharded, &store, &error), 0);
    store = reopen(store);
    ck_assert_int_eq(store_each_run(store, take_run, &runs, &error), 0);
    ck_assert(runs.runs[0].sharded);
    ck_assert_uint_eq(runs.runs[0].shard, 0);
    ck_assert_uint_eq(runs.runs[0].shards, 3);
    store_close(store);
}
END_TEST

START_TEST(each_run_of_a_merged_file_is_told)
{
    struct runs runs = {.count = 0};
    struct store *store;

    store_close(create());
    ck_assert_int_eq(
        execute("INSERT INTO run (tool_version, uuid, command, command_line, folder, shard, shards, host,"
                " environment, origin, started_ms) VALUES ('2', 'u', 'run', 'c', 'f', 1, 2, 'h', 'e', '', 9)"),
        SQLITE_OK);
    store = go_on();
    ck_assert_int_eq(store_each_run(store, take_run, &runs, &error), 0);
    ck_assert_int_eq(runs.count, 2);
    ck_assert_str_eq(runs.runs[1].uuid, "u");
    ck_assert_uint_eq(runs.runs[1].shard, 1);
    runs = (struct runs){.stop_at = 1};
    ck_assert_int_eq(store_each_run(store, take_run, &runs, &error), 42);
    ck_assert_int_eq(runs.count, 1);
    store_close(store);
}
END_TEST

/* --- what is there --- */

START_TEST(trial_is_found_by_device_and_name)
{
    struct store *store = create();
    const int64_t device = add_device(store);
    const int64_t other = add_device(store);
    const int64_t first = begin(store, device, 0, &barrier);
    const int64_t second = begin(store, device, 1, &barrier);
    char name[256];

    store = go_on_after(store);
    trial_id(&barrier, 0, name, sizeof name);
    ck_assert_int_eq(find(store, device, name), first);
    ck_assert_int_eq(find(store, other, name), 0);
    ck_assert_int_eq(find(store, 99, name), 0);
    trial_id(&barrier, 1, name, sizeof name);
    ck_assert_int_eq(find(store, device, name), second);
    trial_id(&barrier, 2, name, sizeof name);
    ck_assert_int_eq(find(store, device, name), 0);
    const int64_t third = begin(store, other, 2, &barrier);
    ck_assert_int_eq(find(store, other, name), third);
    ck_assert_int_eq(find(store, device, "' OR 1 --"), 0);
    ck_assert_int_eq(find(store, device, ""), 0);
    store_close(store);
}
END_TEST

START_TEST(source_is_found_by_its_name)
{
    const struct store_source mine = {.name = "it's mine.ini", .digest = "0123456789abcdef"};
    struct store_source source = {.digest = "unset"};
    struct store *store = create();

    ck_assert_int_eq(store_find_source(store, mine.name, &source, &error), 0);
    ck_assert_str_eq(source.digest, "");
    ck_assert_int_eq(store_add_source(store, &mine, &error), 0);
    store = go_on_after(store);
    ck_assert_int_eq(store_find_source(store, mine.name, &source, &error), 0);
    ck_assert_str_eq(source.name, mine.name);
    ck_assert_str_eq(source.digest, mine.digest);
    ck_assert_int_eq(store_find_source(store, "yours.ini", &source, &error), 0);
    ck_assert_str_eq(source.digest, "");
    ck_assert_int_eq(store_add_source(store, &mine, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    store_close(store);
}
END_TEST

/* --- trials that are run again --- */

START_TEST(reopened_trial_is_as_if_it_had_only_begun)
{
    const struct store_launch launches[] = {passed, starved};
    struct seen seen;
    struct store *store = create();
    const int64_t device = add_device(store);
    const int64_t before = begin(store, device, 0, &barrier);
    const int64_t cut_short = begin(store, device, 1, &barrier);
    const int64_t begun = begin(store, device, 2, &barrier);

    end(store, before, launches, 2);
    end(store, cut_short, launches, 2);
    store = go_on_after(store);
    ck_assert_msg(store_reopen_trial(store, cut_short, &error) == 0, "%s", error.text);
    ck_assert_int_eq(store_reopen_trial(store, begun, &error), 0);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 3);
    ck_assert(seen.trials[0].ended);
    ck_assert_uint_eq(seen.trials[0].count, 2);
    ck_assert(!seen.trials[1].ended);
    ck_assert_uint_eq(seen.trials[1].count, 0);
    ck_assert_str_eq(query("SELECT coalesce(duration_ns, build_ns, kernel_max_local_size, kernel_preferred_multiple,"
                           " rungs, stderr_tail, note) FROM trial WHERE id = 2"),
                     "NULL");
    ck_assert_str_eq(query("SELECT count(*) FROM verdict"), "2");

    end(store, cut_short, &passed, 1);
    ck_assert_str_eq(query("SELECT count(*) FROM observation WHERE trial = 2"), "1");
    store_close(store);
}
END_TEST

START_TEST(trial_that_never_began_cannot_be_reopened)
{
    struct store *store = create();
    const int64_t device = add_device(store);

    end(store, begin(store, device, 0, &barrier), &passed, 1);
    ck_assert_int_eq(store_reopen_trial(store, 99, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_str_eq(query("SELECT count(*) FROM verdict"), "1");
    begin(store, device, 1, &barrier); /* no transaction is left open */
    store_close(store);
}
END_TEST

START_TEST(device_is_numbered_beside_those_to_come)
{
    struct device_info expected[] = {{.name = "card", .pci = "0000:4f:00.0"}, {.name = "card", .pci = "0000:5a:00.0"}};
    struct store_device second = {.info = expected[1]};
    struct seen seen = {.count = 0};
    struct store *store = create();

    ck_assert_int_eq(store_add_device(store, &second, &error), 0);
    store_expect_devices(store, expected, 2);
    ck_assert_int_eq(read_devices(store, &seen), 0);
    ck_assert_int_eq(seen.count, 1);
    ck_assert_uint_eq(seen.devices[0].info.number, 2);
    store = reopen(store);
    ck_assert_int_eq(read_devices(store, &seen), 0);
    ck_assert_uint_eq(seen.devices[1].info.number, 0);
    store_close(store);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, what_was_begun_can_end_and_more_can_begin);
    tcase_add_test(tests, what_the_dead_had_half_written_is_undone);
    tcase_add_test(tests, what_is_no_run_of_this_schema_is_refused);
    tcase_add_test(tests, file_that_cannot_be_written_is_refused);
    tcase_add_test(tests, run_says_about_itself_what_it_was_created_with);
    tcase_add_test(tests, shard_comes_back);
    tcase_add_test(tests, each_run_of_a_merged_file_is_told);
    tcase_add_test(tests, trial_is_found_by_device_and_name);
    tcase_add_test(tests, device_is_numbered_beside_those_to_come);
    tcase_add_test(tests, source_is_found_by_its_name);
    tcase_add_test(tests, reopened_trial_is_as_if_it_had_only_begun);
    tcase_add_test(tests, trial_that_never_began_cannot_be_reopened);
}

int main(void)
{
    return fixture_run("store continue", add_tests);
}
