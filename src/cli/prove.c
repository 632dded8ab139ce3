#include "cli/command.h"

#include "base/file.h"
#include "cli/argument.h"
#include "cli/exit_status.h"
#include "cli/here.h"
#include "cli/measure.h"
#include "cli/options.h"
#include "cli/prove_result.h"
#include "cli/sources.h"
#include "core/text.h"
#include "engine/prove.h"
#include "litmus/emulate.h"
#include "proof/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAMES_MOST = 256,
    ROUNDS_MOST = 64,
    BUDGET_S = 60,
    BUDGET_MOST_S = 86400,
    MEMORY_MOST_MIB = 1 << 20,
    ALONE_PART = 6, /* of the time limit of a launch: a processor's, for one access */
};

struct prove_options {
    struct measure_options measure;
    struct exit_options exit;
    struct source_options sources;
    struct nd_range groups[FOOTPRINTS_LIST]; /* how many there are in each dimension */
    size_t group_count;
    char *names[NAMES_MOST]; /* of scenarios */
    size_t name_count;
    struct catalog catalog; /* these scenarios */
    uint32_t rounds;
    struct proofs_allowed allowed;
    struct here_options here;
    const char *local_sizes; /* as they were given */
    uint64_t budget_s, memory_mib;
    struct proof_request request;
};

/* --- options --- */

static int add_argument(struct parsing *parsing, void *context, char *text)
{
    return argument_add(&((struct prove_options *)context)->request, text, &parsing->error);
}

static int add_result(struct parsing *parsing, void *context, char *text)
{
    return prove_add_result(&((struct prove_options *)context)->request, text, &parsing->error);
}

static int add_ignored(struct parsing *parsing, void *context, char *text)
{
    return prove_add_ignored(&((struct prove_options *)context)->request, text, &parsing->error);
}

static int refuse_groups(struct parsing *parsing, const char *item)
{
    return error_set(
        &parsing->error, STATUS_USAGE,
        "%s %.40s: expected a number of work-groups from 1 to %d, or how many there are in each dimension, as 2x2",
        parsing->name, item, PROOF_GROUPS);
}

/* "2,3,2x2" */
static int take_groups(struct parsing *parsing, void *context, char *text)
{
    struct prove_options *options = context;
    const char *rest = text;
    char item[SHAPE_BYTES];

    while (rest != NULL) {
        struct nd_range *groups = &options->groups[options->group_count];
        const size_t length = text_item(&rest, item, sizeof item);
        if (options->group_count == FOOTPRINTS_LIST)
            return error_set(&parsing->error, STATUS_USAGE, "%s: at most %d values are allowed", parsing->name,
                             FOOTPRINTS_LIST);
        if (length >= sizeof item || !nd_range_parse_shape(item, groups) || groups->local[0] == 0 ||
            nd_range_local_size(groups) > PROOF_GROUPS)
            return refuse_groups(parsing, item);
        options->group_count += 1;
    }
    return 0;
}

static int take_operand(struct parsing *parsing, char *word)
{
    struct prove_options *options = parsing->options;

    if (sources_is_folder(word) || file_is_kernel(word) || strcmp(word, SUBJECT_STDIN) == 0)
        return sources_add_file(parsing, &options->sources, word);
    if (options->name_count == NAMES_MOST)
        refuse_usage(parsing, "at most %d scenarios are allowed", NAMES_MOST);
    options->names[options->name_count++] = word;
    return 0;
}

/* Options that say nothing of what is to be explored. */
static int check_needless(const struct prove_options *options, struct error *error)
{
    const struct subject_request *request = &options->sources.request;
    const char *of_files = options->request.argument_count > 0 ? "--arg"
                           : request->kernel_count > 0         ? "--kernel"
                           : request->options != NULL          ? "--build-options"
                                                               : NULL;

    if (of_files != NULL && request->file_count == 0)
        return error_set(error, STATUS_USAGE, "%s is for a file of OpenCL C, and none is given", of_files);
    for (size_t i = 0; i < options->group_count; ++i)
        if (!nd_range_groups_in_row(&options->groups[i]) && options->name_count > 0)
            return error_set(
                error, STATUS_USAGE,
                "--groups: those of a scenario lie in a row; several dimensions are for a file of OpenCL C");
    if (options->rounds != 0 && options->name_count == 0)
        return error_set(error, STATUS_USAGE, "--rounds is for a scenario, and none is given");
    return 0;
}

static int check_device(const char *selector, struct error *error)
{
    if (!model_device_is_named(selector))
        return error_set(
            error, STATUS_USAGE,
            "--device %.80s: all schedules are explored on a model device; what another one keeps and holds is "
            "measured by gridlock progress and gridlock limits --source, and --limits RUN compares it",
            selector);
    if (strncasecmp(selector, "model:serial", strlen("model:serial")) == 0)
        return error_set(error, STATUS_USAGE, "--device %.80s: all schedules are explored, of work-items as well",
                         selector);
    if (strcasestr(selector, ",sub-groups=") != NULL)
        return error_set(error, STATUS_USAGE, "--device %.80s: schedules of sub-groups are not explored", selector);
    return 0;
}

