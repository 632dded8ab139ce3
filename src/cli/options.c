#include "cli/options.h"

#include "base/icd_folder.h"
#include "base/nearest.h"
#include "cli/help.h"
#include "core/text.h"
#include "engine/run_file.h"
#include "format/escape.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_DEFAULT_S = 60, BUILD_TIMEOUT_DEFAULT_S = 120, TIMEOUT_MOST_S = 86400 };

int report_error(const struct error *error)
{
    escape_each(escape_text, stderr, "gridlock: ", error->text, "\n", NULL);
    return (int)error->status;
}

static _Noreturn void usage_error(const struct error *error)
{
    report_error(error);
    exit(STATUS_USAGE);
}

static int first_failure;

/* stdout is a pipe or a socket that nobody reads any more. */
static bool is_reader_gone(void)
{
    struct pollfd poll_stdout = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&poll_stdout, 1, 0) == 1 && (poll_stdout.revents & POLLERR) != 0;
}

void output_flush(void)
{
    errno = 0;
    if (fflush(stdout) != 0 && first_failure == 0)
        first_failure = errno;
}

int output_failure(void)
{
    output_flush();
    if (first_failure == 0 && ferror(stdout))
        first_failure = is_reader_gone() ? EPIPE : EIO; /* what it was has not been kept */
    return first_failure;
}

int refuse_format(const char *option, enum format format, struct error *error)
{
    if (format == FORMAT_TEXT)
        return 0;
    return error_set(error, STATUS_USAGE, "%s prints text: --format is not possible with it", option);
}

/* --- values --- */

int parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value,
                 struct error *error)
{
    char *end = NULL;

    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < least || number > most)
        return error_set(error, STATUS_USAGE, "%s %.40s: expected a whole number from %" PRIu64 " to %" PRIu64, option,
                         text[0] != '\0' ? text : "\"\"", least, most);
    *value = number;
    return 0;
}

static bool contains(const struct axis *axis, uint64_t value)
{
    for (uint32_t i = 0; i < axis->count; ++i)
        if (axis->values[i] == value)
            return true;
    return false;
}

int parse_list(const char *option, const char *text, uint64_t least, uint64_t most, struct axis *axis,
               struct error *error)
{
    char item[48];
    uint64_t value = 0;

    while (text != NULL) {
        const char *at = text;
        if (text_item(&text, item, sizeof item) >= sizeof item)
            return error_set(error, STATUS_USAGE, "%s %.40s...: the number is too long", option, at);
        if (parse_number(option, item, least, most, &value, error) != 0)
            return -1;
        if (contains(axis, value))
            continue;
        if (axis->count == FOOTPRINTS_LIST)
            return error_set(error, STATUS_USAGE, "%s: at most %d values are allowed", option, FOOTPRINTS_LIST);
        axis->values[axis->count++] = value;
    }
    return 0;
}

int parse_name(const char *option, const struct naming *naming, const char *text, struct error *error)
{
    const int value = naming_find(naming, text);
    char names[120];

    if (value >= 0)
        return value;
    naming_print(naming, names, sizeof names);
    return error_set(error, STATUS_USAGE, "%s %.40s: expected %s", option, text[0] != '\0' ? text : "\"\"", names);
}

int take_number(struct parsing *parsing, void *member, char *argument)
{
    const struct command_option *option = parsing->option;
    return parse_number(parsing->name, argument, option->least, option->most, member, &parsing->error);
}

int take_count(struct parsing *parsing, void *member, char *argument)
{
    uint64_t number = 0;
    const int outcome = take_number(parsing, &number, argument);

    *(uint32_t *)member = (uint32_t)number;
    return outcome;
}

int take_axis(struct parsing *parsing, void *member, char *argument)
{
    const struct command_option *option = parsing->option;
    return parse_list(parsing->name, argument, option->least, option->most, member, &parsing->error);
}

int take_run_file(struct parsing *parsing, void *member, char *argument)
{
    if (strcmp(argument, "-") == 0)
        return error_set(
            &parsing->error, STATUS_USAGE,
            "-o -: a run file cannot be written to standard output; name a file (./- for one of that name)");
    *(const char **)member = argument;
    return 0;
}

int take_names(struct parsing *parsing, void *member, char *argument)
{
    const char *rest = argument;
    bool *marks = member;
    char name[48];

    while (rest != NULL) {
        text_item(&rest, name, sizeof name);
        const int value = parse_name(parsing->name, parsing->option->names, name, &parsing->error);
        if (value < 0)
            return -1;
        marks[value] = true;
    }
    return 0;
}

