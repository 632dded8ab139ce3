#include "store/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Each row is read with a statement of its own, which is over before the caller gets the row: a
 * reader that prints slowly would otherwise hold a lock that keeps a run from writing.
 */

static int read_estimators(char *list, struct search_options *options)
{
    char *rest = NULL;
    for (char *name = strtok_r(list, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        int estimator = estimator_find(name);
        if (estimator < 0)
            return -1;
        options->estimators[estimator] = true;
    }
    return 0;
}

static int read_given(char *list, struct search_options *options)
{
    char *rest = NULL;
    for (char *number = strtok_r(list, ",", &rest); number != NULL; number = strtok_r(NULL, ",", &rest)) {
        char *end;
        unsigned long value;
        errno = 0;
        value = strtoul(number, &end, 10);
        if (*end != '\0' || errno != 0 || value > UINT32_MAX || options->given_count == SEARCH_GIVEN)
            return -1;
        options->given[options->given_count++] = (uint32_t)value;
    }
    return 0;
}

/* Binds the one or two numbers that the statements below take. */
static int start(struct store *store, sqlite3_stmt *statement, int64_t first, int64_t second, struct error *error)
{
    int code = sqlite3_bind_int64(statement, 1, first);
    if (code == SQLITE_OK && sqlite3_bind_parameter_count(statement) > 1)
        code = sqlite3_bind_int64(statement, 2, second);
    return code == SQLITE_OK ? 0 : store_fail(store, code, "read", error);
}

/* Prepares "SELECT key, <the columns of both tables> <rest>"; `second` may be NULL. */
static int prepare_select(struct store *store, const char *key, const struct table *first, const struct table *second,
                          const char *rest, sqlite3_stmt **statement, struct error *error)
{
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendf(sql, "SELECT %s, ", key);
    row_append_names(sql, first, "");
    if (second != NULL) {
        sqlite3_str_appendall(sql, ", ");
        row_append_names(sql, second, "");
    }
    sqlite3_str_appendf(sql, " %s", rest);
    return store_prepare(store, sql, statement, error);
}

/* Reads the first device after `after`: 1, 0 if there is none, or -1. */
static int next_device(struct store *store, sqlite3_stmt *devices, int64_t after, struct device_row *row,
                       struct error *error)
{
    int found = start(store, devices, after, 0, error);

    memset(row, 0, sizeof *row);
    if (found == 0)
        found = store_next(store, devices, error);
    if (found == 1) {
        row->device.id = sqlite3_column_int64(devices, 0);
        if (row_read(store, devices, 1, &store_device_table, row, error) != 0)
            found = -1;
        else if (read_estimators(row->estimators, &row->device.options) != 0 ||
                 read_given(row->given, &row->device.options) != 0)
            found = error_set(error, STATUS_HARNESS,
                              "cannot read '%s': the search options of device %" PRId64 " are not valid", store->path,
                              row->device.id);
    }
    sqlite3_reset(devices);
    return found;
}

int store_each_device(struct store *store, int (*take)(void *context, const struct store_device *device), void *context,
                      struct error *error)
{
    sqlite3_stmt *devices = NULL;
    struct device_row row = {.device = {.id = 0}};
    int result;

    if (prepare_select(store, "id", &store_device_table, NULL, "FROM device WHERE id > ? ORDER BY id LIMIT 1", &devices,
                       error) != 0)
        return -1;
    while ((result = next_device(store, devices, row.device.id, &row, error)) == 1) {
        result = take(context, &row.device);
        if (result != 0)
            break;
    }
    sqlite3_finalize(devices);
    return result;
}

/* Reads the first run after *id, whose row it then is: 1, 0 if there is none, or -1. */
static int next_run(struct store *store, sqlite3_stmt *runs, int64_t *id, struct store_run *run, struct error *error)
{
    int found = start(store, runs, *id, 0, error);

    memset(run, 0, sizeof *run);
    if (found == 0)
        found = store_next(store, runs, error);
    if (found == 1) {
        *id = sqlite3_column_int64(runs, 0);
        if (row_read(store, runs, 1, &store_run_table, run, error) != 0)
            found = -1;
    }
    sqlite3_reset(runs);
    return found;
}

int store_each_run(struct store *store, int (*take)(void *context, const struct store_run *run), void *context,
                   struct error *error)
{
    sqlite3_stmt *runs = NULL;
    struct store_run run = {.sharded = false};
    int64_t id = 0;
    int result;

    if (prepare_select(store, "id", &store_run_table, NULL, "FROM run WHERE id > ? ORDER BY id LIMIT 1", &runs,
                       error) != 0)
        return -1;
    while ((result = next_run(store, runs, &id, &run, error)) == 1) {
        result = take(context, &run);
        if (result != 0)
            break;
        row_free(&store_run_table, &run);
    }
    row_free(&store_run_table, &run);
    sqlite3_finalize(runs);
    return result;
}

int store_find_source(struct store *store, const char *name, struct store_source *source, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = prepare_select(store, "1", &store_source_table, NULL, "FROM source WHERE name = ?", &statement, error);

    *source = (struct store_source){.name = ""};
    if (result == 0 && sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC) != SQLITE_OK)
        result = store_fail(store, SQLITE_NOMEM, "read", error);
    if (result == 0)
        result = store_next(store, statement, error);
    if (result == 1)
        result = row_read(store, statement, 1, &store_source_table, source, error);
    sqlite3_finalize(statement);
    return result;
}

