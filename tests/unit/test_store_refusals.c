/* What is no run file is refused, and what fails leaves the run file as it was. */
#include "store_fixture.h"

#include <fcntl.h>
#include <sys/wait.h>

static int write_meanwhile(void *context, const struct store_trial *trial)
{
    (void)trial;
    *(int *)context = execute("UPDATE device SET wedged = 1");
    return 0;
}

START_TEST(slow_reader_locks_nobody_out)
{
    int code = -1;
    struct store *store = create();
    int64_t device = add_device(store);

    begin(store, device, 0, &barrier);
    store = reopen(store);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, 0, .take = write_meanwhile, .context = &code}, &error), 0);
    ck_assert_int_eq(code, SQLITE_OK);
    store_close(store);
}
END_TEST

START_TEST(trial_ends_once)
{
    const struct store_end end = {.launches = &passed, .count = 1, .note = ""};
    const struct store_end empty = {.note = ""};
    struct store *store = create();
    int64_t row = begin(store, add_device(store), 0, &barrier);

    ck_assert_int_eq(store_end_trial(store, row, &end, &error), 0);
    ck_assert_int_eq(store_end_trial(store, row, &end, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_int_eq(store_end_trial(store, row, &empty, &error), -1);
    ck_assert_int_eq(store_end_trial(store, row + 1, &empty, &error), -1);
    store_close(store);
    ck_assert_str_eq(query("SELECT count(*) FROM observation"), "1");
}
END_TEST

START_TEST(failed_end_leaves_nothing)
{
    struct store_launch launches[] = {passed, starved};
    const uint32_t word = 1;
    struct store_end end = {.launches = launches, .count = 2, .note = ""};
    struct store *store = create();
    int64_t device = add_device(store);
    int64_t row = begin(store, device, 0, &barrier);

    launches[1].verdict = (enum verdict)VERDICT_COUNT;
    ck_assert_int_eq(store_end_trial(store, row, &end, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_ptr_nonnull(strstr(error.text, "verdict.verdict"));
    ck_assert_str_eq(query("SELECT count(*) FROM observation"), "0");
    ck_assert_str_eq(query("SELECT duration_ns FROM trial"), "NULL");

    launches[1].verdict = VERDICT_STARVED;
    end.board = &word;
    end.board_words = 1;
    end.evidence = 2;
    ck_assert_int_eq(store_end_trial(store, row, &end, &error), -1);
    ck_assert_str_eq(query("SELECT duration_ns FROM trial"), "NULL");
    end.evidence = 0;
    ck_assert_int_eq(store_end_trial(store, row, &end, &error), 0);
    ck_assert_str_eq(query("SELECT count(*) FROM observation"), "2");
    store_close(store);
}
END_TEST

START_TEST(trial_needs_its_device)
{
    struct store *store = create();
    int64_t row = -5;

    ck_assert_int_eq(store_begin_trial(store, 3, 0, &barrier, NULL, &row, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_ptr_nonnull(strstr(error.text, path));
    ck_assert_int_eq(row, -5);
    store_close(store);
}
END_TEST

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void assert_create_refused(const char *name)
{
    struct store *store = NULL;
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(store_create(name, &run, &store, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_null(store);
    ck_assert_ptr_nonnull(strstr(error.text, name));
    ck_assert_ptr_nonnull(strstr(error.text, "choose another name with -o"));
}

START_TEST(existing_file_is_refused)
{
    char text[16] = "";
    char target[128];
    FILE *file;

    write_file("precious");
    assert_create_refused(path);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
    fclose(file);
    ck_assert_str_eq(text, "precious");

    ck_assert_int_eq(unlink(path), 0);
    snprintf(target, sizeof target, "%s/target", folder);
    ck_assert_int_eq(symlink(target, path), 0);
    assert_create_refused(path);
    ck_assert_int_ne(access(target, F_OK), 0);
    assert_create_refused(folder);
}
END_TEST

START_TEST(missing_folder_is_refused)
{
    char name[128];

    snprintf(name, sizeof name, "%s/missing/run.db", folder);
    assert_create_refused(name);
    ck_assert_ptr_nonnull(strstr(error.text, "No such file or directory"));
    write_file("");
    snprintf(name, sizeof name, "%s/run.db", path);
    assert_create_refused(name);
    ck_assert_ptr_nonnull(strstr(error.text, "Not a directory"));
}
END_TEST

START_TEST(failed_creation_leaves_no_file)
{
    const struct store_run incomplete = {.tool_version = "0.1.0"};
    struct store *store = NULL;

    ck_assert_int_eq(store_create(path, &incomplete, &store, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_ptr_null(store);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(names_special_to_sqlite_are_files)
{
    static const char *const names[] = {":memory:", "file:run.db?mode=memory"};
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    ck_assert_int_ge(here, 0);
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        struct store *store = NULL;
        struct stat status;
        ck_assert_msg(store_create(names[i], &run, &store, &error) == 0, "%s", error.text);
        store_close(store);
        ck_assert_int_eq(stat(names[i], &status), 0);
        ck_assert_int_gt(status.st_size, 0);
        ck_assert_int_eq(store_open(names[i], &store, &error), 0);
        store_close(store);
    }
    ck_assert_int_eq(fchdir(here), 0);
    close(here);
}
END_TEST

static void assert_open_refused(const char *name, const char *why)
{
    struct store *store = NULL;
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(store_open(name, &store, &error), -1);
    ck_assert_msg(error.status == STATUS_USAGE, "%d: %s", (int)error.status, error.text);
    ck_assert_ptr_null(store);
    ck_assert_ptr_nonnull(strstr(error.text, name));
    ck_assert_msg(strstr(error.text, why) != NULL, "%s", error.text);
}

START_TEST(other_files_are_not_opened)
{
    assert_open_refused(path, "No such file");
    ck_assert_int_ne(access(path, F_OK), 0);
    write_file("");
    assert_open_refused(path, "not a run file");
    write_file("This is some text, long enough that SQLite cannot take it for the header of a file of its own, "
               "which has a hundred bytes.\n");
    assert_open_refused(path, "not a run file");
    assert_open_refused(folder, "not a regular file");

    ck_assert_int_eq(unlink(path), 0);
    store_close(create());
    ck_assert_int_eq(execute("PRAGMA application_id = 1"), SQLITE_OK);
    assert_open_refused(path, "not a run file");
}
END_TEST

START_TEST(other_schema_is_not_opened)
{
    store_close(create());
    ck_assert_int_eq(execute("PRAGMA user_version = 999"), SQLITE_OK);
    assert_open_refused(path, "schema version 999");
    ck_assert_int_eq(execute("PRAGMA user_version = 0"), SQLITE_OK);
    assert_open_refused(path, "schema version 0");
}
END_TEST

START_TEST(opened_file_is_read_only)
{
    struct store_device device = {.id = 0};
    struct store *store = reopen(create());

    ck_assert_int_eq(store_add_device(store, &device, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    store_close(store);
    ck_assert_str_eq(query("SELECT count(*) FROM device"), "0");
}
END_TEST

/* What no version writes: another value, type or number of items. */
static const struct spoiler spoilers[] = {
    {"UPDATE trial SET estimator = 'guess'", "estimator"},
    {"UPDATE trial SET groups = -1", "groups"},
    {"UPDATE trial SET groups = 4294967296", "groups"},
    {"UPDATE trial SET live = 2", "live"},
    {"UPDATE trial SET rounds = 'many'", "rounds"},
    {"UPDATE trial SET name = printf('%0256d', 0)", "name"},
    {"UPDATE trial SET expected = 'bliss'", "expected"},
    {"UPDATE trial SET expected = 'pass or '", "expected"},
    {"UPDATE trial SET allowed = 1", "allowed"},
    {"UPDATE trial SET expected_causes = 'pass'", "expected_causes"},
    {"UPDATE trial SET expected_rate = 'stale <= 2/1'", "expected_rate"},
    {"UPDATE trial SET known = 'flaky'", "known"},
    {"UPDATE observation SET code = 2147483648", "code"},
    {"UPDATE observation SET board = x'010203'", "board"},
    {"UPDATE observation SET board = x'01000000789c03000000'", "board"},
    {"UPDATE observation SET outcome = CAST(outcome AS BLOB)", "outcome"},
    {"DELETE FROM verdict", "trial"},
    {"UPDATE verdict SET verdict = ''", "verdict"},
};

START_TEST(spoilt_values_are_refused)
{
    const struct store_end end = {.launches = &passed, .count = 1, .note = ""};
    struct store *store = create();
    int64_t device = add_device(store);

    ck_assert_int_eq(store_end_trial(store, begin(store, device, 0, &barrier), &end, &error), 0);
    assert_spoilt(store, device, &spoilers[_i]);
}
END_TEST

static const char *const spoilt_options[] = {
    "UPDATE device SET search_given = '1,x'",
    "UPDATE device SET search_given = '4294967296'",
    "UPDATE device SET search_given = substr(replace(hex(zeroblob(33)), '00', '1,'), 1, 65)",
    "UPDATE device SET search_estimators = 'census,guess'",
};

START_TEST(spoilt_options_are_refused)
{
    struct seen seen = {.count = 0};
    struct store *store = create();

    add_device(store);
    ck_assert_int_eq(execute(spoilt_options[_i]), SQLITE_OK);
    ck_assert_int_eq(read_devices(store, &seen), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_int_eq(seen.count, 0);
    store_close(store);
}
END_TEST

/* A writer that dies in its transaction, with part of it already in the file. */
static void die_writing(void)
{
    sqlite3 *database;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_exec(database,
                     "PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;"
                     "UPDATE trial SET stderr_tail = 'half' || hex(zeroblob(1000000))",
                     NULL, NULL, NULL) == SQLITE_OK)
        _exit(0);
    _exit(1);
}

START_TEST(killed_writer_is_undone)
{
    char journal[128];
    struct seen seen;
    struct store *store = create();
    int64_t device = add_device(store);
    int status = -1;
    pid_t child;

    begin(store, device, 0, &barrier);
    store_close(store);
    child = fork();
    if (child == 0)
        die_writing();
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    snprintf(journal, sizeof journal, "%s-journal", path);
    ck_assert_int_eq(access(journal, F_OK), 0);

    ck_assert_msg(store_open(path, &store, &error) == 0, "%s", error.text);
    read_trials(store, device, &seen);
    ck_assert_int_eq(seen.count, 1);
    store_close(store);
    ck_assert_str_eq(query("SELECT stderr_tail FROM trial"), "NULL");
    ck_assert_int_ne(access(journal, F_OK), 0);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, slow_reader_locks_nobody_out);
    tcase_add_test(tests, trial_ends_once);
    tcase_add_test(tests, failed_end_leaves_nothing);
    tcase_add_test(tests, trial_needs_its_device);
    tcase_add_test(tests, existing_file_is_refused);
    tcase_add_test(tests, missing_folder_is_refused);
    tcase_add_test(tests, failed_creation_leaves_no_file);
    tcase_add_test(tests, names_special_to_sqlite_are_files);
    tcase_add_test(tests, other_files_are_not_opened);
    tcase_add_test(tests, other_schema_is_not_opened);
    tcase_add_test(tests, opened_file_is_read_only);
    tcase_add_loop_test(tests, spoilt_values_are_refused, 0, (int)(sizeof spoilers / sizeof *spoilers));
    tcase_add_loop_test(tests, spoilt_options_are_refused, 0, (int)(sizeof spoilt_options / sizeof *spoilt_options));
    tcase_add_test(tests, killed_writer_is_undone);
}

int main(void)
{
    return fixture_run("store refusals", add_tests);
}
