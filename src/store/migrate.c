#include "store/internal.h"

#include <inttypes.h>
#include <stdio.h>

/* Writers added columns before the next version was counted, so a file of a version may lack some that others have. */
static int add_missing(struct store *store, sqlite3_stmt *columns, struct error *error)
{
    int result = 0;

    for (int code; result == 0 && (code = sqlite3_step(columns)) != SQLITE_DONE;) {
        if (code != SQLITE_ROW)
            return error_set(error, STATUS_HARNESS, "cannot read the tables of a new run file: %s",
                             sqlite3_errstr(code));
        const char *table = (const char *)sqlite3_column_text(columns, 0);
        const char *column = (const char *)sqlite3_column_text(columns, 1);
        if (sqlite3_table_column_metadata(store->database, "main", table, column, NULL, NULL, NULL, NULL, NULL) ==
            SQLITE_OK)
            continue;
        char *sql = sqlite3_mprintf("ALTER TABLE \"%w\" ADD COLUMN \"%w\" %s", table, column,
                                    (const char *)sqlite3_column_text(columns, 2));
        result = sql != NULL ? store_execute(store, sql, error)
                             : error_set(error, STATUS_HARNESS, "no memory for the columns of a run file");
        sqlite3_free(sql);
    }
    return result;
}

/* Makes the tables those of a new file. */
static int complete(struct store *store, struct error *error)
{
    static const char list[] =
        "SELECT t.name, c.name, c.type || iif(c.\"notnull\", ' NOT NULL DEFAULT ' ||"
        " iif(c.type = 'TEXT', '''''', '0'), '') FROM sqlite_master t, pragma_table_info(t.name) c"
        " WHERE t.type = 'table'";
    struct store fresh = {.path = store->path};
    sqlite3_stmt *columns = NULL;
    int result = -1;
    int code = sqlite3_open_v2(":memory:", &fresh.database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_exec(fresh.database, store_script_text("schema.sql"), NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(fresh.database, list, -1, &columns, NULL);
    if (code != SQLITE_OK)
        store_fail(&fresh, code, "compare", error);
    else
        result = add_missing(store, columns, error);
    sqlite3_finalize(columns);
    sqlite3_close(fresh.database);
    return result;
}

int store_migrate(struct store *store, int64_t version, struct error *error)
{
    char script[40];
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
    const int64_t began = version;
    int result = 0;
    for (; result == 0 && version < STORE_SCHEMA; ++version) {
        snprintf(script, sizeof script, "upgrade_%" PRId64 ".sql", version);
        result = store_execute(store, store_script_text(script), error);
    }
    if (result == 0)
        result = complete(store, error);
    return result == 0 ? 0 : error_context(error, "reading a run file of schema version %" PRId64, began);
}
