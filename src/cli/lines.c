#include "cli/lines.h"

#include "base/alloc.h"
#include "cli/selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* PoCL keeps lines of optimized code from this version on, and may die of code that is not optimized. */
enum { POCL_KEEPS_LINES = 6 };

static bool is_older(const struct device_info *device)
{
    return strcmp(device->platform, "Portable Computing Language") == 0 &&
           strtol(device->driver_version, NULL, 10) < POCL_KEEPS_LINES;
}

/* In a child, of which neither a thread nor a signal's handler is left. */
static _Noreturn void look_for_older(const struct common_options *options)
{
    struct remote remote = {0};
    struct device_info *devices = NULL;
    struct error error;
    size_t count = 0;

    bool found = selection_open(options, &remote.supervisor, &error) != 0 ||
                 remote_list(&remote, NULL, &devices, &count, &error) != 0; /* it is not known */
    for (size_t i = 0; i < count; ++i)
        found = found || is_older(&devices[i]);
    supervisor_close(remote.supervisor);
    _exit(found);
}

static bool has_older(const struct common_options *options)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0)
        look_for_older(options);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child < 0 || status != 0;
}

void ask_for_lines(const struct common_options *options)
{
    static const char name[] = "POCL_EXTRA_BUILD_FLAGS";
    const char *own = getenv(name);
    char *flags = xasprintf("%s%s-g%s", own != NULL ? own : "", own != NULL ? " " : "",
                            has_older(options) ? " -cl-opt-disable" : "");

    setenv(name, flags, 1);
    free(flags);
}
