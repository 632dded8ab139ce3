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

/* All but its id. */
static void free_trial(struct trial_row *trial)
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

/* Moves the launch to the trial, with its board and samples. */
static void add_launch(struct trial_row *trial, struct launch_row *launch)
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

enum { QUICK_TRIALS = 256 }; /* for so many the file is locked at a time */

/* Trials beside their launches: one row a launch, or one of a trial without any. */
struct rows {
    const struct store_walk *walk;
    sqlite3_stmt *statement;
    int next; /* 1: the statement stands at a row that was not read yet; 0: there are no more; -1: error */
    int left; /* trials to be read until the statement is over */
};

enum { JOINED = 4, FIRST_COLUMN = 2 };
static const struct table *const joined[JOINED] = {&store_begun_table, &store_ended_table, &store_observation_table,
                                                   &store_verdict_table};

static bool has_words(const struct rows *rows, const struct trial_row *trial)
{
    return !rows->walk->quick && (!rows->walk->census || trial->stored.trial.kind == TRIAL_CENSUS);
}

/* To unpack a board takes longer than to read all else of a trial. */
static void add_column(sqlite3_str *sql, const struct rows *rows, const struct table *table,
                       const struct column *column)
{
    const bool is_words = column->kind == KIND_WORDS;

    if (is_words && rows->walk->quick)
        sqlite3_str_appendall(sql, ", NULL");
    else if (is_words && rows->walk->census)
        sqlite3_str_appendf(sql, ", CASE WHEN trial.estimator = %Q THEN %s.%s END", trial_kind_name(TRIAL_CENSUS),
                            table->name, column->name);
    else
        sqlite3_str_appendf(sql, ", %s.%s", table->name, column->name);
}

static int prepare(struct store *store, struct rows *rows, struct error *error)
{
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendall(sql, "SELECT trial.id, observation.launch");
    for (size_t i = 0; i < JOINED; ++i)
        for (size_t j = 0; j < joined[i]->count; ++j)
            if (store_lacks(store, "main", joined[i], &joined[i]->columns[j]))
                sqlite3_str_appendall(sql, ", NULL");
            else
                add_column(sql, rows, joined[i], &joined[i]->columns[j]);
    sqlite3_str_appendall(sql, " FROM trial LEFT JOIN observation ON observation.trial = trial.id"
                               " LEFT JOIN verdict ON verdict.trial = trial.id AND verdict.launch = observation.launch"
                               " WHERE trial.device = ? AND trial.id > ? ORDER BY trial.id, observation.launch");
    return store_prepare(store, sql, &rows->statement, error);
}

/* Reads the columns of two of the joined tables into a row that they share. */
static int read_two(struct store *store, const struct rows *rows, size_t table, void *row, struct error *error)
{
    int column = FIRST_COLUMN;

    for (size_t i = 0; i < table; ++i)
        column += (int)joined[i]->count;
    return row_read(store, rows->statement, column, joined[table], row, error) != 0
               ? -1
               : row_read(store, rows->statement, column + (int)joined[table]->count, joined[table + 1], row, error);
}

static int read_launch(struct store *store, const struct rows *rows, struct trial_row *trial, struct error *error)
{
    struct launch_row row = {.trial = 0};
    int result = read_two(store, rows, 2, &row, error);

    if (result == 0 && row.alike[0] != '\0' && has_words(rows, trial))
        result = store_read_shared(store, trial, &row, error);
    if (result == 0)
        add_launch(trial, &row);
    row_free(&store_observation_table, &row);
    return result;
}

/* Reads a trial from the row at which the statement stands, up to the first row of the next one. */
static int read_trial(struct store *store, struct rows *rows, struct trial_row *trial, struct error *error)
{
    trial->stored.id = sqlite3_column_int64(rows->statement, 0);
    if (read_two(store, rows, 0, trial, error) != 0)
        return -1;
    while (rows->next == 1 && sqlite3_column_int64(rows->statement, 0) == trial->stored.id) {
        if (sqlite3_column_type(rows->statement, 1) != SQLITE_NULL && read_launch(store, rows, trial, error) != 0)
            return -1;
        rows->next = store_next(store, rows->statement, error);
    }
    return rows->next < 0 ? -1 : 0;
}

/* Reads the device's first trial after the one that *trial was: 1, 0 if there is none, or -1. */
static int next_trial(struct store *store, struct rows *rows, struct trial_row *trial, struct error *error)
{
    if (rows->left == 0) {
        if (store_start(store, rows->statement, rows->walk->device, trial->stored.id, error) != 0)
            return -1;
        rows->next = store_next(store, rows->statement, error);
        rows->left = rows->walk->quick ? QUICK_TRIALS : 1;
    }
    if (rows->next != 1)
        return rows->next;
    if (read_trial(store, rows, trial, error) != 0)
        return -1;
    if (--rows->left == 0)
        sqlite3_reset(rows->statement);
    return trial->of_block && has_words(rows, trial) && store_read_tests(store, trial, error) != 0 ? -1 : 1;
}

/* Parts that are empty are not stored. */
static void fill(struct store_trial *stored)
{
    const char **const parts[] = {&stored->tried.options, &stored->tried.kernel, &stored->tried.arguments};

    if (stored->note == NULL)
        stored->note = "";
    if (stored->made_up == NULL)
        stored->made_up = "";
    for (size_t i = 0; stored->tried.text != NULL && i < sizeof parts / sizeof *parts; ++i)
        if (*parts[i] == NULL)
            *parts[i] = "";
}

int store_each_trial(struct store *store, const struct store_walk *walk, struct error *error)
{
    struct rows rows = {.walk = walk};
    struct trial_row trial = {.stored = {.id = walk->after}};
    int result = store_settle(store, error);

    if (result == 0)
        result = prepare(store, &rows, error);
    while (result == 0 && (result = next_trial(store, &rows, &trial, error)) == 1) {
        struct store_trial filled = trial.stored;
        fill(&filled);
        result = walk->take(walk->context, &filled);
        if (result == 0)
            free_trial(&trial);
    }
    free_trial(&trial);
    sqlite3_finalize(rows.statement);
    return result;
}
