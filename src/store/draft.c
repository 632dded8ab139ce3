/* New files: nothing has the name of a run file before it is complete. */
#include "base/alloc.h"
#include "store/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_existing(const char *path, struct error *error)
{
    return error_set(error, STATUS_USAGE,
                     "cannot create '%s': it exists, and a run never writes to an existing file; "
                     "choose another name with -o",
                     path);
}

static int cannot_create(const char *path, struct error *error)
{
    return error_set(error, STATUS_USAGE, "cannot create '%s': %s; choose another name with -o, in a writable folder",
                     path, strerror(errno));
}

static const char *draft_now; /* that there is, for an end for want of memory */

static void remove_draft(void)
{
    if (draft_now != NULL)
        unlink(draft_now);
}

/* Creates an empty file beside `path`. Its name, allocated, or NULL. */
static char *create_draft(const char *path, struct error *error)
{
    struct stat status;
    unsigned short lot;
    char *draft = NULL;

    if (lstat(path, &status) == 0) {
        refuse_existing(path, error);
        return NULL;
    }
    if (getentropy(&lot, sizeof lot) != 0)
        return ERROR_NULL(error, STATUS_HARNESS, "cannot create '%s': no name for a draft", path);
    draft = xasprintf("%s-%04x", path, lot);
    const int descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (descriptor >= 0) {
        close(descriptor);
        draft_now = draft;
        at_quick_exit(remove_draft);
        return draft;
    }
    cannot_create(path, error);
    free(draft);
    return NULL;
}

int store_sign(struct store *store, struct error *error)
{
    char identity[96];
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION,
             STORE_SCHEMA);
    return store_execute(store, identity, error);
}

static int create_tables(struct store *store, const struct store_run *run, struct error *error)
{
    int result;

    if (store_execute(store, store_writing, error) != 0 || store_transact(store, error) != 0)
        return -1;
    result = store_create_tables(store, error);
    if (result == 0 && run != NULL)
        result = store_sign(store, error);
    if (result == 0 && run != NULL)
        result = row_insert_one(store, &store_run_table, run, NULL, error);
    if (result == 0 && run != NULL)
        result = store_write_asked(store, run, error);
    return store_finish(store, result, error);
}

int store_create_draft(const char *path, const struct store_run *run, struct store **store, struct error *error)
{
    struct store *created = NULL;
    char *draft = create_draft(path, error);

    if (draft == NULL)
        return -1;
    if (store_connect(draft, path, &created, error) != 0) {
        draft_now = NULL;
        unlink(draft);
        free(draft);
        return -1;
    }
    created->draft = draft;
    if (create_tables(created, run, error) != 0) {
        store_discard(created);
        return -1;
    }
    *store = created;
    return 0;
}

void store_discard(struct store *store)
{
    char *draft = store->draft;

    store->draft = NULL;
    store_close(store);
    draft_now = NULL;
    unlink(draft);
    free(draft);
}

/* Whoever else wants the same name at the same time fails. Not every file system has both calls. */
static int rename_new(const char *draft, const char *path)
{
    if (renameat2(AT_FDCWD, draft, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno == EEXIST || link(draft, path) != 0)
        return -1;
    return unlink(draft);
}

int store_publish(struct store *store, struct error *error)
{
    char *path = xstrdup(store->path), *draft = xstrdup(store->draft);
    int result = -1;

    draft_now = NULL;
    store_close(store);
    if (rename_new(draft, path) == 0)
        result = 0;
    else if (errno == EEXIST)
        refuse_existing(path, error);
    else
        cannot_create(path, error);
    if (result != 0)
        unlink(draft);
    free(path);
    free(draft);
    return result;
}

int store_create(const char *path, const struct store_run *run, struct store **store, struct error *error)
{
    struct store *created;

    if (store_create_draft(path, run, &created, error) != 0 || store_publish(created, error) != 0)
        return -1;
    return store_continue(path, store, error);
}