/* What an option takes that says nothing else. */
static int take_plainly(struct parsing *parsing, void *member, char *argument)
{
    const struct command_option *option = parsing->option;

    if (option->names != NULL) {
        const int value = parse_name(parsing->name, option->names, argument, &parsing->error);
        *(unsigned *)member = (unsigned)value; /* an enumeration */
        return value < 0 ? -1 : 0;
    }
    if (option->argument != NULL)
        *(const char **)member = argument;
    else
        *(bool *)member = true;
    return 0;
}

/* --- command lines --- */

enum { OPTIONS_MOST = 16, PARTS_MOST = 4, LINES_MOST = 16, KEYS = 0x100 /* of options without a letter */ };

/* A command line, or a part of it, as argp takes it. */
static struct table {
    struct parsing parsing;
    struct argp argp;
    struct argp_option options[OPTIONS_MOST + 1];
    char choices[OPTIONS_MOST][80]; /* arguments that have names: "text|json" */
    struct argp_child children[PARTS_MOST + 1];
    struct table *parts[PARTS_MOST];
} tables[LINES_MOST];

static void *member_at(const struct parsing *parsing, size_t at)
{
    return (char *)parsing->options + at;
}

static int key_of(const struct command_line *line, size_t option)
{
    return line->options[option].letter != 0 ? line->options[option].letter : KEYS + (int)option;
}

/* 1: it is no option of this part. */
static int take_option(struct parsing *parsing, int key, char *argument)
{
    const struct command_line *line = parsing->line;
    size_t at = 0;

    while (line->options != NULL && line->options[at].name != NULL && key_of(line, at) != key)
        at += 1;
    if (line->options == NULL || line->options[at].name == NULL)
        return 1;
    const struct command_option *option = parsing->option = &line->options[at];
    const char **first = member_at(parsing, option->first);
    snprintf(parsing->name, sizeof parsing->name, "--%s", option->name);
    if (option->given != 0)
        *(bool *)member_at(parsing, option->given) = true;
    if (option->first != 0 && *first == NULL)
        *first = option->name;
    return (option->take != NULL ? option->take : take_plainly)(parsing, member_at(parsing, option->at), argument);
}

static int take_operand(struct parsing *parsing, char *word)
{
    const struct command_line *line = parsing->line;

    if (line->operand != NULL)
        return line->operand(parsing, word);
    if (line->operands == 0 && line->doc != NULL)
        argp_error(parsing->state, "unexpected argument: %s", word);
    return 1;
}

static int take_operands(struct parsing *parsing)
{
    const struct argp_state *state = parsing->state;

    if (parsing->line->operands == 0)
        return 1;
    *(struct operands *)member_at(parsing, parsing->line->operands) =
        (struct operands){state->argv + state->next, (size_t)(state->argc - state->next)};
    return 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct table *table = state->input;
    struct parsing *parsing = &table->parsing;
    const struct command_line *line = parsing->line;
    int outcome = 0;

    parsing->state = state;
    if (key == ARGP_KEY_INIT)
        for (size_t i = 0; i < PARTS_MOST && table->parts[i] != NULL; ++i)
            state->child_inputs[i] = table->parts[i];
    else if (key == ARGP_KEY_ARG)
        outcome = take_operand(parsing, argument);
    else if (key == ARGP_KEY_ARGS)
        outcome = take_operands(parsing);
    else if (key == ARGP_KEY_END)
        outcome = line->check != NULL ? line->check(parsing) : 0;
    else
        outcome = take_option(parsing, key, argument);
    if (outcome < 0)
        usage_error(&parsing->error);
    return outcome > 0 ? ARGP_ERR_UNKNOWN : 0;
}

/* What argp knows of an option. */
static struct argp_option describe(const struct command_line *line, size_t at, char choices[80])
{
    const struct command_option *option = &line->options[at];

    if (option->argument == NULL && option->names != NULL)
        naming_print_set(option->names, UINT32_MAX, "|", choices, 80);
    if (option->take == take_names)
        text_append(choices, 80, ",...");
    return (struct argp_option){
        .name = option->name,
        .key = key_of(line, at),
        .arg = choices[0] != '\0' ? choices : option->argument,
        .flags = option->optional ? OPTION_ARG_OPTIONAL : 0,
        .doc = option->doc,
        .group = option->group,
    };
}

