#include "cli/here.h"

static int add_limits(struct parsing *parsing, void *context, char *path)
{
    struct here_options *options = context;

    if (options->count == HERE_RUNS)
        return error_set(&parsing->error, STATUS_USAGE, "--limits: at most %d run files are allowed", HERE_RUNS);
    options->paths[options->count++] = path;
    return 0;
}

static const struct command_option table[] = {
    {"limits", 0, 2, "RUN...",
     "Also say with how many groups kernels that were proved are safe on the devices of these runs, of limits, "
     "progress, run and audit; exit with 1 if one is not safe there",
     .take = add_limits},
    {0},
};

const struct command_line here_line = {.options = table};

int here_options_read(struct here_options *options, struct error *error)
{
    for (size_t i = options->runs.count; i < options->count; ++i)
        if (here_add(&options->runs, options->paths[i], error) != 0)
            return -1;
    return 0;
}

int here_options_find(const struct here_options *options, struct store *store, struct report *report,
                      struct error *error)
{
    if (options->count == 0)
        return 0;
    if (report->kind != REPORT_PROOFS)
        return error_set(error, STATUS_USAGE, "--limits: '%.200s' is of gridlock %s: expected a run of gridlock prove",
                         report->path, report_kind_name(report->kind));
    return here_find(&options->runs, store, &report->proofs, error);
}
