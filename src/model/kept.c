#include "model/kept.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/tally.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROGRAM_MIB_MOST = 1 << 10 };
static const off_t folder_bytes_most = (off_t)512 << 20;

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

void *kept_get(const char *path, size_t *size)
{
    struct error ignored;
    char *bytes = *path == '\0' ? NULL : file_read(path, "program", PROGRAM_MIB_MOST, size, &ignored);

    if (bytes != NULL)
        utimensat(AT_FDCWD, path, NULL, 0); /* it was used now */
    return bytes;
}

struct kept {
    char *name;
    struct timespec used;
    off_t bytes;
};

static int latest_first(const void *a, const void *b)
{
    const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;
    return x->tv_sec != y->tv_sec ? (x->tv_sec < y->tv_sec) - (x->tv_sec > y->tv_sec)
                                  : (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

/* Removes what has not been used for longest, if it is too much. */
static void shrink(DIR *folder)
{
    struct kept *files = NULL;
    size_t count = 0;
    off_t bytes = 0;
    struct stat status;

    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode)) {
            GROW(files, count);
            files[count++] = (struct kept){xstrdup(entry->d_name), status.st_mtim, status.st_size};
        }
    if (count > 0)
        qsort(files, count, sizeof *files, latest_first);
    for (size_t i = 0; i < count; ++i) {
        bytes += files[i].bytes;
        if (bytes > folder_bytes_most)
            unlinkat(dirfd(folder), files[i].name, 0);
        free(files[i].name);
    }
    free(files);
}

void kept_put(const char *path, const void *bytes, size_t size)
{
    if (*path == '\0')
        return;
    char *part = xasprintf("%s.XXXXXX", path), *end = strrchr(part, '/');
    const int descriptor = mkostemp(part, O_CLOEXEC);
    if (descriptor >= 0) {
        const bool whole = write(descriptor, bytes, size) == (ssize_t)size;
        if (close(descriptor) != 0 || !whole || rename(part, path) != 0)
            unlink(part);
    }
    *end = '\0';
    DIR *folder = opendir(part);
    if (folder != NULL) {
        shrink(folder);
        closedir(folder);
    }
    free(part);
}
