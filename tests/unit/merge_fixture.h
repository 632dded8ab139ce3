/* Run files to be merged, by their letters, and whether two are the same. */
#pragma once

#include "core/text.h"
#include "store/merge.h"

#include "harness.h"
#include "store_fixture.h"

enum { FILES_MOST = 6, PATH_BYTES = 112 };

/* --- files to merge --- */

/* A file of the present test, by its letter. */
static const char *file(char letter)
{
    static char names[26][PATH_BYTES];
    char *name = names[letter - 'a'];
    snprintf(name, PATH_BYTES, "%s/%c.run", folder, letter);
    return name;
}

/* The functions of the fixture look at this one. */
static inline void look_at(const char *name)
{
    snprintf(path, sizeof path, "%.95s", name);
}

static inline struct store *create_run(char letter, uint32_t shard, uint32_t shards)
{
    struct store_run own = run;
    struct store *store = NULL;

    snprintf(own.uuid, sizeof own.uuid, "%c2345678-1234-4abc-8def-123456789abc", letter);
    own.sharded = shards != 0;
    own.shard = shard;
    own.shards = shards;
    ck_assert_msg(store_create(file(letter), &own, &store, &error) == 0, "%s", error.text);
    return store;
}

static inline int64_t add_driver(struct store *store, const char *driver, bool wedged, uint64_t poll_ps)
{
    struct store_device device = {.info = {.platform = "p", .name = "some device", .vendor = "v"},
                                  .probe = {.poll_ps = poll_ps},
                                  .wedged = wedged};
    snprintf(device.info.driver_version, sizeof device.info.driver_version, "%s", driver);
    ck_assert_msg(store_add_device(store, &device, &error) == 0, "%s", error.text);
    return device.id;
}

/* A point of a scenario at `position`; named after `groups`. */
static inline int64_t begin_point(struct store *store, int64_t device, uint32_t position, uint32_t sequence,
                                  uint32_t groups, uint64_t gap_ns)
{
    struct trial trial = {.footprint = {.local_size = 1}, .kind = TRIAL_WORK, .groups = groups, .gap_ns = gap_ns};
    const struct store_prediction prediction = {
        .position = position, .resident = 2, .expected.verdicts = UINT32_C(1) << VERDICT_PASS};
    int64_t row = 0;

    snprintf(trial.work.scenario, sizeof trial.work.scenario, "some_scenario");
    snprintf(trial.work.kernel, sizeof trial.work.kernel, "some_kernel");
    ck_assert_msg(store_begin_trial(store, device, sequence, &trial, &prediction, &row, &error) == 0, "%s", error.text);
    return row;
}

static inline void end_point(struct store *store, int64_t row, const struct store_launch *launch, uint32_t count,
                             uint64_t duration_ns)
{
    static const uint32_t board[] = {1, 2, 3};
    struct store_launch launches[8];
    const struct store_end end = {.launches = launches,
                                  .count = count,
                                  .board = board,
                                  .board_words = 3,
                                  .samples = board,
                                  .samples_words = 2,
                                  .duration_ns = duration_ns,
                                  .note = ""};
    for (uint32_t i = 0; i < count; ++i)
        launches[i] = *launch;
    ck_assert_msg(store_end_trial(store, row, &end, &error) == 0, "%s", error.text);
}

/* --- merging --- */

struct conflicts {
    char text[512];
};

static inline void note_conflict(void *context, const char *trial, const char *kept, const char *other)
{
    struct conflicts *conflicts = context;
    text_append(conflicts->text, sizeof conflicts->text, "%s: %s, %s; ", trial, kept, other);
}

/* Merges the files with these letters into `to`, and looks at it. */
static inline struct merge_summary merge(const char *letters, char to, struct conflicts *conflicts)
{
    struct conflicts ignored = {""};
    struct merge_summary summary;
    char *files[FILES_MOST * 3];
    const size_t count = strlen(letters);

    for (size_t i = 0; i < count; ++i)
        files[i] = (char *)file(letters[i]);
    if (conflicts != NULL)
        conflicts->text[0] = '\0';
    ck_assert_msg(merge_files(file(to), files, count, MERGE_BOARDS_ALL, &summary,
                              &(struct merge_teller){note_conflict, conflicts != NULL ? conflicts : &ignored},
                              &error) == 0,
                  "%s: %s", letters, error.text);
    look_at(file(to));
    ck_assert_str_eq(query("PRAGMA integrity_check"), "ok");
    ck_assert_str_eq(query("SELECT count(*) FROM pragma_foreign_key_check"), "0");
    return summary;
}

/* --- are two files the same? --- */

static inline sqlite3_stmt *select_all(char letter, const char *table, sqlite3 **database)
{
    char sql[96];
    sqlite3_stmt *statement;

    /* A row by its number, and one of a table without numbers by its key. */
    snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1, 2", table);
    ck_assert_int_eq(sqlite3_open_v2(file(letter), database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(*database, sql, -1, &statement, NULL), SQLITE_OK);
    return statement;
}

static inline bool same_value(sqlite3_stmt *a, sqlite3_stmt *b, int column)
{
    const int size = sqlite3_column_bytes(a, column);
    return sqlite3_column_type(a, column) == sqlite3_column_type(b, column) &&
           size == sqlite3_column_bytes(b, column) &&
           (size == 0 || memcmp(sqlite3_column_blob(a, column), sqlite3_column_blob(b, column), (size_t)size) == 0);
}

static inline void assert_same_table(char left, char right, const char *table)
{
    sqlite3 *databases[2];
    sqlite3_stmt *a = select_all(left, table, &databases[0]);
    sqlite3_stmt *b = select_all(right, table, &databases[1]);
    int found;

    do {
        found = sqlite3_step(a);
        harness_assert(sqlite3_step(b) == found, "%c and %c have not as many rows of %s", left, right, table);
        for (int i = 0; found == SQLITE_ROW && i < sqlite3_column_count(a); ++i)
            harness_assert(same_value(a, b, i), "%c and %c differ in %s.%s of row %s", left, right, table,
                           sqlite3_column_name(a, i), (const char *)sqlite3_column_text(a, 0));
    } while (found == SQLITE_ROW);
    sqlite3_finalize(a);
    sqlite3_finalize(b);
    sqlite3_close(databases[0]);
    sqlite3_close(databases[1]);
}

/* Each value of each row, and the rows' numbers. */
static inline void assert_same_contents(char left, char right)
{
    static const char *const tables[] = {"run", "device", "trial", "source", "observation", "verdict", "litmus"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
        assert_same_table(left, right, tables[i]);
}
