#include "store/merge.h"

#include "promise/promise.h"
#include "store/internal.h"
#include "store/unpack.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Two passes over the files, each attached in turn. The first gathers what they have in temporary tables, so that it is
 * known which trial comes from where and which row it gets; the second copies the rows. What is kept of two
 * is always the lesser one by its contents, so that neither order nor grouping of merges makes a difference.
 */

#define DEVICE_KEY "platform, name, vendor, driver_version, ifnull(uuid, ''), ifnull(pci, ''), ordinal"

/* Runs SQL in which %s is the list of a table's columns, up to three times. */
static int with_columns(struct store *store, const struct table *table, const char *format, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_str *names = sqlite3_str_new(store->database);
    sqlite3_str *sql = sqlite3_str_new(store->database);
    int result = -1;

    row_append_names(names, table, "");
    char *list = sqlite3_str_finish(names);
    sqlite3_str_appendf(sql, format, list, list, list);
    sqlite3_free(list);
    if (store_prepare(store, sql, &statement, error) == 0)
        result = store_next(store, statement, error);
    sqlite3_finalize(statement);
    return result < 0 ? -1 : 0;
}

/* "kept": what became of a promise; of its name, whether it was offered, or is undecided, its amounts and its fails. */
static void call_keeping(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *name = (const char *)sqlite3_value_text(values[0]);
    const struct promise *promise = promise_find(name != NULL ? name : "");
    const struct finding finding = {.offered = sqlite3_value_int64(values[1]) != 0,
                                    .undecided = sqlite3_value_int64(values[2]) != 0,
                                    .promised = (uint64_t)sqlite3_value_int64(values[3]),
                                    .measured = (uint64_t)sqlite3_value_int64(values[4]),
                                    .fails = (uint32_t)sqlite3_value_int64(values[5])};

    (void)count;
    if (promise != NULL)
        sqlite3_result_text(context, keeping_name(finding_judge(promise, &finding)), -1, SQLITE_STATIC);
}

static int create_gathering(struct store *store, struct error *error)
{
    const int code = sqlite3_create_function(store->database, "keeping", 6, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                             call_keeping, NULL, NULL);
    if (code != SQLITE_OK)
        return store_fail(store, code, "merge into", error);
    return store_execute(store, store_script_text("merge_gather.sql"), error);
}

/* A file's connection is the same as ours, so it must be one that this program would read. */
static int check_identity(const char *path, struct error *error)
{
    struct store *checked;

    if (store_open(path, &checked, error) != 0)
        return -1;
    store_close(checked);
    return 0;
}

static int attach_file(struct store *store, const char *path, struct error *error)
{
    char *name = sqlite3_mprintf("%s%s", path[0] == '/' ? "" : "./", path);
    sqlite3_stmt *statement = NULL;
    int result = -1;

    if (sqlite3_prepare_v2(store->database, "ATTACH ? AS src", -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC) != SQLITE_OK)
        store_fail(store, sqlite3_errcode(store->database), "attach a file to", error);
    else
        result = store_next(store, statement, error);
    sqlite3_finalize(statement);
    sqlite3_free(name);
    return result;
}

static int attach(struct store *store, const char *path, struct error *error)
{
    char *unpacked = NULL;

    if (check_identity(path, error) != 0 || unpack_xz(path, &unpacked, error) != 0)
        return -1;
    const int result = attach_file(store, unpacked != NULL ? unpacked : path, error);
    if (unpacked != NULL)
        unlink(unpacked);
    free(unpacked);
    return result == 0 ? 0 : error_context(error, "%s", path);
}

/* Each verdict once: how many launches had it depends on how soon a batch was enough. */
#define VERDICTS                                                                                                       \
    "coalesce(CASE WHEN offered IS NULL THEN NULL ELSE keeping(scenario, offered, promise_undecided, promised,"        \
    " measured, fails) END, (SELECT group_concat(verdict, ' ') FROM (SELECT DISTINCT verdict FROM src.verdict v"       \
    " WHERE v.trial = t.id ORDER BY verdict)))"

