#include "store/internal.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void list_options(struct device_row *row)
{
    const struct search_options *options = &row->device.options;

    for (int i = 0; i < ESTIMATOR_COUNT; ++i)
        if (options->estimators[i])
            text_list(row->estimators, sizeof row->estimators, ",", "%s", trial_kind_name((enum trial_kind)i));
    for (uint32_t i = 0; i < options->given_count; ++i)
        text_list(row->given, sizeof row->given, ",", "%" PRIu32, options->given[i]);
}

static int execute_printed(struct store *store, struct error *error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    return store_execute_built(store, sql, error);
}

/* An UPDATE of the row with that id must have changed it. */
static int check_changed(const struct store *store, const char *what, int64_t id, const char *missing,
                         struct error *error)
{
    if (sqlite3_changes(store->database) == 1)
        return 0;
    return error_set(error, STATUS_HARNESS, "cannot write to '%s': %s %" PRId64 " %s", store->path, what, id, missing);
}

/* Writes how a trial ended; `where` is an SQL condition for it. */
static int update_ended(struct store *store, const struct trial_row *row, int64_t id, const char *where,
                        struct error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendall(sql, "UPDATE trial SET ");
    row_append_names(sql, &store_ended_table, " = ?");
    sqlite3_str_appendf(sql, " WHERE id = %lld AND %s", (long long)id, where);
    if (store_prepare(store, sql, &statement, error) != 0)
        return -1;
    const int code = row_bind(statement, &store_ended_table, row);
    const int result =
        code == SQLITE_OK ? store_next(store, statement, error) : store_fail(store, code, "write to", error);
    sqlite3_finalize(statement);
    return result;
}

static int insert_device(struct store *store, const struct device_row *row, int64_t *id, struct error *error)
{
    const int64_t wanted = *id;

    if (row_insert_one(store, &store_device_table, row, id, error) != 0)
        return -1;
    if (wanted == 0 || wanted == *id)
        return 0;
    const int64_t given = *id;
    *id = wanted;
    return execute_printed(store, error, "UPDATE device SET id = %lld WHERE id = %lld", (long long)wanted,
                           (long long)given);
}

int store_add_device(struct store *store, struct store_device *device, struct error *error)
{
    struct device_row row = {.device = *device};

    list_options(&row);
    if (store_transact(store, error) != 0)
        return -1;
    return store_finish(store, insert_device(store, &row, &device->id, error), error);
}

int store_note_devices(struct store *store, uint32_t devices, struct error *error)
{
    return execute_printed(store, error, "UPDATE run SET devices = %u", devices);
}

int store_write_share(struct store *store, const struct store_share *share, struct error *error)
{
    return execute_printed(store, error,
                           "INSERT OR REPLACE INTO share (run, device, planned, own, ended)"
                           " SELECT uuid, %lld, %lld, %lld, %d FROM run",
                           (long long)share->device, (long long)share->planned, (long long)share->own, share->ended);
}

static int insert_asserted(struct store *store, const char *kind, struct store_asserted *rows, size_t count,
                           struct error *error)
{
    if (execute_printed(store, error, "DELETE FROM asserted WHERE kind = %Q", kind) != 0)
        return -1;
    for (size_t i = 0; i < count; ++i) {
        rows[i].run[0] = '\0';
        snprintf(rows[i].kind, sizeof rows[i].kind, "%s", kind);
        if (row_insert_one(store, &store_asserted_table, &rows[i], NULL, error) != 0)
            return -1;
    }
    return execute_printed(store, error, "UPDATE asserted SET run = (SELECT uuid FROM run) WHERE run = ''");
}

int store_write_asserted(struct store *store, const char *kind, struct store_asserted *rows, size_t count,
                         struct error *error)
{
    if (store_transact(store, error) != 0)
        return -1;
    return store_finish(store, insert_asserted(store, kind, rows, count, error), error);
}

int store_mark_wedged(struct store *store, int64_t device_id, bool wedged, struct error *error)
{
    if (execute_printed(store, error, "UPDATE device SET wedged = %d WHERE id = %lld", wedged, (long long)device_id) !=
        0)
        return -1;
    return check_changed(store, "device", device_id, "was not added", error);
}

int store_note_left_out(struct store *store, int64_t device_id, const char *left_out, struct error *error)
{
    if (execute_printed(store, error, "UPDATE device SET left_out = %Q WHERE id = %lld", left_out,
                        (long long)device_id) != 0)
        return -1;
    return check_changed(store, "device", device_id, "was not added", error);
}

int store_write_asked(struct store *store, const struct store_run *run, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = row_prepare_insert(store, &store_asked_table, &statement, error);

    for (size_t i = 0; result == 0 && i < run->asked_count; ++i) {
        struct store_asked row = run->asked[i];
        memcpy(row.run, run->uuid, sizeof row.run);
        row.place = (uint32_t)i;
        result = row_insert(store, statement, &store_asked_table, &row, error);
    }
    sqlite3_finalize(statement);
    return result;
}

int store_add_source(struct store *store, const struct store_source *source, struct error *error)
{
    return row_insert_one(store, &store_source_table, source, NULL, error);
}

