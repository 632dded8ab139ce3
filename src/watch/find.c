#include "watch/watched.h"

#include "base/alloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t marks_size = (size_t)PAGE_LANES * PAGE_LANE;

static void *map(int folder, const char *name, size_t size)
{
    const int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    void *memory = MAP_FAILED;

    if (file >= 0 && fstat(file, &status) == 0 && status.st_size >= (off_t)size)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

static void map_marks(struct watched *process, int folder)
{
    const uint32_t number = process->marks == NULL && !process->gone ? atomic_load(&process->page->marks_file) : 0;
    char name[64];

    if (number == 0)
        return;
    snprintf(name, sizeof name, "%ld-%u.marks", (long)process->pid, (unsigned)number);
    process->marks = map(folder, name, marks_size);
}

static bool has(const struct watched_list *list, const char *file)
{
    for (size_t i = 0; i < list->count; ++i)
        if (strcmp(list->items[i]->file, file) == 0)
            return true;
    return false;
}

/* "PID-N.page": N counts what the process was, by calls of exec. */
static long number_of(const struct watched *process)
{
    const char *dash = strrchr(process->file, '-');

    return dash != NULL ? strtol(dash + 1, NULL, 10) : 0;
}

/* One that has called exec has another page, and leaves the earlier one as it is. They are found in any order. */
static void retire(const struct watched_list *list, struct watched *added)
{
    for (size_t i = 0; i < list->count; ++i) {
        struct watched *other = list->items[i];
        if (other->pid == added->pid)
            (number_of(other) < number_of(added) ? other : added)->gone = true;
    }
}

static void add(struct watched_list *list, struct page *page, const char *file)
{
    struct watched *process = xcalloc(1, sizeof *process);

    process->pid = (pid_t)atomic_load(&page->pid);
    process->page = page;
    snprintf(process->file, sizeof process->file, "%s", file);
    snprintf(process->name, sizeof process->name, "%.*s", PAGE_NAME, page->program);
    retire(list, process);
    GROW(list->items, list->count); // NOLINT(bugprone-sizeof-expression): they are pointers
    list->items[list->count++] = process;
}

/* "PID.none" */
static void take_unseen(struct watched_list *list, int folder, const char *file)
{
    const ssize_t length = readlinkat(folder, file, list->why, sizeof list->why - 1);

    list->why[length > 0 ? length : 0] = '\0';
    list->unseen = strtol(file, NULL, 10);
}

void watched_find(struct watched_list *list, const char *folder)
{
    DIR *files = opendir(folder);

    for (const struct dirent *entry = files != NULL ? readdir(files) : NULL; entry != NULL; entry = readdir(files)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending != NULL && list->unseen == 0 && strcmp(ending, PAGE_NONE) == 0)
            take_unseen(list, dirfd(files), entry->d_name);
        if (ending == NULL || strcmp(ending, ".page") != 0 || has(list, entry->d_name))
            continue;
        struct page *page = map(dirfd(files), entry->d_name, sizeof *page);
        if (page == NULL)
            continue;
        if (page->magic == PAGE_MAGIC && page->version == PAGE_VERSION && page->size == sizeof *page)
            add(list, page, entry->d_name);
        else
            munmap(page, sizeof *page);
    }
    for (size_t i = 0; files != NULL && i < list->count; ++i)
        map_marks(list->items[i], dirfd(files));
    if (files != NULL)
        closedir(files);
}

void watched_fini(struct watched_list *list)
{
    for (size_t i = 0; i < list->count; ++i) {
        looking_forget(&list->items[i]->looking);
        munmap(list->items[i]->page, sizeof *list->items[i]->page);
        if (list->items[i]->marks != NULL)
            munmap((void *)list->items[i]->marks, marks_size);
        free(list->items[i]);
    }
    free(list->items);
    *list = (struct watched_list){0};
}