int store_find_trial(struct store *store, int64_t device_id, const char *name, int64_t *id, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_str *sql = sqlite3_str_new(store->database);

    *id = 0;
    sqlite3_str_appendall(sql, "SELECT id FROM trial WHERE device = ? AND name = ?");
    if (store_prepare(store, sql, &statement, error) != 0)
        return -1;
    int result = start(store, statement, device_id, 0, error);
    if (result == 0 && sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC) != SQLITE_OK)
        result = store_fail(store, SQLITE_NOMEM, "read", error);
    if (result == 0)
        result = store_next(store, statement, error);
    if (result == 1) {
        *id = sqlite3_column_int64(statement, 0);
        result = 0;
    }
    sqlite3_finalize(statement);
    return result;
}

/* A trial as it is read. */
struct reading {
    int64_t id;
    struct trial_row row;
    struct store_launch *launches;
    uint32_t count;
    uint32_t capacity;
    uint32_t evidence;
    struct words board;
};

static void reading_free(struct reading *reading)
{
    row_free(&store_ended_table, &reading->row);
    free(reading->launches);
    free((void *)reading->board.items);
    *reading = (struct reading){.id = reading->id};
}

static int add_launch(struct reading *reading, struct launch_row *row)
{
    if (reading->count == reading->capacity) {
        uint32_t capacity = reading->capacity == 0 ? 16 : 2 * reading->capacity;
        struct store_launch *launches = realloc(reading->launches, capacity * sizeof *launches);
        if (launches == NULL)
            return -1;
        reading->launches = launches;
        reading->capacity = capacity;
    }
    if (row->board.items != NULL && reading->board.items == NULL) {
        reading->board = row->board;
        reading->evidence = reading->count;
        row->board.items = NULL; /* moved */
    }
    reading->launches[reading->count++] = row->stored;
    return 0;
}

static int read_launches(struct store *store, sqlite3_stmt *launches, struct reading *reading, struct error *error)
{
    const int verdicts = 1 + (int)store_observation_table.count;
    int found = start(store, launches, reading->id, 0, error);

    while (found == 0 && (found = store_next(store, launches, error)) == 1) {
        struct launch_row row = {.trial = 0};
        found = row_read(store, launches, 1, &store_observation_table, &row, error);
        if (found == 0)
            found = row_read(store, launches, verdicts, &store_verdict_table, &row, error);
        if (found == 0 && add_launch(reading, &row) != 0)
            found = error_set(error, STATUS_HARNESS, "cannot read '%s': memory is short", store->path);
        row_free(&store_observation_table, &row);
    }
    sqlite3_reset(launches);
    return found;
}

/* Reads the device's first trial after the one in `reading`: 1, 0 if there is none, or -1. */
static int next_trial(struct store *store, sqlite3_stmt *trials, sqlite3_stmt *launches, int64_t device_id,
                      struct reading *reading, struct error *error)
{
    const int ended = 1 + (int)store_begun_table.count;
    int found = start(store, trials, device_id, reading->id, error);

