#include "engine/catalog.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/nearest.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Room for one more. */
static struct scenario *add(struct catalog *catalog)
{
    struct scenario *scenario = xmalloc(sizeof *scenario);

    grow(&catalog->scenarios, catalog->count, sizeof(void *)); /* they are pointers */
    catalog->scenarios[catalog->count++] = scenario;
    return scenario;
}

bool catalog_is_file(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 4 && strcmp(name + length - 4, ".ini") == 0);
}

static int load_file(struct catalog *catalog, const char *path, const char *kernel_folder, struct error *error)
{
    struct scenario *scenario = add(catalog);
    if (scenario_load(path, kernel_folder, scenario, error) != 0)
        return -1;
    for (size_t i = 0; i + 1 < catalog->count; ++i)
        if (strcmp(catalog->scenarios[i]->name, scenario->name) == 0)
            return error_set(error, STATUS_USAGE, "%s: another scenario is already named %s", path, scenario->name);
    return 0;
}

static bool is_there(const struct catalog *catalog, const char *name)
{
    for (size_t i = 0; i < catalog->count; ++i)
        if (strcmp(catalog->scenarios[i]->name, name) == 0)
            return true;
    return false;
}

static int unknown_scenario(const char *pattern, struct error *error)
{
    char name[64], meant[NEAREST_TEXT];
    struct nearest nearest = nearest_begin(pattern);
    struct stat status;

    if (file_is_kernel(pattern))
        return scenario_refuse_kernel(pattern, error);
    nearest.patterns = true;
    for (const struct scenario_file *file = scenario_files; file->name != NULL; ++file) {
        snprintf(name, sizeof name, "%.*s", (int)(strlen(file->name) - 4), file->name);
        nearest_try(&nearest, name);
    }
    nearest_print(&nearest, meant);
    if (meant[0] == '\0' && stat(pattern, &status) == 0)
        return error_set(error, STATUS_USAGE,
                         "%.60s is a %s and no scenario: expected the name of one (gridlock list shows all), or a "
                         "file whose name ends in .ini",
                         pattern, S_ISDIR(status.st_mode) ? "folder" : "file");
    return error_set(error, STATUS_USAGE, "unknown scenario %.60s%s (gridlock list shows all)",
                     pattern[0] != '\0' ? pattern : "\"\"", meant);
}

static int load_matching(struct catalog *catalog, const char *pattern, const char *folder, struct error *error)
{
    char name[64];
    bool found = false;

    for (const struct scenario_file *file = scenario_files; file->name != NULL; ++file) {
        snprintf(name, sizeof name, "%.*s", (int)(strlen(file->name) - 4), file->name);
        if (fnmatch(pattern, name, 0) != 0)
            continue;
        found = true;
        if (is_there(catalog, name))
            continue;
        if (scenario_find(name, folder, add(catalog), error) != 0)
            return -1;
    }
    if (found)
        return 0;
    return unknown_scenario(pattern, error);
}

int catalog_load(struct catalog *catalog, char *const *names, size_t count, const char *kernel_folder,
                 struct error *error)
{
    const char *folder = kernel_folder != NULL ? kernel_folder : "";

    if (count == 0)
        return load_matching(catalog, "*", folder, error);
    for (size_t i = 0; i < count; ++i)
        if ((catalog_is_file(names[i]) ? load_file(catalog, names[i], kernel_folder, error)
                                       : load_matching(catalog, names[i], folder, error)) != 0)
            return -1;
    return 0;
}

void catalog_shuffle(struct catalog *catalog, uint32_t seed)
{
    uint32_t state = seed | 1;
    for (size_t i = catalog->count; i > 1; --i) {
        state = state * 1664525u + 1013904223u;
        const size_t other = (state >> 8) % i;
        struct scenario *kept = catalog->scenarios[i - 1];
        catalog->scenarios[i - 1] = catalog->scenarios[other];
        catalog->scenarios[other] = kept;
    }
}

void catalog_fini(struct catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; ++i)
        free(catalog->scenarios[i]);
    free(catalog->scenarios);
    *catalog = (struct catalog){0};
}
