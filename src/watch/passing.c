#include "watch/passing.h"

#include "base/alloc.h"
#include "look/process.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char (*paths)[PAGE_PATH], uint32_t count, const char *path)
{
    for (uint32_t i = 0; i < count && i < PAGE_DRIVERS; ++i)
        if (strncmp(paths[i], path, PAGE_PATH - 1) == 0)
            return true;
    return false;
}

static bool came(const struct page *page, const char *path)
{
    return page != NULL &&
           (is_among(page->drivers, page->driver_count, path) || is_among(page->loaders, page->loader_count, path));
}

/* --- what is found --- */

static void forget(struct passing_library *library)
{
    free(library->path);
    free(library->linked);
}

static bool is_same(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static bool is_this(const struct passing_library *library, enum passing_kind kind, const char *path, const char *linked)
{
    return library->kind == kind && is_same(library->path, path) && is_same(library->linked, linked);
}

static void add(struct passing *passing, enum passing_kind kind, pid_t process, const char *path, const char *linked)
{
    for (size_t i = 0; i < passing->count; ++i)
        if (passing->libraries[i].process == process && is_this(&passing->libraries[i], kind, path, linked))
            return;
    if (passing->count < PASSING_MOST)
        passing->libraries[passing->count++] =
            (struct passing_library){kind, process, xstrdup(path), linked != NULL ? xstrdup(linked) : NULL};
}

static void add_asking(struct passing *passing, pid_t process, const char *path)
{
    for (size_t i = 0; i < passing->asking_count; ++i)
        if (passing->asking[i].process == process && strcmp(passing->asking[i].path, path) == 0)
            return;
    if (passing->asking_count < PASSING_MOST)
        passing->asking[passing->asking_count++] = (struct passing_asking){process, xstrdup(path)};
}

static bool is_found(const struct passing *passing, enum passing_kind kind, pid_t process, const char *path)
{
    for (size_t i = 0; i < passing->count; ++i) {
        const struct passing_library *library = &passing->libraries[i];
        if (library->kind == kind && library->process == process && strcmp(library->path, path) == 0)
            return true;
    }
    return false;
}

/* --- what has come to the door --- */

static const struct library *library_of(struct passing *passing, pid_t process, const char *path)
{
    char root[PROCESS_PATH];

    for (size_t i = 0; i < passing->file_count; ++i)
        if (strcmp(passing->files[i].path, path) == 0)
            return &passing->files[i].library;
    GROW(passing->files, passing->file_count);
    struct passing_file *file = &passing->files[passing->file_count++];
    process_path(process, "root", root);
    char *there = xasprintf("%s%s", root, path); /* it may have another root than this process */
    file->path = xstrdup(path);
    library_read(&file->library, there, passing->door);
    free(there);
    return &file->library;
}

static bool came_since(struct passing *passing, const struct page *page, const struct passing_library *library)
{
    if (came(page, library->path))
        return library->kind < PASSING_EARLY;
    /* A loader loads drivers, and then layers, to which it does not tell them. */
    return page != NULL && passing->door == DOOR_LAYER && library->kind == PASSING_BY &&
           !library_of(passing, library->process, library->path)->finds_drivers;
}

/* A process has a loader in its memory before that asks for drivers. */
void passing_settle(struct passing *passing, pid_t process, const struct page *page)
{
    size_t kept = 0;

    for (size_t i = 0; i < passing->count; ++i) {
        struct passing_library *library = &passing->libraries[i];
        if (library->process == process && came_since(passing, page, library))
            forget(library);
        else
            passing->libraries[kept++] = *library;
    }
    passing->count = kept;
    for (uint32_t i = 0; page != NULL && i < page->driver_count && i < PAGE_DRIVERS; ++i)
        if ((page->early >> i & 1) != 0 && !is_found(passing, PASSING_LINKED, process, page->drivers[i]))
            add(passing, PASSING_EARLY, process, page->drivers[i], NULL);
    for (size_t i = 0; page != NULL && page->ready != 0 && i < passing->asking_count; ++i)
        if (passing->asking[i].process == process && !came(page, passing->asking[i].path))
            add(passing, PASSING_ASKS, process, passing->asking[i].path, NULL);
}

bool passing_is_first(const struct passing *passing, size_t index)
{
    const struct passing_library *library = &passing->libraries[index], *first = passing->libraries;

    while (!is_this(first, library->kind, library->path, library->linked))
        ++first;
    return first == library;
}

bool passing_is_unseen(const struct passing *passing, pid_t process)
{
    for (size_t i = 0; i < passing->count; ++i)
        if (passing->libraries[i].process == process && passing->libraries[i].kind != PASSING_ABSENT)
            return true;
    return false;
}

/* --- what is mapped --- */

struct mapped {
    char **paths; /* owned */
    size_t count;
    bool door; /* is among them */
};

/* Each file that is mapped, once: parts of one stand together. */
static struct mapped read_maps(pid_t process)
{
    struct mapped mapped = {.paths = NULL};
    char path[PROCESS_PATH], line[4096];

    process_path(process, "maps", path);
    FILE *maps = fopen(path, "re");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char *file = strchr(line, '/');
        if (file == NULL)
            continue;
        file[strcspn(file, "\n")] = '\0';
        if (mapped.count > 0 && strcmp(mapped.paths[mapped.count - 1], file) == 0)
            continue;
        if (strcmp(strrchr(file, '/') + 1, DOOR_LIBRARY) == 0) {
            mapped.door = true;
            continue;
        }
        GROW(mapped.paths, mapped.count); // NOLINT(bugprone-sizeof-expression): they are pointers
        mapped.paths[mapped.count++] = xstrdup(file);
    }
    if (maps != NULL)
        fclose(maps);
    return mapped;
}