    if (found == 0)
        found = store_next(store, trials, error);
    if (found == 1) {
        reading->id = sqlite3_column_int64(trials, 0);
        if (row_read(store, trials, 1, &store_begun_table, &reading->row, error) != 0 ||
            row_read(store, trials, ended, &store_ended_table, &reading->row, error) != 0 ||
            read_launches(store, launches, reading, error) != 0)
            found = -1;
    }
    sqlite3_reset(trials);
    return found;
}

static int pass_trial(const struct reading *reading, int (*take)(void *context, const struct store_trial *trial),
                      void *context)
{
    const struct trial_row *row = &reading->row;
    struct store_trial trial = {
        .id = reading->id,
        .device_id = row->device,
        .trial = row->trial,
        .prediction = row->prediction,
        .ended = row->ended,
        .launches = reading->launches,
        .count = reading->count,
        .evidence = reading->evidence,
        .board = reading->board.items,
        .board_words = reading->board.count,
        .duration_ns = row->duration_ns,
        .most_items = row->most_items,
        .multiple_items = row->multiple_items,
        .rungs = row->rungs != NULL ? row->rungs : "",
        .stderr_tail = row->stderr_tail != NULL ? row->stderr_tail : "",
        .note = row->note != NULL ? row->note : "",
    };

    memcpy(trial.name, row->name, sizeof trial.name);
    return take(context, &trial);
}

int store_each_trial(struct store *store, int64_t device_id, int64_t after,
                     int (*take)(void *context, const struct store_trial *trial), void *context, struct error *error)
{
    sqlite3_stmt *trials = NULL;
    sqlite3_stmt *launches = NULL;
    struct reading reading = {.id = after};
    int result = -1;

    if (prepare_select(store, "id", &store_begun_table, &store_ended_table,
                       "FROM trial WHERE device = ? AND id > ? ORDER BY id LIMIT 1", &trials, error) != 0 ||
        prepare_select(store, "launch", &store_observation_table, &store_verdict_table,
                       "FROM observation LEFT JOIN verdict USING (trial, launch) WHERE trial = ? ORDER BY launch",
                       &launches, error) != 0)
        goto out;
    while ((result = next_trial(store, trials, launches, device_id, &reading, error)) == 1) {
        result = pass_trial(&reading, take, context);
        if (result != 0)
            break;
        reading_free(&reading);
    }

out:
    reading_free(&reading);
    sqlite3_finalize(trials);
    sqlite3_finalize(launches);
    return result;
}

/* --- reading many trials --- */

enum { SCAN_TRIALS = 256 }; /* for so many the file is locked at a time */

/* The columns of a table that a scan reads. */
struct brief {
    struct column columns[64];
    struct table table;
};

