#include "base/alloc.h"
#include "store/internal.h"
#include "store/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* TRUNCATE: a commit that ends by truncating and syncing the journal is as durable as one that
 * unlinks it and syncs the folder, and costs less. */
const char store_writing[] = "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; "
                             "PRAGMA trusted_schema = OFF";

/* For which a lock that somebody else holds is waited for. */
enum { BUSY_MS = 5000, BUSY_AMONG_WRITERS_MS = 120000 };

/* Of a failure to read, write or open: what the system said, which SQLite does not keep where a commit fails. */
static const char *system_reason(const struct store *store, int code, int last_errno)
{
    const int kept = sqlite3_system_errno(store->database);

    if ((code & 0xff) != SQLITE_IOERR && (code & 0xff) != SQLITE_CANTOPEN)
        return NULL;
    return kept != 0 || last_errno != 0 ? strerror(kept != 0 ? kept : last_errno) : NULL;
}

int store_fail(const struct store *store, int code, const char *what, struct error *error)
{
    const char *reason = system_reason(store, code, errno);
    /* SQLite's own message says more, if it is about this failure. */
    const bool last = sqlite3_errcode(store->database) == code;
    const int extended = last ? sqlite3_extended_errcode(store->database) : code;
    const char *message = last ? sqlite3_errmsg(store->database) : sqlite3_errstr(code);

    if (extended == SQLITE_READONLY_DBMOVED)
        message = "the file, or its folder, was moved or removed meanwhile";
    /*
     * What is damaged was read, not written; while a draft is filled that is the file copied, which the caller names.
     */
    if ((code & 0xff) == SQLITE_CORRUPT && store->draft != NULL)
        return error_set(error, STATUS_HARNESS, "cannot read it: %s (SQLite code %d)", message, extended);
    if ((code & 0xff) == SQLITE_CORRUPT)
        what = "read";
    return error_set(error, STATUS_HARNESS, "cannot %s '%s': %s%s%s (SQLite code %d)", what, store->path, message,
                     reason != NULL ? ": " : "", reason != NULL ? reason : "", extended);
}

const char *store_script_text(const char *name)
{
    const struct store_script *script = store_scripts;
    while (strcmp(script->name, name) != 0)
        ++script;
    return script->text;
}

int store_prepare(struct store *store, sqlite3_str *sql, sqlite3_stmt **statement, struct error *error)
{
    char *text = sqlite3_str_finish(sql);
    const int result = text != NULL ? store_prepare_text(store, text, statement, error)
                                    : store_fail(store, SQLITE_NOMEM, "prepare a statement for", error);

    sqlite3_free(text);
    return result;
}

int store_prepare_text(struct store *store, const char *sql, sqlite3_stmt **statement, struct error *error)
{
    const int code = sqlite3_prepare_v2(store->database, sql, -1, statement, NULL);
    /* Its tables are not those that were made. */
    return code == SQLITE_OK ? 0 : store_fail(store, code, "read", error);
}

int store_execute(struct store *store, const char *sql, struct error *error)
{
    int code = sqlite3_exec(store->database, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? 0 : store_fail(store, code, "write to", error);
}

int store_execute_built(struct store *store, char *sql, struct error *error)
{
    const int result =
        sql != NULL ? store_execute(store, sql, error) : store_fail(store, SQLITE_NOMEM, "write to", error);

    sqlite3_free(sql);
    return result;
}

int store_transact(struct store *store, struct error *error)
{
    return store->held ? 0 : store_execute(store, "BEGIN IMMEDIATE", error);
}

int store_finish(struct store *store, int result, struct error *error)
{
    if (result == 0 && (store->held || store_execute(store, "COMMIT", error) == 0))
        return 0;
    store->held = false;
    /* After some failures SQLite has already undone the transaction by itself. */
    if (!sqlite3_get_autocommit(store->database) &&
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL) != SQLITE_OK)
        return error_context(error, "a transaction could not be rolled back (%s)", sqlite3_errmsg(store->database));
    return -1;
}

int store_hold(struct store *store, struct error *error)
{
    if (store_transact(store, error) != 0)
        return -1;
    store->held = true;
    return 0;
}

int store_settle(struct store *store, struct error *error)
{
    const bool held = store->held;

    store->held = false;
    return held ? store_finish(store, 0, error) : 0;
}

int store_next(struct store *store, sqlite3_stmt *statement, struct error *error)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return 1;
    if (code == SQLITE_DONE)
        return 0;
    return store_fail(store, code, sqlite3_stmt_readonly(statement) ? "read" : "write to", error);
}

void store_close(struct store *store)
{
    struct error ignored;

    if (store == NULL)
        return;
    store_settle(store, &ignored);
    /* Takes the empty journal away; if that fails, an empty journal is as good as none. */
    sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    /* It fails only while statements are left, and no function here leaves any. */
    sqlite3_close(store->database);
    store_free_numbering(store);
    free(store->path);
    free(store->draft);
    free(store);
}