/* What its launches came to, each once, too; a test that was not run says nothing. */
#define TEST_VERDICTS                                                                                                  \
    "trim(CASE WHEN ran > stalled THEN 'ended' ELSE '' END || CASE WHEN stalled = 0 THEN '' WHEN confirmed = 1 THEN"   \
    " ' stalled' ELSE ' suspected' END || CASE WHEN undecided > 0 THEN ' undecided' ELSE '' END ||"                    \
    " CASE WHEN cut = 1 THEN ' cut' ELSE '' END)"

static int gather(struct store *store, size_t file, struct error *error)
{
    static const char format[] =
        "INSERT INTO temp.runs SELECT * FROM src.run;"
        "INSERT INTO temp.asked_of (run, place, option, value) SELECT run, place, option, value FROM src.asked;"
        "INSERT INTO temp.sources SELECT * FROM src.source;"
        "INSERT INTO temp.shares SELECT %lld, * FROM src.share;"
        "INSERT INTO temp.assertions SELECT %lld, * FROM src.asserted;"
        "INSERT INTO temp.tests SELECT %lld, trial, test, " TEST_VERDICTS " FROM src.litmus"
        " WHERE ran > 0 OR undecided > 0 OR cut = 1;"
        "INSERT INTO temp.trials SELECT %lld, id, device, NULL, name, position,"
        " CASE WHEN scenario IS NULL AND engine IS NULL THEN id ELSE 0 END, sequence, duration_ns,"
        " " VERDICTS ", (SELECT uuid FROM src.run r WHERE r.id = t.run), CASE WHEN duration_ns IS NULL THEN ''";
    sqlite3_str *text = sqlite3_str_new(store->database);

    /* A file of another version may have the columns in another order. */
    sqlite3_str_appendall(text, "INSERT INTO temp.devices (file, id, ");
    row_append_names(text, &store_device_table, "");
    sqlite3_str_appendf(text, ") SELECT %lld, id, ", (long long)file);
    row_append_names(text, &store_device_table, "");
    sqlite3_str_appendall(text, " FROM src.device;");
    sqlite3_str_appendf(text, format, (long long)file, (long long)file, (long long)file, (long long)file);
    /* What tells two apart of which neither has ended; in which rows their device and run are, does not. */
    for (size_t i = 2; i < store_begun_table.count; ++i)
        if (!store_lacks(store, "src", &store_begun_table, &store_begun_table.columns[i]))
            sqlite3_str_appendf(text, " || ',' || quote(%s)", store_begun_table.columns[i].name);
    sqlite3_str_appendall(text, " END FROM src.trial t");
    return store_execute_built(store, sqlite3_str_finish(text), error);
}

/* Which run, device and trial rows there are to be. */
static int decide(struct store *store, struct error *error)
{
    if (with_columns(store, &store_run_table,
                     "INSERT INTO main.run (%s) SELECT %s FROM temp.runs GROUP BY uuid ORDER BY uuid", error) != 0 ||
        with_columns(
            store, &store_device_table,
            "INSERT INTO main.device (%s) SELECT %s FROM (SELECT *, row_number() OVER (PARTITION BY " DEVICE_KEY
            " ORDER BY poll_ps, read_latency_ns, stop_latency_ns, %s) AS rank FROM temp.devices)"
            " WHERE rank = 1 ORDER BY " DEVICE_KEY,
            error) != 0)
        return -1;
    return store_execute(store, store_script_text("merge_decide.sql"), error);
}

/* Appends ", t.NAME" for each column but the first ones, which are replaced by where the row's new place is. */
static void append_copied(struct store *store, sqlite3_str *sql, const struct table *table, size_t from)
{
    for (size_t i = from; i < table->count; ++i)
        if (store_lacks(store, "src", table, &table->columns[i]))
            sqlite3_str_appendall(sql, ", NULL");
        else
            sqlite3_str_appendf(sql, ", t.%s", table->columns[i].name);
}

