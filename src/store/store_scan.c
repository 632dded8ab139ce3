#include "store/internal.h"

enum { SCAN_TRIALS = 256 }; /* for so many the file is locked at a time */

/* The columns that a scan reads of a table, or of several with the same row. */
struct brief {
    struct column columns[64];
    struct table table;
};

static void add_columns(struct brief *brief, const struct table *table, sqlite3_str *sql)
{
    brief->table.name = table->name;
    brief->table.columns = brief->columns;
    for (size_t i = 0; i < table->count; ++i) {
        if (!table->columns[i].scanned)
            continue;
        brief->columns[brief->table.count++] = table->columns[i];
        sqlite3_str_appendf(sql, ", %s.%s", table->name, table->columns[i].name);
    }
}

/* Trials beside their launches, one row a launch. */
struct scan {
    struct brief trial, seen, verdict;
    sqlite3_stmt *statement;
    int next; /* 1: the statement stands at a row that was not read yet; 0: there are no more; -1: error */
};

static int prepare_scan(struct store *store, struct scan *scan, struct error *error)
{
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendall(sql, "SELECT trial.id, observation.launch");
    add_columns(&scan->trial, &store_begun_table, sql);
    add_columns(&scan->trial, &store_ended_table, sql);
    add_columns(&scan->seen, &store_observation_table, sql);
    add_columns(&scan->verdict, &store_verdict_table, sql);
    sqlite3_str_appendall(sql, " FROM trial LEFT JOIN observation ON observation.trial = trial.id"
                               " LEFT JOIN verdict ON verdict.trial = trial.id AND verdict.launch = observation.launch"
                               " WHERE trial.device = ? AND trial.id > ? ORDER BY trial.id, observation.launch");
    return store_prepare(store, sql, &scan->statement, error);
}

/* Reads a trial, up to the first row of the next one: 1, 0 if there is none, or -1. */
static int scan_trial(struct store *store, struct scan *scan, struct trial_row *trial, struct error *error)
{
    const int seen = 2 + (int)scan->trial.table.count;
    const int verdict = seen + (int)scan->seen.table.count;

    if (scan->next != 1)
        return scan->next;
    *trial = (struct trial_row){
        .stored = {.id = sqlite3_column_int64(scan->statement, 0), .launches = trial->stored.launches}};
    if (row_read(store, scan->statement, 2, &scan->trial.table, trial, error) != 0)
        return -1;
    while (scan->next == 1 && sqlite3_column_int64(scan->statement, 0) == trial->stored.id) {
        struct launch_row row = {.trial = 0};
        if (sqlite3_column_type(scan->statement, 1) != SQLITE_NULL) {
            if (row_read(store, scan->statement, seen, &scan->seen.table, &row, error) != 0 ||
                row_read(store, scan->statement, verdict, &scan->verdict.table, &row, error) != 0)
                return -1;
            trial_row_add_launch(trial, &row);
        }
        scan->next = store_next(store, scan->statement, error);
    }
    return scan->next < 0 ? -1 : 1;
}

/* Reads and passes some trials, and sets *more if there may be others behind them. */
static int scan_some(struct store *store, struct scan *scan, int64_t device_id, struct trial_row *trial, bool *more,
                     int (*take)(void *context, const struct store_trial *trial), void *context, struct error *error)
{
    int result = store_start(store, scan->statement, device_id, trial->stored.id, error);
    int found = 1;

    scan->next = result == 0 ? store_next(store, scan->statement, error) : -1;
    for (int i = 0; result == 0 && found == 1 && i < SCAN_TRIALS; ++i) {
        found = scan_trial(store, scan, trial, error);
        result = found == 1 ? trial_row_pass(trial, take, context) : found;
        row_free(&store_ended_table, trial);
    }
    sqlite3_reset(scan->statement);
    *more = found == 1;
    return result;
}

int store_scan_trials(struct store *store, int64_t device_id, int64_t after,
                      int (*take)(void *context, const struct store_trial *trial), void *context, struct error *error)
{
    struct scan scan = {.statement = NULL};
    struct trial_row trial = {.stored = {.id = after}};
    int result = store_settle(store, error);

    if (result == 0)
        result = prepare_scan(store, &scan, error);
    for (bool more = true; result == 0 && more;)
        result = scan_some(store, &scan, device_id, &trial, &more, take, context, error);
    trial_row_free(&trial);
    sqlite3_finalize(scan.statement);
    return result;
}
