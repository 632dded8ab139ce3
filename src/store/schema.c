/* The tables of a run file, made of their columns. Their names are an interface: people query them with sqlite3. */
#include "store/internal.h"

enum { TABLES = 14 };
static const struct table *const tables[TABLES] = {
    &store_run_table,    &store_asked_table,  &store_device_table,      &store_share_table,   &store_asserted_table,
    &store_begun_table,  &store_source_table, &store_observation_table, &store_verdict_table, &store_schedule_table,
    &store_litmus_table, &store_proof_table,  &store_sighting_table,    &store_sighted_table,
};

static const char *type_of(const struct column *column)
{
    switch (column->kind) {
    case KIND_CHARS:
    case KIND_STRING:
    case KIND_NAME:
    case KIND_SET:
    case KIND_RATE:
        return "TEXT";
    case KIND_WORDS:
        return "BLOB";
    default:
        return "INTEGER";
    }
}

/* What it means, with the names of its values. */
static void append_meaning(sqlite3_str *sql, const struct column *column)
{
    const int names = column->kind == KIND_NAME ? column->naming->count : 0;
    const char *between = " -- ";

    for (int value = column->absent == ABSENT_ZERO; value < names; ++value) {
        sqlite3_str_appendf(sql, "%s%s", between, column->naming->names[value]);
        between = ", ";
    }
    if (column->says != NULL)
        sqlite3_str_appendf(sql, "%s%s", names > 0 ? "; " : between, column->says);
}

/* SQLite keeps the comments in the tables. */
static void append_column(sqlite3_str *sql, const struct column *column)
{
    char definition[96];
    const bool has_meaning = column->naming != NULL || column->says != NULL;

    if (column->part != NULL)
        sqlite3_str_appendf(sql, "  -- %s\n", column->part);
    sqlite3_snprintf(sizeof definition, definition, "%-13s %s%s%s%s,", column->name, type_of(column),
                     column_may_be_null(column) ? "" : " NOT NULL", column->refers != NULL ? " REFERENCES " : "",
                     column->refers != NULL ? column->refers : "");
    sqlite3_str_appendf(sql, "  %-*s", has_meaning ? 32 : 0, definition);
    append_meaning(sql, column);
    sqlite3_str_appendall(sql, "\n");
}

static void append_table(sqlite3_str *sql, const struct table *table)
{
    const struct column id = {.name = "id", .says = table->numbered, .kind = KIND_I64, .absent = ABSENT_ZERO};

    sqlite3_str_appendf(sql, "CREATE TABLE %s (\n  -- %s\n", table->name, table->says);
    if (table->numbered != NULL)
        append_column(sql, &id);
    for (const struct table *part = table; part != NULL; part = part->rest)
        for (size_t i = 0; i < part->count; ++i)
            append_column(sql, &part->columns[i]);
    sqlite3_str_appendf(sql, "  %s;\n", table->keys);
}

int store_create_tables(struct store *store, struct error *error)
{
    sqlite3_str *sql = sqlite3_str_new(store->database);

    for (size_t i = 0; i < TABLES; ++i)
        append_table(sql, tables[i]);
    sqlite3_str_appendall(sql, store_script_text("boards.sql"));
    return store_execute_built(store, sqlite3_str_finish(sql), error);
}

bool store_lacks(struct store *store, const char *database, const struct table *table, const struct column *column)
{
    return column->is_later && sqlite3_table_column_metadata(store->database, database, table->name, column->name, NULL,
                                                             NULL, NULL, NULL, NULL) != SQLITE_OK;
}

int store_add_later(struct store *store, struct error *error)
{
    sqlite3_str *sql = sqlite3_str_new(store->database);

    for (size_t i = 0; i < TABLES; ++i)
        for (const struct table *part = tables[i]; part != NULL; part = part->rest)
            for (size_t j = 0; j < part->count; ++j)
                if (store_lacks(store, "main", part, &part->columns[j]))
                    sqlite3_str_appendf(sql, "ALTER TABLE %s ADD COLUMN %s %s;", part->name, part->columns[j].name,
                                        type_of(&part->columns[j]));
    if (sqlite3_str_length(sql) == 0) {
        sqlite3_free(sqlite3_str_finish(sql));
        return 0;
    }
    return store_execute_built(store, sqlite3_str_finish(sql), error);
}

int store_has_table(struct store *store, const char *database, const struct table *table, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendf(sql, "SELECT 1 FROM %s.sqlite_master WHERE name = %Q", database, table->name);
    const int found = store_prepare(store, sql, &statement, error) == 0 ? store_next(store, statement, error) : -1;
    sqlite3_finalize(statement);
    return found;
}
