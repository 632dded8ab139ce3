#include "reproducer/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int reproducer_open_folder(const char *folder, struct error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_USAGE, "cannot make folder %.300s: %s", folder, strerror(errno));
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return error_set(error, STATUS_USAGE, "cannot open folder %.300s: %s", folder, strerror(errno));
    return descriptor;
}

FILE *reproducer_create(int descriptor, const char *folder, const char *name, struct error *error)
{
    const int file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;

    if (file < 0)
        error_set(error, STATUS_USAGE, "cannot create %.300s/%s: %s", folder, name, strerror(errno));
    else if (out == NULL) {
        close(file);
        unlinkat(descriptor, name, 0);
        error_set(error, STATUS_HARNESS, "no memory for a reproducer");
    }
    return out;
}

int reproducer_finish(FILE *out, const char *folder, const char *name, struct error *error)
{
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return 0;
    return error_set(error, STATUS_HARNESS, "cannot write %.300s/%s: %s", folder, name, strerror(errno));
}
