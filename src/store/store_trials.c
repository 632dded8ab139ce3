#include "store/internal.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

int store_find_trial(struct store *store, int64_t device_id, const char *name, int64_t *id, struct error *error)
{
    sqlite3_stmt *statement = NULL;

    *id = 0;
    if (store_prepare_text(store, "SELECT id FROM trial WHERE device = ? AND name = ?", &statement, error) != 0)
        return -1;
    int result = store_start(store, statement, device_id, 0, error);
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

void reading_free(struct reading *reading)
{
    row_free(&store_ended_table, &reading->row);
    free(reading->launches);
    free((void *)reading->board.items);
    free((void *)reading->samples.items);
    for (uint32_t i = 0; i < reading->test_count; ++i)
        free((void *)reading->tests[i].program);
    free(reading->tests);
    *reading = (struct reading){.id = reading->id};
}

int reading_add_launch(struct reading *reading, struct launch_row *row)
{
    if (GROW(reading->launches, reading->count) != 0)
        return -1;
    if (row->board.items != NULL && reading->board.items == NULL) {
        reading->board = row->board;
        reading->samples = row->samples;
        reading->evidence = reading->count;
        row->board.items = row->samples.items = NULL; /* moved */
    }
    reading->launches[reading->count++] = row->stored;
    return 0;
}

static int read_launches(struct store *store, sqlite3_stmt *launches, struct reading *reading, struct error *error)
{
    const int verdicts = 1 + (int)store_observation_table.count;
    int found = store_start(store, launches, reading->id, 0, error);

    while (found == 0 && (found = store_next(store, launches, error)) == 1) {
        struct launch_row row = {.trial = 0};
        found = row_read(store, launches, 1, &store_observation_table, &row, error);
        if (found == 0)
            found = row_read(store, launches, verdicts, &store_verdict_table, &row, error);
        if (found == 0 && reading_add_launch(reading, &row) != 0)
            found = error_set(error, STATUS_HARNESS, "cannot read '%s': out of memory", store->path);
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
    int found = store_start(store, trials, device_id, reading->id, error);

    if (found == 0)
        found = store_next(store, trials, error);
    if (found == 1) {
        reading->id = sqlite3_column_int64(trials, 0);
        if (row_read(store, trials, 1, &store_begun_table, &reading->row, error) != 0 ||
            row_read(store, trials, ended, &store_ended_table, &reading->row, error) != 0 ||
            read_launches(store, launches, reading, error) != 0 ||
            (reading->row.of_block && store_read_tests(store, reading, error) != 0))
            found = -1;
    }
    sqlite3_reset(trials);
    return found;
}

int reading_pass(const struct reading *reading, int (*take)(void *context, const struct store_trial *trial),
                 void *context)
{
    const struct trial_row *row = &reading->row;
    struct store_trial trial = {
        .id = reading->id,
        .trial = row->trial,
        .prediction = row->prediction,
        .ended = row->ended,
        .launches = reading->launches,
        .count = reading->count,
        .evidence = reading->evidence,
        .board = reading->board.items,
        .board_words = reading->board.count,
        .samples = reading->samples.items,
        .samples_words = reading->samples.count,
        .tests = reading->tests,
        .test_count = reading->test_count,
        .finding = row->finding,
        .duration_ns = row->duration_ns,
        .most_items = row->most_items,
        .multiple_items = row->multiple_items,
        .subject = row->subject,
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

    if (store_prepare_select(store, "id", &store_begun_table, &store_ended_table,
                             "FROM trial WHERE device = ? AND id > ? ORDER BY id LIMIT 1", &trials, error) != 0 ||
        store_prepare_select(store, "launch", &store_observation_table, &store_verdict_table,
                             "FROM observation LEFT JOIN verdict USING (trial, launch) WHERE trial = ? ORDER BY launch",
                             &launches, error) != 0)
        goto out;
    while ((result = next_trial(store, trials, launches, device_id, &reading, error)) == 1) {
        result = reading_pass(&reading, take, context);
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
