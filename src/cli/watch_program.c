#include "cli/watch_program.h"

#include "cli/lines.h"
#include "cli/watch_file.h"
#include "door/page.h"
#include "engine/run_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEADLINE_DEFAULT_S = 10 };

/* What the door goes by; the program inherits it. The folder has to be there, and can be written. */
static int begin_capture(const struct watch_program_options *options, struct error *error)
{
    if (options->capture == NULL)
        return options->capture_kernel == NULL
                   ? 0
                   : error_set(error, STATUS_USAGE, "--capture-kernel is for --capture, and that is not given");
    const int made = mkdir(options->capture, 0777);
    char *path = made == 0 || errno == EEXIST ? realpath(options->capture, NULL) : NULL;
    if (path == NULL || access(path, W_OK | X_OK) != 0) {
        const int why = errno;
        free(path);
        return error_set(error, STATUS_USAGE, "--capture %s: no folder that can be written: %s", options->capture,
                         strerror(why));
    }
    setenv(CAPTURE_FOLDER, path, 1);
    if (options->capture_kernel != NULL)
        setenv(CAPTURE_KERNEL, options->capture_kernel, 1);
    free(path);
    return 0;
}

int watch_program(const struct watch_program_options *options, struct error *error)
{
    char folder[PATH_MAX];
    struct common_options drivers;
    struct watch_file file = {.path = options->run};
    struct watch_request request = {
        .words = options->program.words,
        .deadline_ns = options->deadline_ns != 0 ? options->deadline_ns : DEADLINE_DEFAULT_S * 1000000000ull,
        .on_stall = options->on_stall,
        .door = options->door,
        .summary = options->summary,
        .json = options->format == FORMAT_JSON,
        .keep = run_file_folder(folder, sizeof folder, NULL) == 0 ? folder : NULL,
        .log = options->log != NULL ? fopen(options->log, "we") : stderr,
    };

    if (begin_capture(options, error) != 0)
        return -1;
    if (options->marks)
        setenv(DOOR_MARKS, "1", 1);
    if (options->lines) {
        common_options_init(&drivers);
        ask_for_lines(&drivers);
    }
    if (request.log == NULL)
        return error_set(error, STATUS_USAGE, "--log %s: %s", options->log, strerror(errno));
    if (watch_file_begin(&file, &request, error) != 0)
        return -1;
    const int status = watched_run(&request, error);
    watch_file_end(&file, status >= 0);
    if (options->log != NULL && fclose(request.log) != 0)
        return error_set(error, STATUS_HARNESS, "cannot write %s: %s", options->log, strerror(errno));
    return status;
}
