/* When a run fails, whether it has just been made or is read from its file. */
#pragma once

#include "cli/options.h"

enum { EXIT_KINDS = 3 };

struct exit_options {
    const struct naming *of; /* what --fail-on names: verdicts, outcomes of promises, or what proofs come to; NULL: what
                                exit_check says */
    /* By kind: these fail although they were expected; some are of other kinds. */
    uint32_t fail_on[EXIT_KINDS];
    bool unfit[EXIT_KINDS];
    bool exit_zero; /* surprises are left to others */
};

/* --fail-on and --exit-zero, of points, promises, proofs, or a run of any kind: parts, of a struct exit_options. */
extern const struct command_line point_exit_line, promise_exit_line, proof_exit_line, any_exit_line;

/* STATUS_USAGE if --fail-on does not name what this run comes to. */
int exit_check(struct exit_options *options, const struct naming *of, struct error *error);

/* The exit status of a report that stands for `status` and has these verdicts, or outcomes. */
enum status exit_status(const struct exit_options *options, enum status status, uint32_t verdicts);
