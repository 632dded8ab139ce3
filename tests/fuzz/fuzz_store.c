/*
 * Run files of ours that something changed: whatever it is, they are refused with a sentence or read, reported in each
 * format, explained, compared and merged. Half of the changes are of bytes, half of values, by SQLite itself.
 */
#include "explain/explain.h"
#include "format/compare.h"
#include "format/format.h"
#include "fuzz.h"
#include "store/merge.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* --- values --- */

static const char *const values[] = {
    "NULL",
    "0",
    "1",
    "2",
    "-1",
    "65",
    "4294967295",
    "4294967296",
    "2147483648",
    "9223372036854775807",
    "-9223372036854775808",
    "1.5",
    "1e300",
    "''",
    "'x'",
    "'pass'",
    "'starved'",
    "'deadlock or pass'",
    "'a,b=c/d'",
    "'stale <= 1/2'",
    "x'00ff'",
    "zeroblob(1)",
    "zeroblob(4096)",
    "randomblob(64)",
    "hex(randomblob(600))",
    "x'41ff0a1b5b333141'",
};

/* Of SQL that has one result; allocated, NULL if there is none. */
static char *ask(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    char *result = NULL;

    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW &&
        sqlite3_column_text(statement, 0) != NULL)
        result = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return result;
}

/*
 * The lot chooses a column of a table, one of its rows or all, and what the value becomes: one of these, or that of
 * another row.
 */
static char *change(sqlite3 *database, unsigned lot)
{
    const size_t count = sizeof values / sizeof *values;
    char choice[256], *sql = NULL;

    snprintf(choice, sizeof choice,
             "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' "
             "ORDER BY (c.cid * 7919 + m.rootpage * 104729 + %u) %% 1009 LIMIT 1",
             lot % 1009);
    char *place = ask(database, choice);
    char *column = place != NULL ? strchr(place, '.') : NULL;
    if (column != NULL) {
        *column++ = '\0';
        const char *value = values[lot / 1009 % count];
        sql = lot % 5 == 0   ? sqlite3_mprintf("DELETE FROM \"%w\" WHERE rowid %% 3 = %u", place, lot / 5 % 3)
              : lot % 5 == 1 ? sqlite3_mprintf("UPDATE \"%w\" SET \"%w\" = %s", place, column, value)
                             : sqlite3_mprintf("UPDATE \"%w\" SET \"%w\" = %s WHERE rowid %% 4 = %u", place, column,
                                               value, lot / 11 % 4);
    }
    free(place);
    return sql;
}

