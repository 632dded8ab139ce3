#include "model/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 512 };

unsigned long cache_hash(unsigned long hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u; /* FNV-1a */
    return (hash ^ length) * 0x100000001b3u;
}

/* Makes the folder if it can; "" if there is nothing to make it in. */
static void find_folder(char folder[PATH_BYTES])
{
    const char *given = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char parent[PATH_BYTES] = "";

    folder[0] = '\0';
    if (given != NULL && given[0] == '/')
        snprintf(parent, sizeof parent, "%.400s", given);
    else if (home != NULL && home[0] == '/')
        snprintf(parent, sizeof parent, "%.400s/.cache", home);
    else
        return;
    mkdir(parent, 0700);
    snprintf(folder, PATH_BYTES, "%.420s/gridlock", parent);
    mkdir(folder, 0700);
}

static bool copy(const char *from, const char *to)
{
    struct stat status;
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    const int out = in >= 0 ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    bool whole = out >= 0 && fstat(in, &status) == 0 && status.st_size > 0;

    for (off_t left = whole ? status.st_size : 0; whole && left > 0;) {
        const ssize_t sent = sendfile(out, in, NULL, (size_t)left);
        whole = sent > 0;
        left -= sent;
    }
    if (in >= 0)
        close(in);
    if (out >= 0 && (close(out) != 0 || !whole))
        whole = unlink(to) != 0 && false;
    return whole;
}

static void name_file(unsigned long hash, const char *ending, char path[PATH_BYTES])
{
    char folder[PATH_BYTES];

    find_folder(folder);
    path[0] = '\0';
    if (folder[0] != '\0')
        snprintf(path, PATH_BYTES, "%.440s/model-%016lx.%s", folder, hash, ending);
}

bool cache_fetch(unsigned long hash, const char *ending, const char *path)
{
    char kept[PATH_BYTES];

    name_file(hash, ending, kept);
    return kept[0] != '\0' && copy(kept, path);
}

void cache_keep(unsigned long hash, const char *ending, const char *path)
{
    char kept[PATH_BYTES], beside[PATH_BYTES];

    name_file(hash, ending, kept);
    snprintf(beside, sizeof beside, "%.480s.%ld", kept, (long)getpid());
    if (kept[0] != '\0' && copy(path, beside) && rename(beside, kept) != 0)
        unlink(beside);
}