/* Fills in the first of the free tables, and one for each part; returns how many these are. */
static size_t prepare(struct table *table, const struct command_line *line, void *options)
{
    size_t used = 1;

    *table = (struct table){
        .parsing = {.line = line, .options = options},
        .argp = {line->options != NULL ? table->options : NULL, parse, line->named, line->doc, table->children, NULL,
                 NULL},
    };
    for (size_t i = 0; i < OPTIONS_MOST && line->options != NULL && line->options[i].name != NULL; ++i)
        table->options[i] = describe(line, i, table->choices[i]);
    for (size_t i = 0; i < PARTS_MOST && line->parts != NULL && line->parts[i].line != NULL; ++i) {
        table->parts[i] = table + used;
        table->children[i].argp = &table->parts[i]->argp;
        used += prepare(table->parts[i], line->parts[i].line, (char *)options + line->parts[i].at);
    }
    return used;
}

/* --- options that nobody knows --- */

/* What to say if parsing ends the program, beside what argp says. */
static char hint[200];

static void print_hint(int status, void *context)
{
    (void)context;
    if (status == STATUS_USAGE && hint[0] != '\0')
        escape_each(escape_text, stderr, "gridlock: ", hint, "\n", NULL);
    hint[0] = '\0'; /* once is enough */
}

static bool has_option(const struct command_line *line, const char *name)
{
    bool found = false;

    for (size_t i = 0; line->options != NULL && line->options[i].name != NULL && !found; ++i)
        found = strcmp(line->options[i].name, name) == 0;
    for (size_t i = 0; line->parts != NULL && line->parts[i].line != NULL && !found; ++i)
        found = has_option(line->parts[i].line, name);
    return found;
}

/* Such as a compiler of OpenCL C takes, where they are given to the command itself: -DN=16, -I DIR, -cl-std=CL2.0. */
static bool hint_build_option(const char *word, const char *before)
{
    static const char *const kinds[] = {"-D", "-I", "-U", "-O", "-W", "-cl-", "-w", "-g"};
    bool found = false;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        found = found || strncmp(word, kinds[i], strlen(kinds[i])) == 0;
    if (found && strcmp(before, "--build-options") != 0)
        snprintf(hint, sizeof hint,
                 "%.60s is for the driver's compiler: give all such options as --build-options='%.60s'", word, word);
    return hint[0] != '\0';
}

/* Abbreviations are known, too. */
static bool try_options(struct nearest *nearest, const struct command_line *line)
{
    bool known = false;

    for (size_t i = 0; line->options != NULL && line->options[i].name != NULL && !known; ++i) {
        known = strncmp(line->options[i].name, nearest->word, strlen(nearest->word)) == 0;
        nearest_try(nearest, line->options[i].name);
    }
    for (size_t i = 0; line->parts != NULL && line->parts[i].line != NULL && !known; ++i)
        known = try_options(nearest, line->parts[i].line);
    return known;
}

static void prepare_hint(const struct command_line *line, int count, char **arguments)
{
    const bool builds = has_option(line, "build-options");

    for (int i = 1; i < count && hint[0] == '\0' && strcmp(arguments[i], "--") != 0; ++i) {
        char name[64];
        if (strncmp(arguments[i], "--", 2) != 0 && builds && hint_build_option(arguments[i], arguments[i - 1]))
            break;
        if (strncmp(arguments[i], "--", 2) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(arguments[i] + 2, "="), arguments[i] + 2);
        struct nearest nearest = nearest_begin(name);
        if (!try_options(&nearest, line) && nearest.found[0] != '\0')
            snprintf(hint, sizeof hint, "unknown option '--%s'; did you mean '--%s'?", name, nearest.found);
    }
}

void parse_arguments(const struct command_line *line, int count, char **arguments, void *options)
{
    struct error error;

    prepare_hint(line, count, arguments);
    on_exit(print_hint, NULL);
    prepare(tables, line, options);
    if (help_parse(&tables->argp, count, arguments, tables) != 0) {
        error_set(&error, STATUS_HARNESS, "no memory for the command line");
        exit(report_error(&error));
    }
    hint[0] = '\0';
}

const char *newest_run_file(void)
{
    static char path[4096];
    struct error error;

    if (run_files_newest(path, sizeof path, &error) != 0)
        usage_error(&error);
    escape_each(escape_text, stderr, "gridlock: run file ", path, "\n", NULL);
    return path;
}

