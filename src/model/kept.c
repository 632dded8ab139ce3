#include "model/kept.h"

#include "base/alloc.h"
#include "base/tally.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder for programs within `base`; NULL: it cannot be made. Allocated. */
static char *folder_in(const char *base)
{
    static const char *const parts[] = {"", "/gridlock", "/model"};
    char *path = xstrdup(base);

    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        char *longer = xasprintf("%s%s", path, parts[i]);
        free(path);
        path = longer;
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            free(path);
            return NULL;
        }
    }
    return path;
}

char *kept_path(const char *content, size_t length)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *base = cache != NULL && *cache == '/' ? xstrdup(cache) : xasprintf("%s/.cache", home != NULL ? home : "");
    char *folder = *base == '/' ? folder_in(base) : NULL;
    struct stat status;
    char *path;

    if (folder != NULL && stat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 022) == 0)
        path = xasprintf("%s/%016llx-%zx.so", folder, (unsigned long long)tally_hash_bytes(content, length), length);
    else
        path = xstrdup("");
    free(folder);
    free(base);
    return path;
}

void kept_put(const char *path, const void *bytes, size_t size)
{
    if (*path == '\0')
        return;
    char *part = xasprintf("%s.XXXXXX", path);
    const int descriptor = mkostemp(part, O_CLOEXEC);
    if (descriptor >= 0) {
        const bool whole = write(descriptor, bytes, size) == (ssize_t)size;
        if (close(descriptor) != 0 || !whole || rename(part, path) != 0)
            unlink(part);
    }
    free(part);
}
