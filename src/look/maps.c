#include "look/maps.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the files of loaders and drivers are called. */
static const char *const opencl_names[] = {
    "libOpenCL.so", "libpocl",          "libMesaOpenCL", "libRusticlOpenCL", "libgallium", "pipe_",
    "libintelocl",  "libcpu_device",    "libcl_log",     "libtask_exec",     "libOclCpu",  "libcommon_c",
    "libigdrcl",    "libnvidia-opencl", "libamdocl",     "liboclgrind"};

static const char *const door_names[] = {"libgridlock-door.so"};

/* What both programs and drivers call, and are called by. */
static const char *const system_names[] = {"libc.so", "libc-",        "ld-linux", "libpthread", "ld-2.",
                                           "libm.so", "libstdc++.so", "libgcc_s", "libtbb",     "[vdso]"};

static const char *const compiler_names[] = {"libLLVM", "libclang"};

const char *maps_base(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool begins(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* PoCL's objects are .../KERNEL/LOCAL-SIZE-.../KERNEL.so. */
static bool is_kernel_object(const char *path)
{
    char parts[4096];
    char *slashes[2];
    const char *const base = maps_base(path);
    const size_t length = strlen(base);

    if (length < 4 || strcmp(base + length - 3, ".so") != 0 || strlen(path) >= sizeof parts)
        return false;
    memcpy(parts, path, (size_t)(base - path));
    parts[base - path] = '\0';
    for (size_t i = 0; i < 2; ++i) {
        char *const end = strrchr(parts, '/');
        if (end == NULL)
            return false;
        *end = '\0';
        slashes[i] = end;
    }
    const char *const sizes = slashes[1] + 1, *const kernel = maps_base(parts);
    return isdigit((unsigned char)sizes[0]) && strchr(sizes, '-') != NULL && strncmp(kernel, base, length - 3) == 0 &&
           kernel[length - 3] == '\0';
}

static enum map_kind find_kind(const struct map *map)
{
    const char *const base = maps_base(map->path);

    if (map->path[0] == '\0' || strncmp(map->path, "/memfd:", 7) == 0)
        return map->executable ? MAP_CODE : MAP_OTHER;
    if (begins(base, system_names, sizeof system_names / sizeof *system_names))
        return MAP_SYSTEM;
    if (is_kernel_object(map->path))
        return MAP_KERNEL;
    if (begins(base, compiler_names, sizeof compiler_names / sizeof *compiler_names))
        return MAP_COMPILER;
    if (begins(base, door_names, 1))
        return MAP_DOOR;
    return begins(base, opencl_names, sizeof opencl_names / sizeof *opencl_names) ? MAP_OPENCL : MAP_OTHER;
}

/* "FROM-TO rwxp OFFSET DEVICE INODE PATH" */
static bool parse(struct map *map, char *line)
{
    char *text;

    line[strcspn(line, "\n")] = '\0';
    map->from = strtoull(line, &text, 16);
    if (*text++ != '-')
        return false;
    map->to = strtoull(text, &text, 16);
    if (strlen(text) < 5)
        return false;
    map->readable = text[1] == 'r';
    map->writable = text[2] == 'w';
    map->executable = text[3] == 'x';
    map->shared = text[4] == 's';
    for (int field = 0; field < 4; ++field) {
        text += strspn(text, " ");
        text += strcspn(text, " ");
    }
    map->path = xstrdup(text + strspn(text, " "));
    map->kind = find_kind(map);
    return true;
}

int maps_read(struct maps *maps, pid_t process, struct error *error)
{
    char name[64], *line = NULL;
    size_t room = 0;

    *maps = (struct maps){0};
    snprintf(name, sizeof name, "/proc/%d/maps", (int)process);
    FILE *const file = fopen(name, "re");
    if (file == NULL)
        return error_set(error, STATUS_HARNESS, "cannot read %s: %s", name, strerror(errno));
    while (getline(&line, &room, file) > 0) {
        GROW(maps->all, maps->count);
        maps->count += parse(&maps->all[maps->count], line);
    }
    free(line);
    fclose(file);
    return 0;
}

void maps_fini(struct maps *maps)
{
    for (size_t i = 0; i < maps->count; ++i)
        free(maps->all[i].path);
    free(maps->all);
    *maps = (struct maps){0};
}

const struct map *maps_find(const struct maps *maps, uint64_t address)
{
    size_t low = 0, high = maps->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (maps->all[middle].to <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < maps->count && maps->all[low].from <= address ? &maps->all[low] : NULL;
}

uint64_t maps_gap(const struct maps *maps)
{
    for (uint64_t at = UINT64_C(1) << 36; at < UINT64_C(1) << 46; at += UINT64_C(1) << 36)
        if (maps_find(maps, at) == NULL)
            return at;
    return 0;
}
