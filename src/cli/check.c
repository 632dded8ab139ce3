#include "cli/command.h"

#include "cli/options.h"
#include "engine/catalog.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_REFERENCE = 0x200 };

struct check_options {
    char **files;
    size_t count;
    bool reference;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct check_options *options = state->input;

    (void)argument;
    switch (key) {
    case KEY_REFERENCE:
        options->reference = true;
        return 0;
    case ARGP_KEY_ARGS:
        options->files = take_operands(state, &options->count);
        return 0;
    case ARGP_KEY_END:
        if (options->count == 0 && !options->reference)
            argp_error(state, "expected a scenario file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* All files are read, so that one look shows all that is wrong. */
static int check_files(const struct check_options *options)
{
    struct scenario *scenario = malloc(sizeof *scenario);
    struct error error;
    int status = STATUS_OK;

    if (scenario == NULL) {
        error_set(&error, STATUS_HARNESS, "no memory for a scenario");
        return report_error(&error);
    }
    for (size_t i = 0; i < options->count; ++i) {
        if (scenario_load(options->files[i], NULL, scenario, &error) == 0)
            printf("%s: ok\n", options->files[i]);
        else
            status = report_error(&error);
    }
    free(scenario);
    return status;
}

static const struct argp_option table[] = {
    {"reference", KEY_REFERENCE, NULL, 0, "Print all keys of scenario files, with their limits and defaults", 1},
    {0},
};

static const struct argp check_argp = {
    .options = table,
    .parser = parse,
    .args_doc = "FILE...",
    .doc = "Checks scenario files and reports each error with its file and line. Needs no device.\vExit status: 0 all "
           "files are valid; 2 a file is not.",
};

int command_check(int count, char **arguments)
{
    struct check_options options = {.count = 0};

    parse_arguments(&check_argp, count, arguments, &options);
    if (options.reference)
        scenario_print_reference(stdout);
    return check_files(&options);
}
