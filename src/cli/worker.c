#include "cli/command.h"

#include "base/error.h"
#include "base/trace.h"
#include "worker/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * gridlock worker PARENT KERNEL_FOLDER ICD_FOLDER [ICD...], with the socket as descriptor 3, the mirror as 4, and what
 * it traces to as 5.
 */
int command_worker(int count, char **arguments)
{
    if (count < 4) {
        fputs("gridlock: \"worker\" is for internal use\n", stderr);
        return STATUS_USAGE;
    }
    /* SIGTERM is a rung of the ladder: it must end the worker, not set a flag. */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    trace_open(5);
    worker_main(&(struct worker_arguments){
        .socket = 3,
        .mirror = 4,
        .parent = strtol(arguments[1], NULL, 10),
        .kernel_folder = arguments[2][0] != '\0' ? arguments[2] : NULL,
        .icd_folder = arguments[3],
        .icds = arguments + 4,
        .icd_count = (size_t)(count - 4),
    });
}
