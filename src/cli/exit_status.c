#include "cli/exit_status.h"

#include "core/text.h"
#include "judge/verdict.h"
#include "promise/promise.h"
#include "proof/verdict.h"

static const char *expected_of(const struct naming *of)
{
    return of == &keeping_naming         ? "outcomes of promises, such as undecided,exceeded"
           : of == &proof_verdict_naming ? "what proofs come to, such as not-refuted"
                                         : "names of verdicts, such as stale,wrong";
}

/* Some names are of several kinds. */
static const struct naming *const kinds[EXIT_KINDS] = {&verdict_naming, &keeping_naming, &proof_verdict_naming};

/* Names of one kind, separated by commas. */
static int take_fail_on(struct parsing *parsing, void *context, char *argument)
{
    struct exit_options *options = context;
    const char *rest = argument;
    char name[32];

    while (rest != NULL) {
        text_item(&rest, name, sizeof name);
        bool fits = false;
        for (int i = 0; i < EXIT_KINDS; ++i) {
            const int value = naming_find(kinds[i], name);
            options->fail_on[i] |= value >= 0 ? UINT32_C(1) << value : 0;
            options->unfit[i] = options->unfit[i] || value < 0;
            fits = fits || (!options->unfit[i] && (options->of == NULL || options->of == kinds[i]));
        }
        if (!fits)
            return error_set(&parsing->error, STATUS_USAGE, "--fail-on %.40s: expected %s", name,
                             expected_of(options->of));
    }
    return 0;
}

static const struct command_option zero_options[] = {
    {"exit-zero", 0, 3, NULL, "Exit with 0 instead of 1: only a failure of the tool or device counts",
     .at = offsetof(struct exit_options, exit_zero)},
    {0},
};
static const struct command_line zero_line = {.options = zero_options};
static const struct command_part parts[] = {{&zero_line, 0}, {0}};

static const struct command_option point_options[] = {
    {"fail-on", 0, 3, "VERDICT,...", "Also exit with 1 if a point has one of these verdicts, expected or not",
     .take = take_fail_on},
    {0},
};
static const struct command_option promise_options[] = {
    {"fail-on", 0, 3, "OUTCOME,...", "Also exit with 1 if a promise has one of these outcomes, known or not",
     .take = take_fail_on},
    {0},
};
static const struct command_option proof_options[] = {
    {"fail-on", 0, 3, "VERDICT,...", "Also exit with 1 if a launch comes to one of these, such as not-refuted",
     .take = take_fail_on},
    {0},
};
static const struct command_option any_options[] = {
    {"fail-on", 0, 3, "VERDICT,...",
     "Also exit with 1 if a point has one of these verdicts, expected or not; of an audit, if a promise has one of "
     "these outcomes; of proofs, if a launch comes to one",
     .take = take_fail_on},
    {0},
};

const struct command_line point_exit_line = {.options = point_options, .parts = parts};
const struct command_line promise_exit_line = {.options = promise_options, .parts = parts};
const struct command_line proof_exit_line = {.options = proof_options, .parts = parts};
const struct command_line any_exit_line = {.options = any_options, .parts = parts};

static int kind_of(const struct naming *of)
{
    int kind = 0;

    while (kind < EXIT_KINDS - 1 && kinds[kind] != of)
        ++kind;
    return kind;
}

int exit_check(struct exit_options *options, const struct naming *of, struct error *error)
{
    options->of = of;
    if (!options->unfit[kind_of(of)])
        return 0;
    return error_set(error, STATUS_USAGE, "--fail-on: for this run, expected %s", expected_of(of));
}

enum status exit_status(const struct exit_options *options, enum status status, uint32_t verdicts)
{
    const bool fails = (verdicts & options->fail_on[kind_of(options->of)]) != 0;

    if ((status == STATUS_OK || status == STATUS_STOPPED) && fails)
        status = STATUS_SURPRISE;
    return status == STATUS_SURPRISE && options->exit_zero ? STATUS_OK : status;
}
