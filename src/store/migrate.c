#include "store/internal.h"

#include <inttypes.h>

/* Columns that say something of an older file, too; all others are 0, empty or NULL there. */
static const struct {
    int64_t version; /* the last one that lacked them; a file that has them is not of that version */
    const char *sql;
} meanings[] = {
    {3, "ALTER TABLE trial ADD COLUMN position INTEGER NOT NULL DEFAULT 0; UPDATE trial SET position = id"},
    {7, "ALTER TABLE trial ADD COLUMN publication INTEGER;"
        "UPDATE trial SET publication = 1 WHERE name GLOB 'publish_*' OR name GLOB 'lock_publication*'"},
    {14,
     "ALTER TABLE trial ADD COLUMN anti_pattern INTEGER;"
     "UPDATE trial SET anti_pattern = 1 WHERE name GLOB 'scan_chained/*order=reverse*'"
     " OR name GLOB 'philosophers_naive/*' OR name GLOB 'publish_relaxed/*' OR name GLOB 'lock_items/*form=loop-exit*'"
     " OR (name GLOB 'divergent_barrier/*' AND local_size > 1)"
     " OR (name GLOB 'publish_fence/*' AND name NOT GLOB '*fence=both*')"},
};

/* Tables that older files lack, and then the columns of all: each with the statement that adds it. */
static const char additions[] =
    "SELECT name, NULL, sql FROM sqlite_master WHERE type = 'table' AND name IN ('source', 'litmus', 'share', 'board', "
    "'asserted')"
    " UNION ALL SELECT t.name, c.name, printf('ALTER TABLE \"%w\" ADD COLUMN \"%w\" %s%s', t.name, c.name, c.type,"
    " iif(c.\"notnull\", ' NOT NULL DEFAULT ' || iif(c.type = 'TEXT', '''''', '0'), ''))"
    " FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'";

/* Writers added columns before the next version was counted, so a file of a version may lack some that others have. */
static int add_missing(struct store *store, sqlite3_stmt *parts, struct error *error)
{
    int result = 0;

    for (int code; result == 0 && (code = sqlite3_step(parts)) != SQLITE_DONE;) {
        if (code != SQLITE_ROW)
            return error_set(error, STATUS_HARNESS, "cannot read the tables of a new run file: %s",
                             sqlite3_errstr(code));
        const char *table = (const char *)sqlite3_column_text(parts, 0);
        const char *column = (const char *)sqlite3_column_text(parts, 1); /* NULL: the table itself */
        if (sqlite3_table_column_metadata(store->database, "main", table, column, NULL, NULL, NULL, NULL, NULL) !=
            SQLITE_OK)
            result = store_execute(store, (const char *)sqlite3_column_text(parts, 2), error);
    }
    return result;
}

/* Makes the tables those of a new file. */
static int complete(struct store *store, struct error *error)
{
    struct store fresh = {.path = store->path};
    sqlite3_stmt *parts = NULL;
    int result = -1;
    int code = sqlite3_open_v2(":memory:", &fresh.database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_exec(fresh.database, store_script_text("schema.sql"), NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(fresh.database, additions, -1, &parts, NULL);
    if (code != SQLITE_OK)
        store_fail(&fresh, code, "compare", error);
    else
        result = add_missing(store, parts, error);
    sqlite3_finalize(parts);
    sqlite3_close(fresh.database);
    return result;
}

int store_migrate(struct store *store, struct error *error)
{
    sqlite3 *memory = NULL;
    int code = sqlite3_open_v2(":memory:", &memory, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    sqlite3_backup *backup = code == SQLITE_OK ? sqlite3_backup_init(memory, "main", store->database, "main") : NULL;

    if (backup != NULL) {
        sqlite3_backup_step(backup, -1);
        code = sqlite3_backup_finish(backup);
    } else if (memory != NULL) {
        code = sqlite3_errcode(memory);
    }
    if (code != SQLITE_OK) {
        sqlite3_close(memory);
        return store_fail(store, code, "copy", error);
    }
    sqlite3_close(store->database);
    store->database = memory;
    int result = 0;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings && result == 0; ++i)
        if (store->version <= meanings[i].version)
            result = store_execute(store, meanings[i].sql, error);
    if (result == 0)
        result = complete(store, error);
    return result == 0 ? 0 : error_context(error, "reading a run file of schema version %" PRId64, store->version);
}
