#include "base/file.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

/* All of the file, or its first `most` + 1 bytes; NULL with errno. */
static char *read_all(FILE *file, size_t most, size_t *length)
{
    size_t capacity = 1 << 14;
    char *text = xmalloc(capacity + 1);

    *length = 0;
    for (;;) {
        *length += fread(text + *length, 1, capacity - *length, file);
        if (*length < capacity || *length > most)
            break;
        capacity = 2 * capacity < most + 1 ? 2 * capacity : most + 1;
        text = xrealloc(text, capacity + 1);
    }
    if (ferror(file)) {
        free(text);
        return NULL;
    }
    text[*length] = '\0';
    return text;
}

bool file_is_kernel(const char *path)
{
    const char *end = strrchr(path, '.');
    return end != NULL && strcmp(end, ".cl") == 0;
}

FILE *file_open(const char *path, const char **reason)
{
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    FILE *file = NULL;

    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        *reason = errno == EISDIR ? strerror(errno) : "it is not a regular file";
    } else if (descriptor < 0 || (file = fdopen(descriptor, "r")) == NULL) {
        *reason = strerror(errno);
    }
    if (descriptor >= 0 && file == NULL)
        close(descriptor);
    return file;
}

/* What the file is to blame for, and what it is not. */
static enum status status_of(int code)
{
    return code == ENOMEM || code == EMFILE || code == ENFILE ? STATUS_HARNESS : STATUS_USAGE;
}

char *file_read(const char *path, const char *what, size_t most_mib, size_t *length, struct error *error)
{
    const char *reason;
    FILE *file = file_open(path, &reason);

    if (file == NULL)
        return ERROR_NULL(error, status_of(errno), "cannot open %s %s: %s", what, path, reason);
    char *text = read_all(file, most_mib * MIB, length);
    if (text == NULL) {
        error_set(error, status_of(errno), "cannot read %s %s: %s", what, path, strerror(errno));
    } else if (*length > most_mib * MIB) {
        error_set(error, STATUS_USAGE, "%s:1: the file is larger than %zu MiB", path, most_mib);
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}
