/* Starts the worker's process: the same program, with the descriptors that it shares with the supervisor. */
#pragma once

#include "host/supervisor.h"

#include <sys/types.h>

struct starting {
    const struct supervisor_options *options;
    char *icd_folder; /* where its drivers are, or "" */
    int mirror;       /* the page that both share */
    /* The process, its socket, and what it writes to its standard output and error. */
    pid_t pid;
    int socket, output;
};

/* Returns 0, or -1. */
int starting_start(struct starting *starting, struct error *error);

/* Descriptors for the worker are kept above those that it will have them as: dup2 onto itself keeps CLOEXEC. */
int starting_raise(int descriptor);
