#include "store/internal.h"

#include "base/alloc.h"

#include <stdlib.h>

int store_find_trial(struct store *store, int64_t device_id, const char *name, int64_t *id, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendf(sql, "SELECT id FROM trial WHERE device = %lld AND name = %Q", (long long)device_id, name);
    const int result = store_prepare(store, sql, &statement, error) == 0 ? store_next(store, statement, error) : -1;
    *id = result == 1 ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return result < 0 ? -1 : 0;
}

void trial_row_free(struct trial_row *trial)
{
    struct store_trial *stored = &trial->stored;

    row_free(&store_ended_table, trial);
    free((void *)stored->launches);
    free((void *)stored->board);
    free((void *)stored->samples);
    for (uint32_t i = 0; i < stored->test_count; ++i)
        free((void *)stored->tests[i].program);
    free((void *)stored->tests);
    *trial = (struct trial_row){.stored = {.id = stored->id}};
}

void trial_row_add_launch(struct trial_row *trial, struct launch_row *launch)
{
    struct store_trial *stored = &trial->stored;

    GROW(stored->launches, stored->count);
    if (launch->board.items != NULL && stored->board == NULL) {
        stored->board = launch->board.items;
        stored->board_words = launch->board.count;
        stored->samples = launch->samples.items;
        stored->samples_words = launch->samples.count;
        stored->evidence = stored->count;
        launch->board.items = launch->samples.items = NULL; /* moved */
    }
    ((struct store_launch *)stored->launches)[stored->count++] = launch->stored;
}

static int read_launches(struct store *store, sqlite3_stmt *launches, struct trial_row *trial, struct error *error)
{
    const int verdicts = 1 + (int)store_observation_table.count;
    int found = store_start(store, launches, trial->stored.id, 0, error);

    while (found == 0 && (found = store_next(store, launches, error)) == 1) {
        struct launch_row row = {.trial = 0};
        found = row_read(store, launches, 1, &store_observation_table, &row, error);
        if (found == 0)
            found = row_read(store, launches, verdicts, &store_verdict_table, &row, error);
        if (found == 0 && row.alike[0] != '\0')
            found = store_read_shared(store, trial, &row, error);
        if (found == 0)
            trial_row_add_launch(trial, &row);
        row_free(&store_observation_table, &row);
    }
    sqlite3_reset(launches);
    return found;
}

/* Reads the device's first trial after the one that *trial was: 1, 0 if there is none, or -1. */
static int next_trial(struct store *store, sqlite3_stmt *trials, sqlite3_stmt *launches, int64_t device_id,
                      struct trial_row *trial, struct error *error)
{
    const int ended = 1 + (int)store_begun_table.count;
    int found = store_start(store, trials, device_id, trial->stored.id, error);

    if (found == 0)
        found = store_next(store, trials, error);
    if (found == 1) {
        trial->stored.id = sqlite3_column_int64(trials, 0);
        if (row_read(store, trials, 1, &store_begun_table, trial, error) != 0 ||
            row_read(store, trials, ended, &store_ended_table, trial, error) != 0 ||
            read_launches(store, launches, trial, error) != 0 ||
            (trial->of_block && store_read_tests(store, trial, error) != 0))
            found = -1;
    }
    sqlite3_reset(trials);
    return found;
}

/* Parts that are empty are not stored. */
static void fill(struct subject_tried *tried)
{
    const char **const parts[] = {&tried->options, &tried->kernel, &tried->arguments};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (*parts[i] == NULL)
            *parts[i] = "";
}

int trial_row_pass(const struct trial_row *trial, int (*take)(void *context, const struct store_trial *trial),
                   void *context)
{
    struct store_trial stored = trial->stored;

    if (stored.note == NULL)
        stored.note = "";
    if (stored.tried.text != NULL)
        fill(&stored.tried);
    return take(context, &stored);
}

int store_each_trial(struct store *store, int64_t device_id, int64_t after,
                     int (*take)(void *context, const struct store_trial *trial), void *context, struct error *error)
{
    sqlite3_stmt *trials = NULL;
    sqlite3_stmt *launches = NULL;
    struct trial_row trial = {.stored = {.id = after}};
    int result = -1;

    if (store_settle(store, error) != 0 ||
        store_prepare_select(store, "id", &store_begun_table, &store_ended_table,
                             "FROM trial WHERE device = ? AND id > ? ORDER BY id LIMIT 1", &trials, error) != 0 ||
        store_prepare_select(store, "launch", &store_observation_table, &store_verdict_table,
                             "FROM observation LEFT JOIN verdict USING (trial, launch) WHERE trial = ? ORDER BY launch",
                             &launches, error) != 0)
        goto out;
    while ((result = next_trial(store, trials, launches, device_id, &trial, error)) == 1) {
        result = trial_row_pass(&trial, take, context);
        if (result != 0)
            break;
        trial_row_free(&trial);
    }

out:
    trial_row_free(&trial);
    sqlite3_finalize(trials);
    sqlite3_finalize(launches);
    return result;
}