static bool is_named(const char *const *names, const char *name)
{
    for (; *names != NULL; ++names)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

static void make_brief(struct brief *brief, const struct table *table, const char *const *names)
{
    brief->table = (struct table){.name = table->name, .columns = brief->columns};
    for (size_t i = 0; i < table->count; ++i)
        if (is_named(names, table->columns[i].name))
            brief->columns[brief->table.count++] = table->columns[i];
}

/* Trials beside their launches, one row a launch. */
struct scan {
    struct brief begun, ended, seen, verdict;
    sqlite3_stmt *statement;
    int next; /* 1: the statement stands at a row that was not read yet; 0: there are no more; -1: error */
};

static void choose_columns(struct scan *scan)
{
    static const char *const begun[] = {
        "device",  "name",     "position", "estimator",       "scenario",   "dimensions", "local_x",
        "local_y", "local_z",  "global_x", "global_y",        "global_z",   "known",      "known_verdicts",
        "checks",  "resident", "expected", "expected_causes", "local_size", "groups",     NULL,
    };
    static const char *const ended[] = {
        "duration_ns", "kernel_max_local_size", "kernel_preferred_multiple", "note", NULL,
    };
    static const char *const seen[] = {
        "outcome",       "started",   "waiting",       "done",       "witnesses", "checked",
        "stale",         "wrong",     "differing",     "bad_result", "bad_at",    "bad_wanted",
        "bad_got",       "shape_x",   "shape_y",       "shape_z",    "launched",  "starved_from",
        "never_started", "circle_at", "circle_groups", "items_at",   "unlock_at", "uneven_at",
        "lost_at",       "signal_at", "duration_ns",   "device_ns",  NULL,
    };
    static const char *const verdict[] = {"verdict", "cause", NULL};

    make_brief(&scan->begun, &store_begun_table, begun);
    make_brief(&scan->ended, &store_ended_table, ended);
    make_brief(&scan->seen, &store_observation_table, seen);
    make_brief(&scan->verdict, &store_verdict_table, verdict);
}

static void append_brief(sqlite3_str *sql, const struct brief *brief)
{
    for (size_t i = 0; i < brief->table.count; ++i)
        sqlite3_str_appendf(sql, ", %s.%s", brief->table.name, brief->columns[i].name);
}

static int prepare_scan(struct store *store, struct scan *scan, struct error *error)
{
    sqlite3_str *sql = sqlite3_str_new(store->database);

    choose_columns(scan);
    sqlite3_str_appendall(sql, "SELECT trial.id, observation.launch");
    append_brief(sql, &scan->begun);
    append_brief(sql, &scan->ended);
    append_brief(sql, &scan->seen);
    append_brief(sql, &scan->verdict);
    sqlite3_str_appendall(sql, " FROM trial LEFT JOIN observation ON observation.trial = trial.id"
                               " LEFT JOIN verdict ON verdict.trial = trial.id AND verdict.launch = observation.launch"
                               " WHERE trial.device = ? AND trial.id > ? ORDER BY trial.id, observation.launch");
    return store_prepare(store, sql, &scan->statement, error);
}

/* Reads a trial, up to the first row of the next one: 1, 0 if there is none, or -1. */
static int scan_trial(struct store *store, struct scan *scan, struct reading *reading, struct error *error)
{
    const int ended = 2 + (int)scan->begun.table.count;
    const int seen = ended + (int)scan->ended.table.count;
    const int verdict = seen + (int)scan->seen.table.count;

    if (scan->next != 1)
        return scan->next;
    reading->id = sqlite3_column_int64(scan->statement, 0);
    reading->count = 0;
    reading->row = (struct trial_row){.device = 0};
    if (row_read(store, scan->statement, 2, &scan->begun.table, &reading->row, error) != 0 ||
        row_read(store, scan->statement, ended, &scan->ended.table, &reading->row, error) != 0)
        return -1;
    while (scan->next == 1 && sqlite3_column_int64(scan->statement, 0) == reading->id) {
        struct launch_row row = {.trial = 0};
        if (sqlite3_column_type(scan->statement, 1) != SQLITE_NULL) {
            if (row_read(store, scan->statement, seen, &scan->seen.table, &row, error) != 0 ||
                row_read(store, scan->statement, verdict, &scan->verdict.table, &row, error) != 0)
                return -1;
            if (add_launch(reading, &row) != 0)
                return error_set(error, STATUS_HARNESS, "cannot read '%s': memory is short", store->path);
        }
        scan->next = store_next(store, scan->statement, error);
    }
    return scan->next < 0 ? -1 : 1;
}

/* Reads and passes some trials, and sets *more if there may be others behind them. */
static int scan_some(struct store *store, struct scan *scan, int64_t device_id, struct reading *reading, bool *more,
                     int (*take)(void *context, const struct store_trial *trial), void *context, struct error *error)
{
    int result = start(store, scan->statement, device_id, reading->id, error);
    int found = 1;

    scan->next = result == 0 ? store_next(store, scan->statement, error) : -1;
    for (int i = 0; result == 0 && found == 1 && i < SCAN_TRIALS; ++i) {
        found = scan_trial(store, scan, reading, error);
        result = found == 1 ? pass_trial(reading, take, context) : found;
        row_free(&store_ended_table, &reading->row);
    }
    sqlite3_reset(scan->statement);
    *more = found == 1;
    return result;
}

int store_scan_trials(struct store *store, int64_t device_id, int64_t after,
                      int (*take)(void *context, const struct store_trial *trial), void *context, struct error *error)
{
    struct scan scan = {.statement = NULL};
    struct reading reading = {.id = after};
    int result = prepare_scan(store, &scan, error);

    for (bool more = true; result == 0 && more;)
        result = scan_some(store, &scan, device_id, &reading, &more, take, context, error);
    reading_free(&reading);
    sqlite3_finalize(scan.statement);
    return result;
}
