#include "cli/live.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int live_parse(const char *text, enum live *live, struct error *error)
{
    if (text != NULL && strcmp(text, "any") != 0)
        return error_set(error, STATUS_USAGE, "--live=%.40s: expected --live or --live=any", text);
    *live = text != NULL ? LIVE_ANY : LIVE_CPU;
    return 0;
}

/* Unfused kernels can take a machine down: never on a device that the user did not mean. */
int live_confirm(enum live live, bool yes, const struct device_info *device, struct error *error)
{
    char answer[16] = "";

    if (live == LIVE_NO || device->kind == DEVICE_CPU)
        return 0;
    if (live != LIVE_ANY)
        return error_set(error, STATUS_USAGE, "--live: %s is not a CPU device; choose one with -d, or use --live=any",
                         DEVICE_LABEL_OF(device));
    fprintf(stderr,
            "gridlock: --live=any runs kernels on %s that may never end and that only killing the process can\nstop. "
            "The display, the driver or the whole machine may hang.\n",
            DEVICE_LABEL_OF(device));
    if (yes)
        return 0;
    fputs("Continue? (yes/no) ", stderr);
    if (!isatty(0) || fgets(answer, sizeof answer, stdin) == NULL || strncmp(answer, "yes", 3) != 0)
        return error_set(error, STATUS_USAGE, "--live=any: not confirmed (use --yes to confirm)");
    return 0;
}