static sqlite3 *open_copy(const uint8_t *data, size_t size)
{
    sqlite3 *database = NULL;
    unsigned char *copy = sqlite3_malloc64(size > 0 ? size : 1);

    CLAIM(copy != NULL && sqlite3_open(":memory:", &database) == SQLITE_OK);
    memcpy(copy, data, size);
    sqlite3_deserialize(database, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
    return database;
}

/* Its size, or 0: it is no run file any more, or too large. */
static size_t change_value(uint8_t *data, size_t size, size_t most, unsigned lot)
{
    sqlite3 *database = open_copy(data, size);
    char *sql = change(database, lot);
    sqlite3_int64 length = 0;
    unsigned char *changed = NULL;

    if (sql != NULL && sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK)
        changed = sqlite3_serialize(database, "main", &length, 0);
    const bool fits = changed != NULL && (size_t)length <= most;
    if (fits)
        memcpy(data, changed, (size_t)length);
    sqlite3_free(changed);
    sqlite3_free(sql);
    sqlite3_close(database);
    return fits ? (size_t)length : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    const size_t changed = seed % 2 == 0 ? change_value(data, size, most, seed / 2) : 0;
    return changed > 0 ? changed : LLVMFuzzerMutate(data, size, most);
}

/* --- files --- */

static char folder[64] = "/dev/shm/gridlock-fuzz-XXXXXX"; /* in memory: a merge syncs */
static char input[96], merged[96];

static void remove_files(void)
{
    unlink(input);
    unlink(merged);
    rmdir(folder);
}

static void name_files(void)
{
    CLAIM(mkdtemp(folder) != NULL && atexit(remove_files) == 0);
    snprintf(input, sizeof input, "%s/input", folder);
    snprintf(merged, sizeof merged, "%s/merged", folder);
}

static void write_file(const char *path, const uint8_t *data, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CLAIM(file >= 0 && write(file, data, size) == (ssize_t)size && close(file) == 0);
}

/* --- uses --- */

static void report(struct store *store)
{
    const struct text_style style = {true, &colors_none};
    struct report report = {0};
    struct error error;
    verdict_set verdicts;

    fuzz_outcome(report_read(&report, store, &error), &error);
    report_status(&report, &verdicts);
    for (int i = 0; i < report_formats.count; ++i)
        fuzz_outcome(report_writers[i](fuzz_nowhere(), &report, &style, &error), &error);
    report_fini(&report);
}

static void explain(struct store *store)
{
    static struct evidence_tally tally;
    const struct evidence_wanted any_of_any = {.trial = NULL};
    struct evidence evidence;
    struct error error;
    bool any;

    const int outcome = evidence_read(store, &any_of_any, &evidence, &tally, &error);
    if (fuzz_outcome(outcome, &error) && outcome == 0) /* 1: nothing failed */
        for (int i = 0; i < explain_formats.count; ++i)
            if (explain_writers[i] != explain_svg) /* it starts a program */
                fuzz_outcome(explain_writers[i](fuzz_nowhere(), &evidence, &error), &error);
    evidence_fini(&evidence);
    fuzz_outcome(explain_progress(fuzz_nowhere(), store, &any_of_any, &any, &error), &error);
}

static bool is_of_tests(struct store *store)
{
    enum report_kind kind;
    struct error error;
    return fuzz_outcome(report_read_kind(store, &kind, &error), &error) && kind == REPORT_PROGRESS;
}

/* Litmus tests are compared with litmus tests, as the command does. */
static void compare(struct store *store, struct store *other)
{
    const struct pairing_rules rules = {.match_count = 0};
    struct comparison comparison = {.count = 0};
    struct device_pairs pairs;
    struct error error;

    if (is_of_tests(store) != is_of_tests(other))
        return;
    const bool paired = fuzz_outcome(pair_devices(store, other, &rules, &pairs, &error), &error);
    if (paired && fuzz_outcome(compare_runs(store, other, &pairs, &comparison, &error), &error)) {
        comparison_has_regression(&comparison);
        compare_text(fuzz_nowhere(), &colors_none, &comparison);
        compare_markdown(fuzz_nowhere(), &comparison);
        compare_json(fuzz_nowhere(), &comparison);
    }
    device_pairs_fini(&pairs);
    comparison_fini(&comparison);
}

static void take_conflict(void *context, const char *what, const char *kept, const char *other)
{
    (void)context;
    fprintf(fuzz_nowhere(), "%s %s %s", what, kept, other);
}

/* What was merged can be read. */
static void merge(char *other)
{
    char *const files[] = {input, other};
    struct merge_summary summary;
    struct store *store = NULL;
    struct error error;

    unlink(merged);
    if (!fuzz_outcome(merge_files(merged, files, 2, MERGE_BOARDS_ALL, &summary,
                                  &(struct merge_teller){take_conflict, NULL}, &error),
                      &error))
        return;
    CLAIM(store_open(merged, &store, &error) == 0);
    store_close(store);
}

/* A file of the corpus with which the input is compared and merged. */
static char *choose_other(const uint8_t *data, size_t size)
{
    static char *const others[] = {FUZZ_CORPUS "/limits.run", FUZZ_CORPUS "/progress.run", FUZZ_CORPUS "/shard.run"};
    size_t sum = 0;

    for (size_t i = 0; i < size; ++i)
        sum += data[i];
    return others[sum % (sizeof others / sizeof *others)];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct store *store = NULL, *other = NULL;
    struct error error;
    char *const path = choose_other(data, size);

    if (input[0] == '\0')
        name_files();
    write_file(input, data, size);
    if (!fuzz_outcome(store_open(input, &store, &error), &error))
        return 0;
    report(store);
    explain(store);
    CLAIM(store_open(path, &other, &error) == 0);
    compare(store, other);
    store_close(other);
    store_close(store);
    merge(path);
    return 0;
}
