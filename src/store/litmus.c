#include "store/internal.h"

#include "base/alloc.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

/* --- positions: a number for each thread that has started, and - for the others --- */

static unsigned count_threads(const char *program)
{
    unsigned threads = 1;
    for (; *program != '\0'; ++program)
        threads += *program == '|';
    return threads < MAPPING_THREADS ? threads : MAPPING_THREADS;
}

static void print_positions(struct test_row *row)
{
    const struct test_state *state = &row->stored.outcome.state;
    const unsigned threads = count_threads(row->stored.program);

    for (unsigned thread = 0; thread < threads || state->threads_started >> thread != 0; ++thread)
        if ((state->threads_started >> thread & 1) != 0)
            text_list(row->positions, sizeof row->positions, " ", "%u", state->position[thread]);
        else
            text_list(row->positions, sizeof row->positions, " ", "-");
}

/* False: they are none, or not of the threads that have started. */
static bool read_positions(struct test_row *row)
{
    struct test_state *state = &row->stored.outcome.state;
    const char *at = row->positions;
    unsigned started = 0, thread = 0;

    for (; *at != '\0' && thread < MAPPING_THREADS; ++thread) {
        char *end = NULL;
        const unsigned long position = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : UINT8_MAX + 1;
        if (*at != '-' && position > UINT8_MAX)
            return false;
        if (*at != '-') {
            state->position[thread] = (uint8_t)position;
            started |= 1u << thread;
        }
        at = *at == '-' ? at + 1 : end;
        if (*at != '\0' && *at++ != ' ')
            return false;
    }
    return *at == '\0' && started == state->threads_started;
}

/* --- rows --- */

int store_write_tests(struct store *store, int64_t trial_row, const struct store_end *end, struct error *error)
{
    sqlite3_stmt *insert = NULL;
    int result = row_prepare_insert(store, &store_litmus_table, &insert, error);

    for (uint32_t i = 0; i < end->test_count && result == 0; ++i) {
        struct test_row row = {.trial = trial_row, .stored = end->tests[i]};
        row.stopped = row.stored.outcome.stalled > 0 || row.stored.outcome.undecided > 0;
        if (row.stopped)
            print_positions(&row);
        result = row_insert(store, insert, &store_litmus_table, &row, error);
    }
    sqlite3_finalize(insert);
    return result;
}

/* Moves the row's program to the trial. */
static int add_test(struct store *store, struct store_trial *trial, struct test_row *row, struct error *error)
{
    if (row->stopped && !read_positions(row))
        return error_set(error, STATUS_HARNESS,
                         "cannot read '%s': column positions of table litmus has an invalid value", store->path);
    GROW(trial->tests, trial->test_count);
    ((struct store_test *)trial->tests)[trial->test_count++] = row->stored;
    row->stored.program = NULL;
    return 0;
}

int store_read_tests(struct store *store, struct trial_row *trial, struct error *error)
{
    sqlite3_stmt *tests = NULL;
    int found = store_prepare_select(store, "test", &store_litmus_table, "FROM litmus WHERE trial = ? ORDER BY test",
                                     &tests, error);

    if (found == 0)
        found = store_start(store, tests, trial->stored.id, 0, error);
    while (found == 0 && (found = store_next(store, tests, error)) == 1) {
        struct test_row row = {.trial = 0};
        found = row_read(store, tests, 1, &store_litmus_table, &row, error);
        if (found == 0)
            found = add_test(store, &trial->stored, &row, error);
        row_free(&store_litmus_table, &row);
    }
    sqlite3_finalize(tests);
    return found;
}
