#include "cli/exit_status.h"

#include "cli/options.h"
#include "core/text.h"
#include "judge/verdict.h"
#include "promise/promise.h"

enum { KEY_FAIL_ON = 0x400, KEY_EXIT_ZERO };

static const char *expected_of(const struct naming *of)
{
    return of == &keeping_naming ? "outcomes of promises, such as undecided,exceeded"
                                 : "names of verdicts, such as stale,wrong";
}

/* Names of one kind, separated by commas. */
static int parse_fail_on(const char *text, struct exit_options *options, struct error *error)
{
    char name[32];

    while (text != NULL) {
        text_item(&text, name, sizeof name);
        if (options->of == NULL)
            options->of = naming_find(&keeping_naming, name) >= 0 ? &keeping_naming : &verdict_naming;
        const int value = naming_find(options->of, name);
        if (value < 0)
            return error_set(error, STATUS_USAGE, "--fail-on %.40s: expected %s", name, expected_of(options->of));
        options->fail_on |= UINT32_C(1) << value;
    }
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct exit_options *options = state->input;
    struct error error;

    switch (key) {
    case KEY_FAIL_ON:
        if (parse_fail_on(argument, options, &error) != 0)
            usage_error(&error);
        return 0;
    case KEY_EXIT_ZERO:
        options->exit_zero = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

#define EXIT_ZERO                                                                                                      \
    "exit-zero", KEY_EXIT_ZERO, NULL, 0, "Exit with 0 instead of 1: only a failure of the tool or device counts", 3

static const struct argp_option point_options[] = {
    {"fail-on", KEY_FAIL_ON, "VERDICT,...", 0, "Also exit with 1 if a point has one of these verdicts, expected or not",
     3},
    {EXIT_ZERO},
    {0},
};

static const struct argp_option promise_options[] = {
    {"fail-on", KEY_FAIL_ON, "OUTCOME,...", 0, "Also exit with 1 if a promise has one of these outcomes, known or not",
     3},
    {EXIT_ZERO},
    {0},
};

static const struct argp_option any_options[] = {
    {"fail-on", KEY_FAIL_ON, "VERDICT,...", 0,
     "Also exit with 1 if a point has one of these verdicts, expected or not; of an audit, if a promise has one of "
     "these"
     " outcomes",
     3},
    {EXIT_ZERO},
    {0},
};

const struct argp point_exit_argp = {point_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp promise_exit_argp = {promise_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp any_exit_argp = {any_options, parse, NULL, NULL, NULL, NULL, NULL};

int exit_check(const struct exit_options *options, const struct naming *of, struct error *error)
{
    if (options->fail_on == 0 || options->of == of)
        return 0;
    return error_set(error, STATUS_USAGE, "--fail-on: for this run, expected %s", expected_of(of));
}

enum status exit_status(const struct exit_options *options, enum status status, uint32_t verdicts)
{
    if (status == STATUS_OK && (verdicts & options->fail_on) != 0)
        status = STATUS_SURPRISE;
    return status == STATUS_SURPRISE && options->exit_zero ? STATUS_OK : status;
}
