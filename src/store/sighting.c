/* What was seen of programs that are watched (core/sighting.h). */
#include "base/alloc.h"
#include "store/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SEEN(column, member) COLUMN(struct sighting_row, column, seen.member)
static const struct column sighting_columns[] = {
    {COLUMN(struct sighting_row, "trial", trial), .refers = "trial (id)"},
    {SEEN("process", process)},
    {SEEN("program", program), .says = "as the process calls itself"},
    {SEEN("device", device), .absent = ABSENT_ZERO, .says = "of the launch, or else of the first queue"},
    {SEEN("door", door), .absent = ABSENT_ZERO,
     .says = "driver or layer: how the program was seen; NULL: from outside"},
    {NAMED(struct sighting_row, "verdict", seen.verdict, watch_verdict)},
    {SEEN("why", why), .absent = ABSENT_ZERO, .says = "as a sentence"},
    {SEEN("call", call), .absent = ABSENT_ZERO, .says = "of OpenCL, that the first blocked thread is in"},
    {SEEN("kernel", kernel), .absent = ABSENT_ZERO, .says = "that runs, or is next"},
    {SEEN("line", line), .absent = ABSENT_ZERO, .says = "at which it turns, FILE:LINE"},
    {SEEN("sizes", sizes), .absent = ABSENT_ZERO, .says = "of its launch"},
    {SEEN("arguments", arguments), .absent = ABSENT_ZERO, .says = "of its launch: the first bytes of each"},
    {SEEN("groups", groups), .absent = ABSENT_ZERO, .says = "of its launch"},
    {SEEN("fit", fit), .absent = ABSENT_ZERO, .says = "of these at once, as was measured"},
    {SEEN("launches", launches), .says = "that were seen of the process so far; 0: from outside"},
    {SEEN("for_ns", for_ns), .says = "for so long nothing had become complete"},
    {SEEN("told", told), .says = "all that was said, in lines"},
};
const struct table store_sighting_table = {
    TABLE("sighting", sighting_columns),
    .says = "What was seen of a process by gridlock watch: when it stalled, was asked for or ended, or was looked at.",
    .keys = "PRIMARY KEY (trial)\n)",
};

#define ITEM(column, member) COLUMN(struct sighted_row, column, member)
static const struct column sighted_columns[] = {
    {ITEM("trial", trial), .refers = "trial (id)"},
    {ITEM("place", place), .says = "in the order in which they were told"},
    {NAMED(struct sighted_row, "kind", seen.kind, sighting_kind)},
    {ITEM("name", seen.name)},
    {ITEM("says", seen.says), .says = "what it is, or does"},
    {ITEM("waits_for", seen.waits), .absent = ABSENT_ZERO, .says = "names of others, separated by commas"},
};
const struct table store_sighted_table = {
    TABLE("sighted", sighted_columns),
    .says =
        "Threads of such a process that had called OpenCL, commands that were open, user events that nobody had set.",
    .keys = "PRIMARY KEY (trial, place)\n) WITHOUT ROWID",
};

int store_write_sighting(struct store *store, int64_t trial_row, const struct sighting *sighting, struct error *error)
{
    const struct sighting_row row = {trial_row, *sighting};
    sqlite3_stmt *statement = NULL;
    int result = row_insert_one(store, &store_sighting_table, &row, NULL, error);

    if (result == 0)
        result = row_prepare_insert(store, &store_sighted_table, &statement, error);
    for (size_t i = 0; result == 0 && i < sighting->count; ++i) {
        const struct sighted_row item = {trial_row, (uint32_t)i, sighting->items[i]};
        result = row_insert(store, statement, &store_sighted_table, &item, error);
    }
    sqlite3_finalize(statement);
    return result;
}

static void take_items(struct sighting *sighting, const struct sighted_row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        GROW(sighting->items, sighting->count);
        sighting->items[sighting->count++] = rows[i].seen;
    }
}

int store_read_sighting(struct store *store, int64_t trial_row, struct sighting *sighting, struct error *error)
{
    struct sighting_row *rows = NULL;
    struct sighted_row *items = NULL;
    size_t count = 0, item_count = 0;
    char rest[96];
    int result = store_has_table(store, "main", &store_sighting_table, error);

    *sighting = (struct sighting){0};
    if (result != 1)
        return result;
    snprintf(rest, sizeof rest, "FROM sighting WHERE trial = %" PRId64, trial_row);
    result = store_read_rows(store, &store_sighting_table, sizeof *rows, rest, NULL, &rows, &count, error);
    snprintf(rest, sizeof rest, "FROM sighted WHERE trial = %" PRId64 " ORDER BY place", trial_row);
    if (result == 0)
        result = store_read_rows(store, &store_sighted_table, sizeof *items, rest, NULL, &items, &item_count, error);
    if (result == 0 && count > 0) {
        *sighting = rows[0].seen;
        take_items(sighting, items, item_count);
    } else if (count > 0)
        row_free(&store_sighting_table, &rows[0]);
    free(rows);
    free(items);
    return result;
}

int store_note_fit(struct store *store, int64_t trial_row, uint64_t fit, struct error *error)
{
    char *sql =
        sqlite3_mprintf("UPDATE sighting SET fit = %lld WHERE trial = %lld", (long long)fit, (long long)trial_row);

    return store_execute_built(store, sql, error);
}
