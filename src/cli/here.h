/* --limits: run files of devices, beside which it is said with how many groups kernels that were proved are safe. */
#pragma once

#include "cli/options.h"
#include "report/here.h"

/* Zeroed it is empty; here_close frees its runs. */
struct here_options {
    const char *paths[HERE_RUNS];
    size_t count;
    struct here_runs runs; /* these, once they are read */
};

/* The option: a part, of a struct here_options. */
extern const struct command_line here_line;

/* Reads the runs. As here_add. */
int here_options_read(struct here_options *options, struct error *error);

/* What they say of the report, which was read from the store. STATUS_USAGE: there are some, and it is of no proofs. */
int here_options_find(const struct here_options *options, struct store *store, struct report *report,
                      struct error *error);
