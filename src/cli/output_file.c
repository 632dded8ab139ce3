#include "cli/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct command_option output_options[] = {
    {"output", 'o', 1, "FILE", "Print to FILE, which is replaced unless it is a run file (default: -, standard output)",
     .at = 0},
    {0},
};

const struct command_line output_line = {.options = output_options};

/* NULL: stdout as it was. */
static const char *output;
static char part[4096]; /* what is written, until it is whole; "": FILE itself, which is a pipe or a device */

/* How databases begin, and what xz has packed. */
static bool is_run_file(const char *path)
{
    static const char magics[][7] = {"SQLite", "\3757zXZ"};
    char begin[7] = "";
    FILE *file = fopen(path, "re");

    if (file == NULL)
        return false;
    const size_t size = fread(begin, 1, sizeof begin - 1, file);
    fclose(file);
    for (size_t i = 0; i < sizeof magics / sizeof *magics; ++i)
        if (size >= strlen(magics[i]) && memcmp(begin, magics[i], strlen(magics[i])) == 0)
            return true;
    return false;
}

static void remove_part(void)
{
    if (part[0] != '\0')
        unlink(part);
}

int output_begin(const char *path, struct error *error)
{
    struct stat status;

    if (path == NULL || strcmp(path, "-") == 0)
        return 0;
    const bool is_there = stat(path, &status) == 0, is_plain = !is_there || S_ISREG(status.st_mode);
    if (is_there && is_plain && is_run_file(path))
        return error_set(error, STATUS_USAGE,
                         "-o %s: it is a run file, and is not replaced; what is to be read stands without -o", path);
    if (is_plain && snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return error_set(error, STATUS_USAGE, "-o %.60s...: the name is too long", path);
    const int descriptor = is_plain ? open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666)
                                    : open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0 || dup2(descriptor, STDOUT_FILENO) < 0)
        return error_set(error, STATUS_USAGE, "-o %s: %s", path, strerror(errno));
    close(descriptor);
    at_quick_exit(remove_part);
    output = path;
    return 0;
}

/* Nothing printed is a usage error, which has been reported. */
static int put_in_place(void)
{
    struct stat status;

    if (fstat(STDOUT_FILENO, &status) != 0)
        return errno;
    if (status.st_size > 0 && rename(part, output) != 0)
        return errno;
    if (status.st_size == 0)
        unlink(part);
    return 0;
}

int output_end(const char **name)
{
    int failure = output_failure();

    *name = output != NULL ? output : "stdout";
    if (output == NULL || part[0] == '\0')
        return failure;
    if (failure == 0)
        failure = put_in_place();
    if (failure != 0)
        unlink(part);
    return failure;
}
