#include "watch/passing.h"

#include "base/alloc.h"
#include "look/process.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Loaders, and drivers, as their files begin. */
static const char *const known[] = {"libOpenCL.",       "libpocl.",  "libMesaOpenCL.", "libRusticlOpenCL.",
                                    "libnvidia-opencl", "libamdocl", "libintelocl",    "libigdrcl",
                                    "liboclgrind-rt",   "libmali",   "libcuda_opencl", "libxilinxopencl"};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strncmp(name, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

static bool is_among(const char (*paths)[PAGE_PATH], uint32_t count, const char *path)
{
    for (uint32_t i = 0; i < count && i < PAGE_DRIVERS; ++i)
        if (strncmp(paths[i], path, PAGE_PATH - 1) == 0)
            return true;
    return false;
}

static bool comes_by_the_door(const struct page *page, const char *path)
{
    if (page != NULL && page->layer != 0 && strncmp(strrchr(path, '/') + 1, known[0], strlen(known[0])) != 0)
        return true; /* drivers are found by the loader, and are not told */
    return page != NULL &&
           (is_among(page->drivers, page->driver_count, path) || is_among(page->loaders, page->loader_count, path));
}

static void add(struct passing *passing, pid_t process, const char *path)
{
    for (size_t i = 0; i < passing->count; ++i)
        if (passing->libraries[i].process == process && strcmp(passing->libraries[i].path, path) == 0)
            return;
    if (passing->count < PASSING_MOST)
        passing->libraries[passing->count++] = (struct passing_library){process, xstrdup(path)};
}

/* A process has a loader in its memory before that asks for drivers. */
void passing_settle(struct passing *passing, pid_t process, const struct page *page)
{
    size_t kept = 0;

    for (size_t i = 0; i < passing->count; ++i)
        if (passing->libraries[i].process == process && comes_by_the_door(page, passing->libraries[i].path))
            free(passing->libraries[i].path);
        else
            passing->libraries[kept++] = passing->libraries[i];
    passing->count = kept;
}

bool passing_is_first(const struct passing *passing, size_t index)
{
    size_t i = 0;

    while (strcmp(passing->libraries[i].path, passing->libraries[index].path) != 0)
        ++i;
    return i == index;
}

void passing_look(struct passing *passing, pid_t process, const struct page *page)
{
    char path[PROCESS_PATH], line[4096];

    passing_settle(passing, process, page);
    process_path(process, "maps", path);
    FILE *maps = fopen(path, "re");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char *file = strchr(line, '/');
        if (file == NULL)
            continue;
        file[strcspn(file, "\n")] = '\0';
        if (is_known(strrchr(file, '/') + 1) && !comes_by_the_door(page, file))
            add(passing, process, file);
    }
    if (maps != NULL)
        fclose(maps);
}

void passing_fini(struct passing *passing)
{
    for (size_t i = 0; i < passing->count; ++i)
        free(passing->libraries[i].path);
    *passing = (struct passing){.count = 0};
}
