#include "store/internal.h"

#include "base/alloc.h"
#include "base/shard.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
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
        int estimator = naming_find(&estimator_naming, name);
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

int store_start(struct store *store, sqlite3_stmt *statement, int64_t first, int64_t second, struct error *error)
{
    int code = sqlite3_bind_int64(statement, 1, first);
    if (code == SQLITE_OK && sqlite3_bind_parameter_count(statement) > 1)
        code = sqlite3_bind_int64(statement, 2, second);
    return code == SQLITE_OK ? 0 : store_fail(store, code, "read", error);
}

int store_prepare_select(struct store *store, const char *key, const struct table *table, const char *rest,
                         sqlite3_stmt **statement, struct error *error)
{
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendf(sql, "SELECT %s, ", key);
    for (size_t i = 0; i < table->count; ++i)
        sqlite3_str_appendf(sql, "%s%s", i > 0 ? ", " : "",
                            store_lacks(store, "main", table, &table->columns[i]) ? "NULL" : table->columns[i].name);
    sqlite3_str_appendf(sql, " %s", rest);
    return store_prepare(store, sql, statement, error);
}

/* Reads the table's first row behind that of *id, whose id it then is: 1, 0 if there is none, or -1. */
static int read_next(struct store *store, const struct table *table, int64_t *id, void *row, struct error *error)
{
    sqlite3_stmt *rows = NULL;
    char rest[64];

    snprintf(rest, sizeof rest, "FROM %s WHERE id > ? ORDER BY id LIMIT 1", table->name);
    int found = store_prepare_select(store, "id", table, rest, &rows, error);
    if (found == 0)
        found = store_start(store, rows, *id, 0, error);
    if (found == 0)
        found = store_next(store, rows, error);
    if (found == 1) {
        *id = sqlite3_column_int64(rows, 0);
        if (row_read(store, rows, 1, table, row, error) != 0)
            found = -1;
    }
    sqlite3_finalize(rows);
    return found;
}

int store_next_device(struct store *store, struct store_device *device, struct error *error)
{
    struct device_row row = {.device = {.id = device->id}};
    struct search_options *options = &row.device.options;
    int found = read_next(store, &store_device_table, &row.device.id, &row, error);

    if (found == 1 && (read_estimators(row.estimators, options) != 0 || read_given(row.given, options) != 0))
        found =
            error_set(error, STATUS_HARNESS, "cannot read '%s': the search options of device %" PRId64 " are not valid",
                      store->path, row.device.id);
    if (found == 1 && store_number_device(store, device->id == 0, &row.device, error) != 0)
        found = -1;
    if (row.device.id != device->id)
        *device = row.device;
    return found;
}

/* Who reports a run goes through its shards. */
static int check_shard(const struct store *store, const struct store_run *run, struct error *error)
{
    if (!run->sharded || (run->shard < run->shards && run->shards <= SHARDS_MOST))
        return 0;
    return error_set(error, STATUS_HARNESS, "cannot read '%s': no run is shard %" PRIu32 "/%" PRIu32, store->path,
                     run->shard, run->shards);
}

static int read_asked(struct store *store, struct store_run *run, struct error *error)
{
    return store_read_rows(store, &store_asked_table, sizeof *run->asked, "FROM asked WHERE run = ? ORDER BY place",
                           run->uuid, &run->asked, &run->asked_count, error);
}

static void free_asked(struct store_run *run)
{
    for (size_t i = 0; i < run->asked_count; ++i)
        row_free(&store_asked_table, &run->asked[i]);
    free(run->asked);
    run->asked = NULL;
    run->asked_count = 0;
}

int store_next_run(struct store *store, struct store_run *run, struct error *error)
{
    *run = (struct store_run){.id = run->id};
    const int found = read_next(store, &store_run_table, &run->id, run, error);
    return found == 1 && (check_shard(store, run, error) != 0 || read_asked(store, run, error) != 0) ? -1 : found;
}

void store_run_fini(struct store_run *run)
{
    row_free(&store_run_table, run);
    free_asked(run);
}

int store_each_run(struct store *store, int (*take)(void *context, const struct store_run *run), void *context,
                   struct error *error)
{
    struct store_run run = {.id = 0};
    int result;

    while ((result = store_next_run(store, &run, error)) == 1) {
        result = take(context, &run);
        if (result != 0)
            break;
        store_run_fini(&run);
    }
    store_run_fini(&run);
    return result;
}