static int check(struct parsing *parsing)
{
    struct prove_options *options = parsing->options;

    for (size_t i = 0; i < options->measure.common.selector_count; ++i)
        if (check_device(options->measure.common.selectors[i], &parsing->error) != 0)
            return -1;
    if (options->sources.request.file_count == 0 && options->name_count == 0)
        return error_set(&parsing->error, STATUS_USAGE,
                         "expected a file of OpenCL C, or a scenario: gridlock prove FILE.cl");
    if (options->request.ignored_count > 0 && options->name_count > 0)
        return error_set(&parsing->error, STATUS_USAGE, "--ignore: it is for kernels of a FILE.cl");
    if (options->request.right_count > 0 && options->name_count > 0)
        return error_set(&parsing->error, STATUS_USAGE,
                         "--result: what is right is known of a scenario; it is for kernels of a FILE.cl");
    if (check_needless(options, &parsing->error) != 0)
        return -1;
    return options->local_sizes == NULL ? 0
                                        : sources_parse_sizes(&options->sources, options->local_sizes, &parsing->error);
}

#define AT(member) offsetof(struct prove_options, member)

static const struct command_option options_table[] = {
    {"kernel", 0, 1, "NAME,...", "Only these kernels (default: all of the files)", .at = AT(sources),
     .take = sources_add_kernels},
    {"groups", 0, 1, "N,...",
     "Numbers of work-groups to launch, each by itself, or how many in each dimension, as 2x2 (default: 2,3, or "
     "those of a captured launch)",
     .take = take_groups},
    {"local-size", 0, 1, "N,...",
     "Work-items of a group, as 2 or 2x2 (default: 1, and 2 where a file has barriers or asks for local ids; or what "
     "the kernel requires); at most 64 in all groups together, or 8192 that keep apart but for barriers",
     .at = AT(local_sizes)},
    {"arg", 0, 1, "ARGUMENT=VALUE...", ARGUMENT_HELP, .take = add_argument},
    {"result", 0, 1, "ARGUMENT=RIGHT...",
     "What a buffer has to hold at the end of each schedule: a value for each element, as out=1,2,3; what a file has, "
     "as out=file:PATH; or an expression in OpenCL C of i, the index of an element, groups, and items of a group, as "
     "'out=i * 2'",
     .take = add_result},
    {"ignore", 0, 2, "ARGUMENT...",
     "Compare states without this buffer, or these elements of it, as polls[0] or polls[0-3]: a counter on which "
     "nothing but how often depends. If it is read, that is as if it never changed, and nothing is proved. "
     "variables[0] is the first word of the program's own variables",
     .take = add_ignored},
    {"build-options", 0, 1, "TEXT", "Options for the compiler, as -DN=16", .at = AT(sources.request.options),
     .take = sources_take_build_options},
    {"needs", 0, 1, NULL, "Exit with 1 if a launch needs more than this progress model", .at = AT(allowed.model),
     .names = &litmus_model_naming, .given = AT(allowed.given)},
    {"rounds", 0, 1, "N",
     "How often kernels of scenarios repeat what they do (default: as the scenario, at most 3 for up to 2 groups, else "
     "2)",
     .at = AT(rounds), .take = take_count, .least = 1, .most = ROUNDS_MOST},
    {"budget", 0, 2, "S", "Time for each launch, in seconds (default: 60)", .at = AT(budget_s), .take = take_count,
     .least = 1, .most = BUDGET_MOST_S},
    {"memory", 0, 2, "MIB", "Memory for the states of a launch (default: an eighth of the machine's)",
     .at = AT(memory_mib), .take = take_count, .least = 1, .most = MEMORY_MOST_MIB},
    {0},
};

/* --- a run --- */

static int explore(void *context, const struct device_info *device, struct error *error)
{
    return prove_device(context, device, error);
}

static int print(struct measurement *measurement, const struct prove_options *options, enum status *status,
                 struct error *error)
{
    struct report report = {.kind = REPORT_PROOFS, .proofs.allowed = options->allowed};
    int outcome = report_read_measured(&report, measurement->settings.store, error);

    if (outcome == 0)
        outcome = here_options_find(&options->here, measurement->settings.store, &report, error);
    outcome = measurement_report(measurement, &report, outcome, status, error);
    report_fini(&report);
    return outcome;
}

/* One work-item a group is enough where it does not matter how many there are. */
static int choose_sizes(struct prove_options *options, struct error *error)
{
    if (options->local_sizes != NULL || options->sources.captured != NULL)
        return 0;
    options->request.shape_made_up = true;
    return sources_parse_sizes(&options->sources, options->sources.asks_group ? "1,2" : "1", error);
}

