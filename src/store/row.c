#include "store/internal.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static bool is_text(const struct column *column)
{
    return column->kind == KIND_CHARS || column->kind == KIND_STRING;
}

/* It is text in the file alone. */
static bool is_printed(const struct column *column)
{
    return column->kind == KIND_SET || column->kind == KIND_RATE;
}

const char *member_text(const struct column *column, const void *member)
{
    return column->kind == KIND_STRING ? *(const char *const *)member : member;
}

int64_t member_integer(const struct column *column, const void *member)
{
    switch (column->kind) {
    case KIND_BOOL:
        return *(const bool *)member;
    case KIND_U8:
        return *(const uint8_t *)member;
    case KIND_U16:
        return *(const uint16_t *)member;
    case KIND_I32:
        return *(const int32_t *)member;
    case KIND_U32:
        return *(const uint32_t *)member;
    case KIND_I64:
        return *(const int64_t *)member;
    case KIND_U64:
        return (int64_t) * (const uint64_t *)member;
    case KIND_NAME:
        return *(const int *)member;
    case KIND_CHARS:
    case KIND_STRING:
    case KIND_WORDS:
    case KIND_SET:
    case KIND_RATE:
        break;
    }
    return 0;
}

/* False: the member cannot hold the value. */
static bool set_integer(const struct column *column, void *member, int64_t value)
{
    switch (column->kind) {
    case KIND_BOOL:
        *(bool *)member = value != 0;
        return value == 0 || value == 1;
    case KIND_U8:
        *(uint8_t *)member = (uint8_t)value;
        return value >= 0 && value <= UINT8_MAX;
    case KIND_U16:
        *(uint16_t *)member = (uint16_t)value;
        return value >= 0 && value <= UINT16_MAX;
    case KIND_I32:
        *(int32_t *)member = (int32_t)value;
        return value >= INT32_MIN && value <= INT32_MAX;
    case KIND_U32:
        *(uint32_t *)member = (uint32_t)value;
        return value >= 0 && value <= UINT32_MAX;
    case KIND_I64:
        *(int64_t *)member = value;
        return true;
    case KIND_U64:
        *(uint64_t *)member = (uint64_t)value;
        return true;
    case KIND_CHARS:
    case KIND_STRING:
    case KIND_WORDS:
    case KIND_NAME:
    case KIND_SET:
    case KIND_RATE:
        break;
    }
    return false;
}

static bool is_absent(const struct column *column, const void *member)
{
    switch (column->absent) {
    case ABSENT_NEVER:
    case ABSENT_IN_JSON:
        break;
    case ABSENT_ZERO:
        if (is_text(column)) {
            const char *text = member_text(column, member);
            return text == NULL || text[0] == '\0';
        }
        return member_integer(column, member) == 0;
    case ABSENT_NOBODY:
        return member_integer(column, member) == WAITFOR_NOBODY;
    }
    return false;
}

bool column_may_be_null(const struct column *column)
{
    return column->absent > ABSENT_IN_JSON || column->known != 0 || column->kind == KIND_WORDS || is_printed(column);
}

static int bind_printed(sqlite3_stmt *statement, int parameter, const struct column *column, const void *member)
{
    char text[320];

    if (column->kind == KIND_SET)
        naming_print_set(column->naming, *(const uint32_t *)member, " or ", text, sizeof text);
    else
        whole_print_rate(member, text, sizeof text);
    return text[0] == '\0' ? sqlite3_bind_null(statement, parameter)
                           : sqlite3_bind_text(statement, parameter, text, -1, SQLITE_TRANSIENT);
}

static int bind_words(sqlite3_stmt *statement, int parameter, const struct words *words)
{
    struct packed packed;

    if (words->packed != NULL && words->packed->bytes != NULL)
        return sqlite3_bind_blob64(statement, parameter, words->packed->bytes, words->packed->size, SQLITE_STATIC);
    if (words->items == NULL || words->count == 0)
        return sqlite3_bind_null(statement, parameter);
    packed_make(&packed, words->items, words->count);
    return sqlite3_bind_blob64(statement, parameter, packed.bytes, packed.size, free);
}

static int bind_column(sqlite3_stmt *statement, int parameter, const struct column *column, const char *row)
{
    const void *member = row + column->offset, *known = row + column->known;

    if ((column->known != 0 && !*(const bool *)known) || is_absent(column, member))
        return sqlite3_bind_null(statement, parameter);
    if (column->kind == KIND_WORDS)
        return bind_words(statement, parameter, member);
    if (is_printed(column))
        return bind_printed(statement, parameter, column, member);
    if (is_text(column))
        return sqlite3_bind_text(statement, parameter, member_text(column, member), -1, SQLITE_STATIC);
    const int64_t value = member_integer(column, member);
    if (column->kind != KIND_NAME)
        return sqlite3_bind_int64(statement, parameter, value);
    /* A value without a name becomes NULL, which the schema refuses. */
    const char *name = value >= 0 && value < column->naming->count ? column->naming->names[value] : NULL;
    return sqlite3_bind_text(statement, parameter, name, -1, SQLITE_STATIC);
}