/* --- common options --- */

const struct naming text_formats = NAMING("text", "json");

static int add_selector(struct parsing *parsing, void *context, char *selector)
{
    struct common_options *options = context;

    if (options->selector_count == OPTIONS_SELECTORS)
        return error_set(&parsing->error, STATUS_USAGE, "--device: at most %d selectors are allowed",
                         OPTIONS_SELECTORS);
    options->selectors[options->selector_count++] = selector;
    return 0;
}

static int add_icd(struct parsing *parsing, void *context, char *library)
{
    struct common_options *options = context;

    if (options->icd_count == ICD_FOLDER_FILES)
        return error_set(&parsing->error, STATUS_USAGE, "--icd: at most %d libraries are allowed", ICD_FOLDER_FILES);
    if (library[0] == '\0' || strchr(library, '\n') != NULL)
        return error_set(&parsing->error, STATUS_USAGE, "--icd: expected the file name of an OpenCL driver library");
    options->icds[options->icd_count++] = library;
    return 0;
}

static int take_channel(struct parsing *parsing, void *member, char *name)
{
    const int channel = naming_find(&channel_naming, name);

    if (channel < 0)
        return error_set(&parsing->error, STATUS_USAGE, "--channel %.40s: expected auto, shared, queue or none",
                         name[0] != '\0' ? name : "\"\"");
    *(enum channel *)member = (enum channel)channel;
    return 0;
}

static int take_seconds(struct parsing *parsing, void *member, char *argument)
{
    uint64_t *ns = member;
    const int outcome = take_number(parsing, ns, argument);

    *ns *= 1000000000u;
    return outcome;
}

#define AT(member) offsetof(struct common_options, member)

static const struct command_option base_options[] = {
    {"icd", 0, 10, "LIBRARY...", "Use this OpenCL driver library instead of the registered ones", .take = add_icd},
    {"quiet", 'q', 12, NULL, "Print results only", .at = AT(quiet)},
    {0},
};

const struct command_line base_line = {.options = base_options};

static const struct command_option common_table[] = {
    {"device", 'd', 10, "pocl|rusticl|oclgrind|nvidia|intel|amd|SELECTOR...",
     "Use these devices. SELECTOR is a part of a platform's or device's name or a glob, ignoring case, or P:D, "
     "uuid:..., pci:..., or NAME#N, the N-th of several with one name (default: all)",
     .take = add_selector},
    {"kernel-dir", 0, 11, "DIR", "Read kernels from DIR instead of using the built-in ones", .at = AT(kernel_folder)},
    {"channel", 0, 11, "auto|shared|queue|none",
     "How the host reaches a running kernel (default: auto, the best one that works)", .at = AT(channel),
     .take = take_channel},
    {"timeout", 0, 11, "S", "Stop a launch that takes longer; kill the worker if that fails (default: 60)",
     .at = AT(timeout_ns), .take = take_seconds, .least = 1, .most = TIMEOUT_MOST_S},
    {"build-timeout", 0, 11, "S", "Kill the worker when building a kernel takes longer (default: 120)",
     .at = AT(build_timeout_ns), .take = take_seconds, .least = 1, .most = TIMEOUT_MOST_S},
    {"format", 0, 12, NULL, "How to print the results (default: text)", .at = AT(format), .names = &text_formats},
    {0},
};

static const struct command_part common_parts[] = {{&base_line, 0}, {NULL, 0}};

const struct command_line common_line = {.options = common_table, .parts = common_parts};

void common_options_init(struct common_options *options)
{
    *options = (struct common_options){
        .timeout_ns = TIMEOUT_DEFAULT_S * 1000000000ull,
        .build_timeout_ns = BUILD_TIMEOUT_DEFAULT_S * 1000000000ull,
        .channel = CHANNEL_AUTO,
    };
}

/* --- colours --- */

static const struct command_option color_options[] = {
    {"color", 0, 12, NULL,
     "Use colours in text output (default: auto, on a terminal only; NO_COLOR and CLICOLOR_FORCE are respected)",
     .names = &color_naming},
    {0},
};

const struct command_line color_line = {.options = color_options};

const struct colors *stdout_colors(enum color_choice choice)
{
    return colors_choose(choice, isatty(STDOUT_FILENO) != 0, getenv("NO_COLOR"), getenv("CLICOLOR_FORCE"));
}
