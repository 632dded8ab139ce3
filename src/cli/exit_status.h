/* When a run fails, whether it has just been made or is read from its file. */
#pragma once

#include "base/error.h"
#include "core/naming.h"

#include <argp.h>
#include <stdbool.h>

struct exit_options {
    const struct naming *of; /* what --fail-on names: verdicts, or outcomes of promises; NULL: what the first one is */
    uint32_t fail_on;        /* these fail although they were expected */
    bool exit_zero;          /* surprises are left to others */
};

/*
 * They parse --fail-on and --exit-zero, of points, of promises, or of a run of any kind; a child of the subcommand's
 * parser, whose input is a struct exit_options.
 */
extern const struct argp point_exit_argp, promise_exit_argp, any_exit_argp;

/* STATUS_USAGE if --fail-on does not name what this run comes to. */
int exit_check(const struct exit_options *options, const struct naming *of, struct error *error);

/* The exit status of a report that stands for `status` and has these verdicts, or outcomes. */
enum status exit_status(const struct exit_options *options, enum status status, uint32_t verdicts);