int row_bind(sqlite3_stmt *statement, const struct table *table, const void *row)
{
    for (size_t i = 0; i < table->count; ++i) {
        int code = bind_column(statement, (int)i + 1, &table->columns[i], row);
        if (code != SQLITE_OK)
            return code;
    }
    return SQLITE_OK;
}

void row_append_names(sqlite3_str *sql, const struct table *table, const char *suffix)
{
    for (size_t i = 0; i < table->count; ++i)
        sqlite3_str_appendf(sql, "%s%s%s", i > 0 ? ", " : "", table->columns[i].name, suffix);
}

int row_prepare_insert(struct store *store, const struct table *table, sqlite3_stmt **statement, struct error *error)
{
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendf(sql, "INSERT INTO %s (", table->name);
    row_append_names(sql, table, "");
    sqlite3_str_appendall(sql, ") VALUES (");
    for (size_t i = 0; i < table->count; ++i)
        sqlite3_str_appendall(sql, i > 0 ? ", ?" : "?");
    sqlite3_str_appendall(sql, ")");
    return store_prepare(store, sql, statement, error);
}

int row_insert(struct store *store, sqlite3_stmt *statement, const struct table *table, const void *row,
               struct error *error)
{
    int code = row_bind(statement, table, row);
    if (code != SQLITE_OK)
        return store_fail(store, code, "write to", error);
    if (store_next(store, statement, error) < 0)
        return -1;
    code = sqlite3_reset(statement);
    return code == SQLITE_OK ? 0 : store_fail(store, code, "write to", error);
}

int row_insert_one(struct store *store, const struct table *table, const void *row, int64_t *id, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = row_prepare_insert(store, table, &statement, error);

    if (result == 0)
        result = row_insert(store, statement, table, row, error);
    if (result == 0 && id != NULL)
        *id = sqlite3_last_insert_rowid(store->database);
    sqlite3_finalize(statement);
    return result;
}

static bool read_text(sqlite3_stmt *statement, int result, const struct column *column, void *member)
{
    const unsigned char *text = sqlite3_column_text(statement, result);
    size_t length = (size_t)sqlite3_column_bytes(statement, result);

    if (text == NULL)
        return false;
    if (column->kind == KIND_STRING) {
        *(const char **)member = xstrdup((const char *)text);
        return true;
    }
    if (length >= column->size)
        return false;
    memcpy(member, text, length);
    return true;
}

static bool read_name(sqlite3_stmt *statement, int result, const struct column *column, void *member)
{
    const unsigned char *text = sqlite3_column_text(statement, result);
    const int value = text != NULL ? naming_find(column->naming, (const char *)text) : -1;

    if (value >= 0)
        *(int *)member = value;
    return value >= 0;
}

static bool read_printed(sqlite3_stmt *statement, int result, const struct column *column, void *member)
{
    const char *text = (const char *)sqlite3_column_text(statement, result);
    struct error ignored;

    if (text == NULL)
        return false;
    return (column->kind == KIND_SET ? naming_parse_set(column->naming, text, member, &ignored)
                                     : whole_parse_rate(text, member, &ignored)) == 0;
}

static bool read_words(sqlite3_stmt *statement, int result, struct words *words)
{
    const void *bytes = sqlite3_column_blob(statement, result);

    words->items = packed_words(bytes, (size_t)sqlite3_column_bytes(statement, result), &words->count);
    return words->items != NULL;
}

/* False: the file holds what was never written to it, or memory is short. */
static bool read_column(sqlite3_stmt *statement, int result, const struct column *column, char *row)
{
    void *member = row + column->offset;
    void *known = row + column->known;
    const int type = sqlite3_column_type(statement, result);

    if (type == SQLITE_NULL) {
        if (column->absent == ABSENT_NOBODY)
            return set_integer(column, member, WAITFOR_NOBODY);
        return column_may_be_null(column);
    }
    if (column->known != 0)
        *(bool *)known = true;
    if (column->kind == KIND_WORDS)
        return type == SQLITE_BLOB && read_words(statement, result, member);
    if (is_text(column))
        return type == SQLITE_TEXT && read_text(statement, result, column, member);
    if (column->kind == KIND_NAME)
        return type == SQLITE_TEXT && read_name(statement, result, column, member);
    if (is_printed(column))
        return type == SQLITE_TEXT && read_printed(statement, result, column, member);
    return type == SQLITE_INTEGER && set_integer(column, member, sqlite3_column_int64(statement, result));
}

int row_read(struct store *store, sqlite3_stmt *statement, int first, const struct table *table, void *row,
             struct error *error)
{
    for (size_t i = 0; i < table->count; ++i)
        if (!read_column(statement, first + (int)i, &table->columns[i], row))
            return error_set(error, STATUS_HARNESS,
                             "cannot read '%s': column %s of table %s has an invalid value, or memory ran out",
                             store->path, table->columns[i].name, table->name);
    return 0;
}

void row_free(const struct table *table, void *row)
{
    for (size_t i = 0; i < table->count; ++i) {
        void *member = (char *)row + table->columns[i].offset;
        if (table->columns[i].kind == KIND_STRING) {
            const char **text = member;
            free((void *)*text);
            *text = NULL;
        } else if (table->columns[i].kind == KIND_WORDS) {
            struct words *words = member;
            free((void *)words->items);
            words->items = NULL;
        }
    }
}
