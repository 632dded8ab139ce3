#include "cli/exit_status.h"

#include "cli/options.h"

#include <stdio.h>
#include <string.h>

enum { KEY_FAIL_ON = 0x400, KEY_EXIT_ZERO };

/* Verdicts, separated by commas. */
static int parse_fail_on(const char *text, verdict_set *set, struct error *error)
{
    char name[32];

    for (;; ++text) {
        const size_t length = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
        const int verdict = naming_find(&verdict_naming, name);
        if (verdict < 0)
            return error_set(error, STATUS_USAGE, "--fail-on %.40s: expected names of verdicts, such as stale,wrong",
                             name);
        *set |= UINT32_C(1) << verdict;
        text += length;
        if (*text == '\0')
            return 0;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct exit_options *options = state->input;
    struct error error;

    switch (key) {
    case KEY_FAIL_ON:
        if (parse_fail_on(argument, &options->fail_on, &error) != 0)
            usage_error(&error);
        return 0;
    case KEY_EXIT_ZERO:
        options->exit_zero = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options_table[] = {
    {"fail-on", KEY_FAIL_ON, "VERDICT,...", 0, "Also exit with 1 if a point has one of these verdicts, expected or not",
     3},
    {"exit-zero", KEY_EXIT_ZERO, NULL, 0, "Exit with 0 instead of 1: only a failure of the tool or device counts", 3},
    {0},
};

const struct argp exit_argp = {options_table, parse, NULL, NULL, NULL, NULL, NULL};

enum status exit_status(const struct exit_options *options, enum status status, verdict_set verdicts)
{
    if (status == STATUS_OK && (verdicts & options->fail_on) != 0)
        status = STATUS_SURPRISE;
    return status == STATUS_SURPRISE && options->exit_zero ? STATUS_OK : status;
}