/* As many groups as there were, which lie as they did; of more than can be explored two in each dimension. */
static void take_captured(struct prove_options *options)
{
    const struct captured *captured = options->sources.captured;

    if (captured == NULL)
        return;
    struct nd_range groups = nd_range_groups(&captured->range);
    uint64_t count = 1;
    for (uint32_t i = 0; i < groups.dimensions; ++i)
        count *= groups.local[i] <= PROOF_GROUPS ? groups.local[i] : PROOF_GROUPS + 1;
    options->request.groups_made_up = options->group_count == 0 && count > PROOF_GROUPS;
    for (uint32_t i = 0; i < groups.dimensions && count > PROOF_GROUPS; ++i)
        groups.local[i] = groups.local[i] < 2 ? groups.local[i] : 2;
    if (options->group_count == 0)
        options->groups[options->group_count++] = groups;
    else
        for (size_t i = 0; i < options->group_count; ++i)
            memcpy(options->groups[i].offset, groups.offset, sizeof groups.offset);
}

static int run_prove(struct prove_options *options, int count, char **arguments, enum status *status,
                     struct error *error)
{
    static const struct nd_range usual[] = {{.dimensions = 1, .local = {2, 1, 1}},
                                            {.dimensions = 1, .local = {3, 1, 1}}};
    struct measurement measurement = {0};
    struct prove prove = {
        .settings = &measurement.settings,
        .executor = executor_of_worker(&measurement.worker),
        .asked = {.subjects = &options->sources.request, .catalog = &options->catalog, .rounds = options->rounds},
        .request = &options->request,
        .launch_ended = measurement_share,
        .context = &measurement,
    };
    int outcome = -1;

    options->request.groups_made_up = options->group_count == 0;
    take_captured(options);
    prove.asked.groups = options->group_count > 0 ? options->groups : usual;
    prove.asked.group_count = options->group_count > 0 ? options->group_count : sizeof usual / sizeof *usual;
    sources_give_arguments(&options->sources, &options->request);
    options->request.budget_ns = (options->budget_s != 0 ? options->budget_s : BUDGET_S) * UINT64_C(1000000000);
    options->request.alone_ns = options->measure.common.timeout_ns / ALONE_PART;
    options->request.memory_bytes = options->memory_mib << 20;
    if ((options->name_count > 0 && catalog_load(&options->catalog, options->names, options->name_count,
                                                 options->measure.common.kernel_folder, error) != 0) ||
        sources_read(&options->sources, error) != 0 || choose_sizes(options, error) != 0 ||
        sources_check_origin(&options->sources, &options->measure, options->here.paths, options->here.count, error) !=
            0 ||
        here_options_read(&options->here, error) != 0 ||
        measurement_open(&measurement, &options->measure, true, error) != 0 ||
        measurement_begin(&measurement, count, arguments, error) != 0)
        goto out;
    outcome = sources_note(&options->sources, &measurement, error);
    if (outcome == 0)
        outcome = measurement_each(&measurement, explore, &prove, error);
    if (outcome == 0)
        outcome = print(&measurement, options, status, error);
    outcome = measurement_interrupted(&measurement, outcome, error);
out:
    here_close(&options->here.runs);
    catalog_fini(&options->catalog);
    measurement_close(&measurement);
    return outcome;
}

static const struct command_part parts[] = {
    {&measure_line, AT(measure)}, {&here_line, AT(here)}, {&proof_exit_line, AT(exit)}, {0}};

const struct command_line prove_line = {
    .options = options_table,
    .parts = parts,
    .operand = take_operand,
    .named = "FILE|SCENARIO...",
    .check = check,
    .doc =
        "Computes which promise of progress a kernel needs: all schedules of a small launch are explored, on a model "
        "device and without a GPU. Tells how the launch stalls where less is promised, data races, and whether the "
        "result is the same in each schedule.",
    .statuses = "0 each launch is proved; 1 one is wrong on every device, has a wrong result or a data race, does what "
                "no kernel may, needs more than --needs allows, or is not safe on a device of --limits; 2 usage error; "
                "3 the tool failed; 4 no device; 75 not all states of a launch were explored; 77 a launch was not "
                "explored, because it is too large, does not build, died or was ended; 130, 143 ended by SIGINT, "
                "SIGTERM",
};

int command_prove(int count, char **arguments)
{
    static struct prove_options options; /* with nothing set here it takes no place in the file */
    struct error error;
    enum status status = STATUS_OK;

    measure_options_init(&options.measure);
    options.measure.unit = UNIT_LAUNCHES;
    options.measure.exit = &options.exit;
    options.exit.of = &proof_verdict_naming;
    options.sources.said = "";
    options.sources.asked = &options.request;
    parse_arguments(&prove_line, count, arguments, &options);
    if (options.measure.common.selector_count == 0)
        options.measure.common.selectors[options.measure.common.selector_count++] = "model:fair";
    return run_prove(&options, count, arguments, &status, &error) != 0 ? report_error(&error) : (int)status;
}