int store_begin_trial(struct store *store, int64_t device_id, uint32_t sequence, const struct trial *trial,
                      const struct store_prediction *prediction, int64_t *trial_row, struct error *error)
{
    struct trial_row row = {
        .device = device_id,
        .stored = {.run = 1, .sequence = sequence, .trial = *trial}, /* a file that is written to has one run */
        .of_scenario = trial->work.kernel[0] != '\0',
        .of_range = trial->work.range.dimensions != 0,
        .of_subject = trial->footprint.subject.file[0] != '\0',
        .of_block = trial->kind == TRIAL_PROGRESS,
    };

    row.of_lot = row.of_block && mapping_has_seed(trial->block.mapping.kind);
    if (prediction != NULL)
        row.stored.prediction = *prediction;
    trial_id(trial, sequence, row.stored.name, sizeof row.stored.name);
    return row_insert_one(store, &store_begun_table, &row, trial_row, error);
}

static int write_end(struct store *store, int64_t trial_row, const struct store_end *end, struct error *error)
{
    struct trial_row row = {
        .stored = {.ended = true,
                   .duration_ns = end->duration_ns,
                   .facts = end->facts,
                   .strain = end->strain,
                   .tried = end->tried,
                   .note = end->note,
                   .made_up = end->made_up},
        .found = end->finding != NULL,
        .built = end->subject != NULL,
        .rungs = end->rungs,
        .stderr_tail = end->stderr_tail,
    };

    optional_print(end->left_out, row.stored.trial.left_out);
    if (end->finding != NULL)
        row.stored.finding = *end->finding;
    if (end->subject != NULL)
        row.stored.subject = *end->subject;
    if (update_ended(store, &row, trial_row, "duration_ns IS NULL", error) != 0)
        return -1;
    return check_changed(store, "trial", trial_row, "was not begun or has already ended", error);
}

static int write_launches(struct store *store, int64_t trial_row, const struct store_end *end, struct error *error)
{
    sqlite3_stmt *observation = NULL;
    sqlite3_stmt *verdict = NULL;
    int result = -1;

    if (row_prepare_insert(store, &store_observation_table, &observation, error) != 0 ||
        row_prepare_insert(store, &store_verdict_table, &verdict, error) != 0)
        goto out;
    for (uint32_t i = 0; i < end->count; ++i) {
        struct launch_row row = {.trial = trial_row, .launch = i, .rules = VERDICT_RULES, .stored = end->launches[i]};
        if (i == end->evidence) {
            row.board = (struct words){end->board, end->board_words, end->packed_board};
            row.samples = (struct words){.items = end->samples, .count = end->samples_words};
            if (end->shares_board && store_share_board(store, trial_row, end, &row, error) != 0)
                goto out;
        }
        if (row_insert(store, observation, &store_observation_table, &row, error) != 0 ||
            row_insert(store, verdict, &store_verdict_table, &row, error) != 0)
            goto out;
    }
    result = 0;

out:
    sqlite3_finalize(observation);
    sqlite3_finalize(verdict);
    return result;
}

int store_end_trial(struct store *store, int64_t trial_row, const struct store_end *end, struct error *error)
{
    int result;

    if (end->board != NULL && end->evidence >= end->count)
        return error_set(error, STATUS_HARNESS,
                         "cannot write to '%s': a board of launch %" PRIu32 ", but the trial has %" PRIu32 " launches",
                         store->path, end->evidence, end->count);
    if (store_transact(store, error) != 0)
        return -1;
    result = write_end(store, trial_row, end, error);
    if (result == 0)
        result = write_launches(store, trial_row, end, error);
    if (result == 0 && end->schedule.turns != NULL)
        result = store_write_schedule(store, trial_row, &end->schedule, error);
    if (result == 0 && end->proof != NULL)
        result =
            store_write_proof(store, trial_row, &(struct words){.items = end->proof, .count = end->proof_words}, error);
    if (result == 0 && end->sighting != NULL)
        result = store_write_sighting(store, trial_row, end->sighting, error);
    if (result == 0 && end->test_count > 0)
        result = store_write_tests(store, trial_row, end, error);
    return store_finish(store, result, error);
}

static int delete_if_there(struct store *store, const struct table *table, long long trial, struct error *error)
{
    const int found = store_has_table(store, "main", table, error);

    return found <= 0 ? found : execute_printed(store, error, "DELETE FROM %s WHERE trial = %lld", table->name, trial);
}

int store_reopen_trial(struct store *store, int64_t trial_row, struct error *error)
{
    const struct trial_row row = {.stored = {.ended = false}};
    const long long id = trial_row;

    if (store_transact(store, error) != 0)
        return -1;
    int result = execute_printed(store, error,
                                 "DELETE FROM verdict WHERE trial = %lld; DELETE FROM observation WHERE trial = %lld;"
                                 " DELETE FROM litmus WHERE trial = %lld",
                                 id, id, id);
    if (result == 0)
        result = delete_if_there(store, &store_schedule_table, id, error);
    if (result == 0)
        result = delete_if_there(store, &store_proof_table, id, error);
    if (result == 0)
        result = update_ended(store, &row, trial_row, "true", error);
    if (result == 0)
        result = check_changed(store, "trial", trial_row, "was not begun", error);
    return store_finish(store, result, error);
}