/* What is linked to a driver that has come to the door. */
static void add_linked(struct passing *passing, pid_t process, const struct mapped *mapped, const char *path)
{
    const struct library driver = *library_of(passing, process, path);

    for (size_t i = 0; i < mapped->count; ++i)
        if (library_calls(library_of(passing, process, mapped->paths[i]), &driver))
            add(passing, PASSING_LINKED, process, path, mapped->paths[i]);
}

/* It leads to the door, or came by it. */
static bool is_no_other_way(const struct passing *passing, const struct page *page, const char *path,
                            const struct library *library)
{
    if (library->leads || came(page, path))
        return true;
    return page != NULL && passing->door == DOOR_LAYER && !library->finds_drivers && !library->may_hand_on;
}

static void judge(struct passing *passing, pid_t process, const struct page *page, const struct mapped *mapped,
                  const char *path)
{
    const struct library library = *library_of(passing, process, path);

    if (library.asks)
        add_asking(passing, process, path);
    if (!library.offers)
        return;
    if (!is_no_other_way(passing, page, path, &library))
        add(passing, library.may_hand_on ? PASSING_UNLESS : PASSING_BY, process, path, NULL);
    else if (!library.leads)
        add_linked(passing, process, mapped, path);
    else if (!came(page, path))
        add(passing, PASSING_ABSENT, process, path, NULL);
}

void passing_look(struct passing *passing, pid_t process, const struct page *page)
{
    struct mapped mapped = read_maps(process);

    if (!mapped.door)
        page = NULL; /* of what it was before exec */
    /* Without a page, the door is about to open one; or this is the child of a fork, which has no other libraries. */
    const bool known = !mapped.door || (page != NULL && page->ready != 0);
    for (size_t i = 0; i < mapped.count && known; ++i)
        judge(passing, process, page, &mapped, mapped.paths[i]);
    passing_settle(passing, process, page);
    for (size_t i = 0; i < mapped.count; ++i)
        free(mapped.paths[i]);
    free(mapped.paths);
}

void passing_fini(struct passing *passing)
{
    for (size_t i = 0; i < passing->count; ++i)
        forget(&passing->libraries[i]);
    for (size_t i = 0; i < passing->asking_count; ++i)
        free(passing->asking[i].path);
    for (size_t i = 0; i < passing->file_count; ++i) {
        free(passing->files[i].path);
        library_fini(&passing->files[i].library);
    }
    free(passing->files);
    *passing = (struct passing){.count = 0};
}
