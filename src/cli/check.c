#include "cli/command.h"

#include "cli/options.h"
#include "engine/catalog.h"

#include <stdio.h>

struct check_options {
    bool reference;
    struct operands files;
};

static int check(struct parsing *parsing)
{
    const struct check_options *options = parsing->options;

    if (options->files.count == 0 && !options->reference)
        refuse_usage(parsing, "expected a scenario file");
    return 0;
}

/* All files are read, so that one look shows all that is wrong. */
static int check_files(const struct check_options *options)
{
    static struct scenario scenario;
    struct error error;
    int status = STATUS_OK;

    for (size_t i = 0; i < options->files.count; ++i) {
        if (scenario_load(options->files.words[i], NULL, &scenario, &error) == 0)
            printf("%s: ok\n", options->files.words[i]);
        else
            status = report_error(&error);
    }
    return status;
}

#define AT(member) offsetof(struct check_options, member)

static const struct command_option table[] = {
    {"reference", 0, 1, NULL, "Print all keys of scenario files, with their limits and defaults", .at = AT(reference)},
    {0},
};

const struct command_line check_line = {
    .options = table,
    .operands = AT(files),
    .check = check,
    .named = "FILE...",
    .doc = "Checks scenario files and reports the first error of each with its line. Needs no device.",
    .statuses = "0 all files are valid; 2 a file is not",
};

int command_check(int count, char **arguments)
{
    struct check_options options = {.reference = false};

    parse_arguments(&check_line, count, arguments, &options);
    if (options.reference)
        scenario_print_reference(stdout);
    return check_files(&options);
}