/* "INSERT INTO trial (id, device, run, name ...) SELECT k.id, k.device, RUN, t.name ..." */
static void append_trials(struct store *store, sqlite3_str *sql, size_t file)
{
    sqlite3_str_appendall(sql, "INSERT INTO main.trial (id, ");
    row_append_names(sql, &store_begun_table, "");
    sqlite3_str_appendall(sql, ", ");
    row_append_names(sql, &store_ended_table, "");
    sqlite3_str_appendall(sql, ") SELECT k.id, k.device, (SELECT m.id FROM main.run m JOIN src.run s ON s.uuid = m.uuid"
                               " WHERE s.id = t.run)");
    append_copied(store, sql, &store_begun_table, 2);
    append_copied(store, sql, &store_ended_table, 0);
    sqlite3_str_appendf(sql, " FROM src.trial t JOIN kept k ON k.source = t.id WHERE k.file = %lld;", (long long)file);
}

/* Rows of a table whose first column is their trial. */
static void append_of_trials(struct store *store, sqlite3_str *sql, const struct table *table, size_t file)
{
    sqlite3_str_appendf(sql, "INSERT INTO main.%s (", table->name);
    row_append_names(sql, table, "");
    sqlite3_str_appendall(sql, ") SELECT k.id");
    append_copied(store, sql, table, 1);
    sqlite3_str_appendf(sql, " FROM src.%s t JOIN kept k ON k.source = t.trial WHERE k.file = %lld;", table->name,
                        (long long)file);
}

/* Of two that are alike the lesser one. */
static const char copy_boards[] =
    "INSERT INTO main.board (device, alike, trial, board) SELECT o.id, b.alike, b.trial, b.board FROM src.board b"
    " JOIN device_of o ON o.file = %lld AND o.source = b.device WHERE true ON CONFLICT (device, alike) DO UPDATE"
    " SET trial = excluded.trial, board = excluded.board"
    " WHERE (excluded.trial, excluded.board) < (main.board.trial, main.board.board);";

static int copy_rows(struct store *store, size_t file, struct error *error)
{
    const int schedules = store_has_table(store, "src", &store_schedule_table, error);
    const int proofs = store_has_table(store, "src", &store_proof_table, error);
    const int sightings = store_has_table(store, "src", &store_sighting_table, error);
    if (schedules < 0 || proofs < 0 || sightings < 0)
        return -1;
    sqlite3_str *sql = sqlite3_str_new(store->database);

    append_trials(store, sql, file);
    append_of_trials(store, sql, &store_observation_table, file);
    append_of_trials(store, sql, &store_verdict_table, file);
    append_of_trials(store, sql, &store_litmus_table, file);
    if (schedules > 0)
        append_of_trials(store, sql, &store_schedule_table, file);
    if (proofs > 0)
        append_of_trials(store, sql, &store_proof_table, file);
    if (sightings > 0) {
        append_of_trials(store, sql, &store_sighting_table, file);
        append_of_trials(store, sql, &store_sighted_table, file);
    }
    sqlite3_str_appendf(sql, copy_boards, (long long)file);
    return store_execute_built(store, sqlite3_str_finish(sql), error);
}

/* --- what was found --- */

static const char *column_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text != NULL ? (const char *)text : "";
}

/* Of each row of `found`: what, which of it is kept, and what another file says. */
static int name_conflicts(struct store *store, const char *found, const struct merge_teller *teller, size_t *count,
                          struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result;

    if (store_prepare_text(store, found, &statement, error) != 0)
        return -1;
    while ((result = store_next(store, statement, error)) == 1) {
        *count += 1;
        teller->conflict(teller->context, column_text(statement, 0), column_text(statement, 1),
                         column_text(statement, 2));
    }
    sqlite3_finalize(statement);
    return result;
}

/* Two of a name, of which one is kept. */
#define TWO                                                                                                            \
    " FROM ranked r JOIN kept k ON k.device = r.device AND k.name = r.name AND r.rank > 1"                             \
    " AND r.duration_ns IS NOT NULL"

/* Both ended, and not alike; or a test that both ran did not come to the same. */
static const char find_others[] =
    "CREATE TEMP TABLE others AS SELECT r.file, r.source, r.name, -1 AS test, k.verdicts AS kept,"
    " r.verdicts AS other" TWO " WHERE r.verdicts IS NOT k.verdicts"
    " UNION ALL SELECT r.file, r.source, r.name, t.test, u.verdicts, t.verdicts" TWO
    " JOIN temp.tests t ON t.file = r.file AND t.source = r.source"
    " JOIN temp.tests u ON u.file = k.file AND u.source = k.source AND u.test = t.test"
    " WHERE t.verdicts <> u.verdicts";

