#include "reproducer/files.h"

#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *reproducer_file(const struct source_file *files, const char *name)
{
    while (files->name != NULL && strcmp(files->name, name) != 0)
        ++files;
    return files->text;
}

size_t reproducer_line(const char *text)
{
    const size_t length = strcspn(text, "\n");
    return length + (text[length] == '\n');
}

const char *reproducer_split(const char *text, const char *line, size_t *before)
{
    const char *found = strstr(text, line);
    *before = (size_t)(found - text);
    return found + reproducer_line(found);
}

void reproducer_flags(const char *options, char flags[BUILD_OPTIONS])
{
    flags[0] = '\0';
    for (const char *at = options; *(at += strspn(at, " ")) != '\0'; at += strcspn(at, " "))
        if (strncmp(at, "-D", 2) != 0)
            text_list(flags, BUILD_OPTIONS, " ", "%.*s", (int)strcspn(at, " "), at);
}

static int save(int descriptor, const char *folder, const struct source_file *files, struct error *error)
{
    if (files->name == NULL)
        return 0;
    const int file = openat(descriptor, files->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return error_set(error, STATUS_USAGE, "cannot create %.300s/%s: %s", folder, files->name, strerror(errno));
    const bool written = dprintf(file, "%s", files->text) >= 0;
    if (close(file) != 0 || !written)
        error_set(error, STATUS_HARNESS, "cannot write %.300s/%s: %s", folder, files->name, strerror(errno));
    else if (save(descriptor, folder, files + 1, error) == 0)
        return 0;
    unlinkat(descriptor, files->name, 0);
    return -1;
}

int reproducer_save(const char *folder, const struct source_file *files, struct error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_USAGE, "cannot make folder %.300s: %s", folder, strerror(errno));
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return error_set(error, STATUS_USAGE, "cannot open folder %.300s: %s", folder, strerror(errno));
    const int outcome = save(descriptor, folder, files, error);
    close(descriptor);
    return outcome;
}
