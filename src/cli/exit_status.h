/* When a run fails, whether it has just been made or is read from its file. */
#ifndef GRIDLOCK_CLI_EXIT_STATUS_H
#define GRIDLOCK_CLI_EXIT_STATUS_H

#include "base/error.h"
#include "core/verdict.h"

#include <argp.h>
#include <stdbool.h>

struct exit_options {
    verdict_set fail_on; /* these fail although they were expected */
    bool exit_zero;      /* surprises are left to others */
};

/* Parses --fail-on and --exit-zero; a child of the subcommand's parser, whose input is a struct exit_options. */
extern const struct argp exit_argp;

/* The exit status of a report that stands for `status` and has these verdicts. */
enum status exit_status(const struct exit_options *options, enum status status, verdict_set verdicts);

#endif
