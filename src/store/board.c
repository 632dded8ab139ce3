#include "store/internal.h"

#include "core/likeness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Smaller ones are stored as they are. */
enum { LARGE_BYTES = 1024 };

/* The code of a board of limits, whose groups synchronize by control words alone; 0: it is none. */
static uint64_t likeness_of(const uint32_t *words, size_t count)
{
    const struct board board = {words, (uint32_t)((count - GL_CONTROL_WORDS) / GL_ENTRY_WORDS), 0};

    return count >= GL_CONTROL_WORDS && board_words(board.groups, 0) == count ? board_likeness(&board) : 0;
}

static uint64_t likeness_of_packed(const struct packed *packed)
{
    size_t count = 0;
    uint32_t *words = packed_words(packed->bytes, packed->size, &count);
    const uint64_t code = words != NULL ? likeness_of(words, count) : 0;

    free(words);
    return code;
}

static int insert(struct store *store, int64_t trial_row, const char *alike, const struct packed *packed,
                  struct error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_str *sql = sqlite3_str_new(store->database);
    int result = -1;

    sqlite3_str_appendf(sql,
                        "INSERT OR IGNORE INTO board (device, alike, trial, board)"
                        " SELECT device, %Q, name, ? FROM trial WHERE id = %lld",
                        alike, (long long)trial_row);
    if (store_prepare(store, sql, &statement, error) == 0) {
        const int code = sqlite3_bind_blob64(statement, 1, packed->bytes, packed->size, SQLITE_STATIC);
        result = code == SQLITE_OK ? store_next(store, statement, error) : store_fail(store, code, "write to", error);
    }
    sqlite3_finalize(statement);
    return result < 0 ? -1 : 0;
}

int store_share_board(struct store *store, int64_t trial_row, const struct store_end *end, struct launch_row *launch,
                      struct error *error)
{
    const bool is_packed = end->packed_board != NULL && end->packed_board->bytes != NULL;
    struct packed made = {.bytes = NULL};
    const struct packed *packed = is_packed ? end->packed_board : &made;
    int result = 0;

    if (!is_packed && end->board == NULL)
        return 0;
    if (!is_packed)
        packed_make(&made, end->board, end->board_words);
    if (packed->size >= LARGE_BYTES) {
        const uint64_t code = is_packed ? likeness_of_packed(packed) : likeness_of(end->board, end->board_words);
        if (code != 0)
            snprintf(launch->alike, sizeof launch->alike, "%016" PRIx64, code);
    }
    if (launch->alike[0] != '\0') {
        result = insert(store, trial_row, launch->alike, packed, error);
        launch->board = (struct words){.items = NULL};
    }
    packed_fini(&made);
    return result;
}

static int take(struct store *store, sqlite3_stmt *statement, struct trial_row *trial, struct launch_row *launch,
                struct error *error)
{
    struct store_trial *stored = &trial->stored;
    const char *name = (const char *)sqlite3_column_text(statement, 0);
    const void *bytes = sqlite3_column_blob(statement, 1);

    launch->board.items = packed_words(bytes, (size_t)sqlite3_column_bytes(statement, 1), &launch->board.count);
    if (launch->board.items == NULL || name == NULL)
        return error_set(error, STATUS_HARNESS, "cannot read '%s': table board has an invalid value, or memory ran out",
                         store->path);
    if (strcmp(name, stored->name) != 0)
        snprintf(stored->board_of, sizeof stored->board_of, "%s", name);
    return 0;
}

int store_read_shared(struct store *store, struct trial_row *trial, struct launch_row *launch, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_str *sql = sqlite3_str_new(store->database);

    sqlite3_str_appendf(sql, "SELECT trial, board FROM board WHERE device = %lld AND alike = %Q",
                        (long long)trial->device, launch->alike);
    int result = store_prepare(store, sql, &statement, error) == 0 ? store_next(store, statement, error) : -1;
    if (result == 1)
        result = take(store, statement, trial, launch, error);
    sqlite3_finalize(statement);
    return result; /* 0, also where the file lost it */
}