int store_connect(const char *file, const char *path, struct store **opened, struct error *error)
{
    /* Relative names such as ":memory:" or "file:x" must not mean anything special to SQLite. */
    char *name = sqlite3_mprintf("%s%s", file[0] == '/' ? "" : "./", file);
    struct store *store = xcalloc(1, sizeof *store);
    int code;

    store->path = xstrdup(path);
    code = name != NULL ? sqlite3_open_v2(name, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)
                        : SQLITE_NOMEM;
    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(store->database, BUSY_MS);
    if (code != SQLITE_OK) {
        store_fail(store, code, "open", error);
        goto out;
    }
    sqlite3_free(name);
    *opened = store;
    return 0;

out:
    sqlite3_free(name);
    store_close(store);
    return -1;
}

void store_expect_writers(struct store *store)
{
    sqlite3_busy_timeout(store->database, BUSY_AMONG_WRITERS_MS);
}

const char *store_path(const struct store *store)
{
    return store->path;
}

/* Reads a single number; returns an SQLite result code. */
static int read_number(struct store *store, const char *sql, int64_t *number)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);

    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        *number = sqlite3_column_int64(statement, 0);
        code = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    return code;
}

static int check_identity(struct store *store, struct error *error)
{
    int64_t application = 0, version = 0;
    int code = read_number(store, "PRAGMA application_id", &application);

    if (code == SQLITE_OK)
        code = read_number(store, "PRAGMA user_version", &version);
    if (code == SQLITE_NOTADB || (code == SQLITE_OK && application != STORE_APPLICATION))
        return error_set(error, STATUS_USAGE, "'%s' is not a run file (a file that a run wrote with -o)", store->path);
    if (code != SQLITE_OK)
        return store_fail(store, code, "read", error);
    if (version != STORE_SCHEMA)
        return error_set(error, STATUS_USAGE, "'%s' has schema version %" PRId64 ", but this program reads version %d",
                         store->path, version, STORE_SCHEMA);
    return 0;
}

/* The file is there, and is one; nothing is known of its contents yet. */
static int check_file(const char *path, bool to_write, struct error *error)
{
    struct stat status;

    /* Not by open(): closing a descriptor drops the locks that this process may have on the same file. */
    if (stat(path, &status) != 0 || access(path, R_OK) != 0)
        return error_set(error, STATUS_USAGE, "cannot open '%s': %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error_set(error, STATUS_USAGE, "cannot open '%s': it is not a regular file", path);
    if (to_write && access(path, W_OK) != 0)
        return error_set(error, STATUS_USAGE, "cannot write to '%s': %s", path, strerror(errno));
    return 0;
}

/*
 * SQLite refuses all of a file whose end is missing, unless its schema may be changed: then it reads what is there. If
 * one of the tables that say the most is not, the file is as good as lost.
 */
static void forgive_missing_end(struct store *store)
{
    static const char tables[] =
        "SELECT count(*) FROM (SELECT 1 FROM run, device, trial, observation, verdict LIMIT 0)";
    int64_t ignored;

    if ((read_number(store, tables, &ignored) & 0xff) != SQLITE_CORRUPT)
        return;
    sqlite3_exec(store->database, "PRAGMA writable_schema = ON", NULL, NULL, NULL);
    if (read_number(store, tables, &ignored) != SQLITE_OK)
        sqlite3_exec(store->database, "PRAGMA writable_schema = OFF", NULL, NULL, NULL);
}

/* Instead of a file that is no database because xz has packed it, opens what it holds. */
static int open_packed(const char *path, bool to_write, struct store **store, struct error *error)
{
    int64_t ignored;
    char *unpacked;

    if (read_number(*store, "PRAGMA application_id", &ignored) != SQLITE_NOTADB)
        return 0;
    if (unpack_xz(path, &unpacked, error) != 0)
        return -1;
    if (unpacked == NULL)
        return 0;
    store_close(*store);
    *store = NULL;
    int result = -1;
    if (to_write)
        error_set(error, STATUS_USAGE, "cannot write to '%s': xz has packed it; unpack it first", path);
    else
        result = store_connect(unpacked, path, store, error);
    unlink(unpacked); /* the connection has it */
    free(unpacked);
    return result;
}

static int open_run(const char *path, bool to_write, struct store **store, struct error *error)
{
    /* The file may come from anywhere: nothing in its schema is to be run. */
    static const char reading[] = "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF";
    struct store *opened = NULL;

    /* Where a run was killed while it wrote, the first reader must be able to undo its last transaction,
     * so the file is opened for writing if that is allowed, and only the connection is made read-only. */
    if (check_file(path, to_write, error) != 0 || store_connect(path, path, &opened, error) != 0)
        return -1;
    int result = open_packed(path, to_write, &opened, error);
    if (result == 0 && !to_write)
        forgive_missing_end(opened);
    if (result == 0)
        result = check_identity(opened, error);
    if (result == 0)
        result = store_execute(opened, to_write ? store_writing : reading, error);
    if (result == 0 && to_write)
        result = store_add_later(opened, error);
    if (result != 0) {
        store_close(opened);
        return -1;
    }
    *store = opened;
    return 0;
}

int store_open(const char *path, struct store **store, struct error *error)
{
    return open_run(path, false, store, error);
}

int store_continue(const char *path, struct store **store, struct error *error)
{
    return open_run(path, true, store, error);
}