int store_read_rows(struct store *store, const struct table *table, size_t size, const char *rest, const char *key,
                    void *rows, size_t *count, struct error *error)
{
    sqlite3_stmt *found = NULL;
    int result = store_prepare_select(store, "1", table, rest, &found, error);

    if (result == 0 && key != NULL && sqlite3_bind_text(found, 1, key, -1, SQLITE_STATIC) != SQLITE_OK)
        result = store_fail(store, SQLITE_NOMEM, "read", error);
    while (result == 0 && (result = store_next(store, found, error)) == 1) {
        char *all;
        grow(rows, *count, size);
        memcpy(&all, rows, sizeof all);
        char *row = memset(all + size * (*count)++, 0, size);
        result = row_read(store, found, 1, table, row, error);
    }
    sqlite3_finalize(found);
    return result;
}

int store_read_shares(struct store *store, struct store_share **shares, size_t *count, struct error *error)
{
    *shares = NULL;
    *count = 0;
    return store_read_rows(store, &store_share_table, sizeof **shares, "FROM share ORDER BY run, device", NULL, shares,
                           count, error);
}

int store_read_asserted(struct store *store, struct store_asserted **rows, size_t *count, struct error *error)
{
    *rows = NULL;
    *count = 0;
    return store_read_rows(store, &store_asserted_table, sizeof **rows,
                           "FROM asserted ORDER BY device, kind, run, name", NULL, rows, count, error);
}

/*
 * Of trials that say it; the first parameter is the device, the second whether all count, or only those in doubt. Where
 * a kernel is launched as it is, trials are repeated because that was asked for.
 */
static const char strain_sql[] =
    "SELECT count(*), max(processors), sum(1.0 * others_used * duration_ns) / sum(duration_ns),"
    " sum(1.0 * pressure * duration_ns) / sum(iif(pressure IS NULL, 0, duration_ns))"
    " FROM trial WHERE device = ?1 AND others_used IS NOT NULL AND duration_ns > 0 AND (?2 OR"
    " (sequence > 0 AND estimator <> 'try') OR EXISTS"
    " (SELECT 1 FROM verdict WHERE trial = trial.id AND verdict IN ('inconclusive', 'hang')"
    " AND ifnull(instr(expected, verdict), 0) = 0) OR EXISTS"
    " (SELECT 1 FROM observation WHERE trial = trial.id AND (relapsed OR overdue)))";

static int read_strain(struct store *store, int64_t device_id, bool all, struct strain *strain, uint64_t *trials,
                       struct error *error)
{
    sqlite3_stmt *rows = NULL;
    int result = store_prepare_text(store, strain_sql, &rows, error);

    if (result == 0 &&
        (sqlite3_bind_int64(rows, 1, device_id) != SQLITE_OK || sqlite3_bind_int(rows, 2, all) != SQLITE_OK))
        result = store_fail(store, SQLITE_NOMEM, "read", error);
    if (result == 0)
        result = store_next(store, rows, error);
    if (result == 1) {
        *trials = (uint64_t)sqlite3_column_int64(rows, 0);
        *strain = (struct strain){
            .known = *trials > 0,
            .processors = (uint32_t)sqlite3_column_int64(rows, 1),
            .others = (uint32_t)sqlite3_column_int64(rows, 2),
            .pressure = (uint32_t)sqlite3_column_int64(rows, 3),
            .pressure_known = sqlite3_column_type(rows, 3) != SQLITE_NULL,
        };
        result = 0;
    }
    sqlite3_finalize(rows);
    return result;
}

int store_read_strain(struct store *store, int64_t device_id, struct store_strain *strain, struct error *error)
{
    uint64_t ignored;

    *strain = (struct store_strain){.trials_in_doubt = 0};
    return read_strain(store, device_id, true, &strain->all, &ignored, error) == 0
               ? read_strain(store, device_id, false, &strain->in_doubt, &strain->trials_in_doubt, error)
               : -1;
}

int store_find_source(struct store *store, const char *name, struct store_source *source, struct error *error)
{
    struct store_source *rows = NULL;
    size_t count = 0;
    const int result = store_read_rows(store, &store_source_table, sizeof *rows, "FROM source WHERE name = ?", name,
                                       &rows, &count, error);

    *source = count > 0 ? rows[0] : (struct store_source){.name = ""};
    free(rows);
    return result;
}
