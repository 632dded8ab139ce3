/* `gridlock watch PROGRAM`: the options that it has besides those of --pid. */
#pragma once

#include "cli/options.h"
#include "watch/watch.h"

struct watch_program_options {
    uint64_t deadline_ns; /* 0: the default */
    struct operands program;
    enum on_stall on_stall;
    enum door door;
    bool summary, marks, lines;
    const char *capture, *capture_kernel; /* or NULL */
    const char *run;                      /* the run file; NULL: a new one, if it is needed */
    const char *log;                      /* NULL: standard error */
    enum format format;
};

/* The exit status: the program's. */
int watch_program(const struct watch_program_options *options, struct error *error);
