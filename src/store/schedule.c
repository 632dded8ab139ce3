#include "store/internal.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(struct schedule_turn) == 3 * sizeof(uint32_t), "a turn is three words");

int store_write_schedule(struct store *store, int64_t trial_row, const struct schedule_kept *kept, struct error *error)
{
    const struct schedule_row row = {trial_row, *kept, {(const uint32_t *)kept->turns, 3 * (size_t)kept->count, NULL}};
    const int found = store_has_table(store, "main", &store_schedule_table, error);

    return found == 1 ? row_insert_one(store, &store_schedule_table, &row, NULL, error) : found;
}

static int take(struct store *store, struct schedule_row *row, struct schedule_kept *kept, struct error *error)
{
    if (row->turns.items == NULL || row->turns.count % 3 != 0 || row->turns.count > 3 * (size_t)SCHEDULE_TURNS)
        return error_set(error, STATUS_HARNESS, "cannot read '%s': table schedule has an invalid value", store->path);
    *kept = row->kept;
    kept->turns = (const struct schedule_turn *)row->turns.items;
    kept->count = (uint32_t)(row->turns.count / 3);
    kept->stops = row->kept.stops != NULL ? row->kept.stops : xstrdup("");
    row->turns.items = NULL; /* moved */
    row->kept.stops = NULL;
    return 0;
}

int store_read_schedule(struct store *store, int64_t trial_row, struct schedule_kept *kept, struct error *error)
{
    struct schedule_row *rows = NULL;
    size_t count = 0;
    char rest[64];
    int result = store_has_table(store, "main", &store_schedule_table, error);

    *kept = (struct schedule_kept){.turns = NULL};
    if (result != 1)
        return result;
    snprintf(rest, sizeof rest, "FROM schedule WHERE trial = %" PRId64, trial_row);
    result = store_read_rows(store, &store_schedule_table, sizeof *rows, rest, NULL, &rows, &count, error);
    if (result == 0 && count > 0)
        result = take(store, &rows[0], kept, error);
    for (size_t i = 0; i < count; ++i)
        row_free(&store_schedule_table, &rows[i]);
    free(rows);
    return result;
}