static const char other_trials[] = "SELECT name || CASE WHEN test < 0 THEN '' ELSE ', test ' || test END, kept, other"
                                   " FROM others GROUP BY name, test, kept, other ORDER BY name, test, other";

static const char counts[] = "SELECT (SELECT count(*) FROM main.run), (SELECT count(*) FROM kept),"
                             " (SELECT count(*) FROM ranked WHERE rank > 1"
                             " AND (file, source) NOT IN (SELECT file, source FROM others))";

/* What they tell of a point may be of two different ones. */
static const char other_sources[] = "SELECT DISTINCT 'digest of ' || s.name, m.digest, s.digest FROM temp.sources s"
                                    " JOIN main.source m ON m.name = s.name WHERE s.digest <> m.digest ORDER BY 1, 3";

static int count_rows(struct store *store, struct merge_summary *summary, struct error *error)
{
    sqlite3_stmt *statement = NULL;

    if (store_prepare_text(store, counts, &statement, error) != 0)
        return -1;
    const int result = store_next(store, statement, error);
    summary->runs = (size_t)sqlite3_column_int64(statement, 0);
    summary->trials = (size_t)sqlite3_column_int64(statement, 1);
    summary->twice = (size_t)sqlite3_column_int64(statement, 2);
    sqlite3_finalize(statement);
    return result < 0 ? -1 : 0;
}

static int summarize(struct store *store, struct merge_summary *summary, const struct merge_teller *teller,
                     struct error *error)
{
    *summary = (struct merge_summary){0};
    if (store_execute(store, find_others, error) != 0 || count_rows(store, summary, error) != 0 ||
        name_conflicts(store, other_sources, teller, &summary->conflicts, error) != 0 ||
        name_conflicts(store, other_trials, teller, &summary->conflicts, error) != 0)
        return -1;
    return 0;
}

/* --- all of it --- */

/* Calls `take` with each file attached. */
static int each_file(struct store *store, char *const *files, size_t count,
                     int (*take)(struct store *store, size_t file, struct error *error), struct error *error)
{
    for (size_t i = 0; i < count; ++i) {
        struct error ignored;
        if (attach(store, files[i], error) != 0)
            return -1;
        const int result = take(store, i, error);
        if (store_execute(store, "DETACH src", result == 0 ? error : &ignored) != 0 || result != 0)
            return error_context(error, "%s", files[i]);
    }
    return 0;
}

static const char drop_boards[] =
    "UPDATE main.observation SET board = NULL, samples = NULL WHERE board IS NOT NULL AND rowid NOT IN ("
    " SELECT number FROM (SELECT o.rowid AS number, row_number() OVER (PARTITION BY t.device, t.estimator, t.scenario,"
    "  t.kernel, v.verdict, v.cause ORDER BY length(o.board), o.rowid) AS rank"
    " FROM main.observation o JOIN main.trial t ON t.id = o.trial"
    " LEFT JOIN main.verdict v ON v.trial = o.trial AND v.launch = o.launch WHERE o.board IS NOT NULL AND"
    "  v.verdict IS NOT 'pass') WHERE rank = 1)";

int merge_files(const char *path, char *const *files, size_t count, enum merge_boards boards,
                struct merge_summary *summary, const struct merge_teller *teller, struct error *error)
{
    struct store *store;

    if (store_create_draft(path, NULL, &store, error) != 0)
        return -1;
    int result = create_gathering(store, error);
    if (result == 0)
        result = each_file(store, files, count, gather, error);
    if (result == 0)
        result = decide(store, error);
    if (result == 0)
        result = each_file(store, files, count, copy_rows, error);
    if (result == 0)
        result = summarize(store, summary, teller, error);
    if (result == 0 && boards == MERGE_BOARDS_CLASS)
        result =
            store_execute(store, drop_boards, error) != 0 || store_execute(store, "VACUUM main", error) != 0 ? -1 : 0;
    /* Only now it is a run file: one that was left half done is none. */
    if (result == 0)
        result = store_sign(store, error);
    if (result == 0)
        return store_publish(store, error);
    store_discard(store);
    return -1;
}
