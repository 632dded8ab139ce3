#include "store/json_text.h"

#include "base/alloc.h"

#include <sqlite3.h>
#include <stddef.h>

static char *read(const char *query, const char *json, const char *path)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *row = NULL;
    char *found = NULL;

    if (sqlite3_open(":memory:", &database) == SQLITE_OK &&
        sqlite3_prepare_v2(database, query, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_bind_text(row, 1, json, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_bind_text(row, 2, path, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW &&
        sqlite3_column_text(row, 0) != NULL)
        found = xstrdup((const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_close(database);
    return found;
}

char *json_text_at(const char *json, const char *path)
{
    return read("SELECT json_extract(?1, ?2)", json, path);
}

char *json_quoted_at(const char *json, const char *path)
{
    return read("SELECT json_quote(json_extract(?1, ?2))", json, path);
}
