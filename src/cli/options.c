#include "cli/options.h"

#include "base/icd_folder.h"
#include "base/nearest.h"
#include "cli/help.h"
#include "core/text.h"
#include "engine/run_files.h"
#include "format/escape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_ICD = 0x100, KEY_KERNEL_DIR, KEY_TIMEOUT, KEY_BUILD_TIMEOUT, KEY_FORMAT, KEY_CHANNEL, KEY_COLOR };

enum { TIMEOUT_DEFAULT_S = 60, BUILD_TIMEOUT_DEFAULT_S = 120, TIMEOUT_MOST_S = 86400 };

int report_error(const struct error *error)
{
    escape_each(escape_text, stderr, "gridlock: ", error->text, "\n", NULL);
    return (int)error->status;
}

_Noreturn void usage_error(const struct error *error)
{
    report_error(error);
    exit(STATUS_USAGE);
}

error_t option_parsed(int outcome, const struct error *error)
{
    if (outcome < 0)
        usage_error(error);
    return outcome > 0 ? ARGP_ERR_UNKNOWN : 0;
}

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

int parse_count(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *value,
                struct error *error)
{
    uint64_t number = 0;
    const int outcome = parse_number(option, text, least, most, &number, error);

    *value = (uint32_t)number;
    return outcome;
}

int parse_run_file(const char *text, const char **path, struct error *error)
{
    if (strcmp(text, "-") == 0)
        return error_set(
            error, STATUS_USAGE,
            "-o -: a run file cannot be written to standard output; name a file (./- for one of that name)");
    *path = text;
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

int choose_name(const char *option, const struct naming *naming, const char *text)
{
    const int value = naming_find(naming, text);
    char names[120];
    struct error error;

    if (value >= 0)
        return value;
    naming_print(naming, names, sizeof names);
    error_set(&error, STATUS_USAGE, "%s %.40s: expected %s", option, text[0] != '\0' ? text : "\"\"", names);
    usage_error(&error);
}

void choose_names(const char *option, const struct naming *naming, const char *text, bool *marks)
{
    char name[48];

    while (text != NULL) {
        text_item(&text, name, sizeof name);
        marks[choose_name(option, naming, name)] = true;
    }
}

/* --- options that nobody knows --- */

/* What to say if parsing ends the program, beside what argp says. */
static char hint[120];

static void print_hint(int status, void *context)
{
    (void)context;
    if (status == STATUS_USAGE && hint[0] != '\0')
        fprintf(stderr, "gridlock: unknown option%s\n", hint);
    hint[0] = '\0'; /* once is enough */
}

/* Abbreviations are known, too. */
static bool try_options(struct nearest *nearest, const struct argp *argp)
{
    bool known = false;

    for (const struct argp_option *option = argp->options; option != NULL && !known; ++option) {
        if (option->name == NULL && option->key == 0 && option->doc == NULL)
            break;
        if (option->name == NULL)
            continue;
        known = strncmp(option->name, nearest->word, strlen(nearest->word)) == 0;
        if ((option->flags & OPTION_HIDDEN) == 0)
            nearest_try(nearest, option->name);
    }
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL && !known; ++child)
        known = try_options(nearest, child->argp);
    return known;
}

static void prepare_hint(const struct argp *argp, int count, char **arguments)
{
    for (int i = 1; i < count && hint[0] == '\0' && strcmp(arguments[i], "--") != 0; ++i) {
        char name[64];
        if (strncmp(arguments[i], "--", 2) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(arguments[i] + 2, "="), arguments[i] + 2);
        struct nearest nearest = nearest_begin(name);
        if (!try_options(&nearest, argp) && nearest.found != NULL)
            snprintf(hint, sizeof hint, " '--%s'; did you mean '--%s'?", name, nearest.found);
    }
}

void parse_arguments(const struct argp *argp, int count, char **arguments, void *options)
{
    struct error error;

    prepare_hint(argp, count, arguments);
    on_exit(print_hint, NULL);
    if (help_parse(argp, count, arguments, options) != 0) {
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

char **take_operands(const struct argp_state *state, size_t *count)
{
    *count = (size_t)(state->argc - state->next);
    return state->argv + state->next;
}

const struct naming text_formats = NAMING("text", "json");

void format_help(const struct naming *formats, char help[FORMAT_HELP])
{
    naming_print_set(formats, UINT32_MAX, "|", help, FORMAT_HELP);
}

static int add_selector(struct common_options *options, const char *selector, struct error *error)
{
    if (options->selector_count == OPTIONS_SELECTORS)
        return error_set(error, STATUS_USAGE, "--device: at most %d selectors are allowed", OPTIONS_SELECTORS);
    options->selectors[options->selector_count++] = selector;
    return 0;
}

static int add_icd(struct common_options *options, char *library, struct error *error)
{
    if (options->icd_count == ICD_FOLDER_FILES)
        return error_set(error, STATUS_USAGE, "--icd: at most %d libraries are allowed", ICD_FOLDER_FILES);
    if (library[0] == '\0' || strchr(library, '\n') != NULL)
        return error_set(error, STATUS_USAGE, "--icd: expected the file name of an OpenCL driver library");
    options->icds[options->icd_count++] = library;
    return 0;
}

static int set_channel(struct common_options *options, const char *name, struct error *error)
{
    const int channel = naming_find(&channel_naming, name);
    if (channel < 0)
        return error_set(error, STATUS_USAGE, "--channel %.40s: expected auto, shared, queue or none", name);
    options->channel = (enum channel)channel;
    return 0;
}

static error_t parse_base(int key, char *argument, struct argp_state *state)
{
    struct common_options *options = state->input;
    struct error error;

    switch (key) {
    case KEY_ICD:
        return option_parsed(add_icd(options, argument, &error), &error);
    case 'q':
        options->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option base_table[] = {
    {"icd", KEY_ICD, "LIBRARY...", 0, "Use this OpenCL driver library instead of the registered ones", 10},
    {"quiet", 'q', NULL, 0, "Print results only", 12},
    {0},
};

const struct argp base_argp = {base_table, parse_base, NULL, NULL, NULL, NULL, NULL};

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
    struct common_options *options = state->input;
    struct error error;
    uint64_t seconds = 0;
    int outcome = 0;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        break;
    case 'd':
        outcome = add_selector(options, argument, &error);
        break;
    case KEY_KERNEL_DIR:
        options->kernel_folder = argument;
        break;
    case KEY_TIMEOUT:
        outcome = parse_number("--timeout", argument, 1, TIMEOUT_MOST_S, &seconds, &error);
        options->timeout_ns = seconds * 1000000000u;
        break;
    case KEY_BUILD_TIMEOUT:
        outcome = parse_number("--build-timeout", argument, 1, TIMEOUT_MOST_S, &seconds, &error);
        options->build_timeout_ns = seconds * 1000000000u;
        break;
    case KEY_FORMAT:
        options->format = (enum format)choose_name("--format", &text_formats, argument);
        break;
    case KEY_CHANNEL:
        outcome = set_channel(options, argument, &error);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (outcome != 0)
        usage_error(&error);
    return 0;
}

static char formats[FORMAT_HELP];
static const struct argp_option options_table[] = {
    {"device", 'd', "pocl|rusticl|oclgrind|nvidia|intel|amd|SELECTOR...", 0,
     "Use these devices. SELECTOR is a part of a platform's or device's name or a glob, ignoring case, or P:D, "
     "uuid:..., pci:..., or NAME#N, the N-th of several with one name (default: all)",
     10},
    {"kernel-dir", KEY_KERNEL_DIR, "DIR", 0, "Read kernels from DIR instead of using the built-in ones", 11},
    {"channel", KEY_CHANNEL, "auto|shared|queue|none", 0,
     "How the host reaches a running kernel (default: auto, the best one that works)", 11},
    {"timeout", KEY_TIMEOUT, "S", 0, "Stop a launch that takes longer; kill the worker if that fails (default: 60)",
     11},
    {"build-timeout", KEY_BUILD_TIMEOUT, "S", 0, "Kill the worker when building a kernel takes longer (default: 120)",
     11},
    {"format", KEY_FORMAT, formats, 0, "How to print the results (default: text)", 12},
    {0},
};

static const struct argp_child base_child[] = {{&base_argp, 0, NULL, 0}, {0}};

const struct argp common_argp = {options_table, parse_common, NULL, NULL, base_child, NULL, NULL};

void common_options_init(struct common_options *options)
{
    *options = (struct common_options){
        .timeout_ns = TIMEOUT_DEFAULT_S * 1000000000ull,
        .build_timeout_ns = BUILD_TIMEOUT_DEFAULT_S * 1000000000ull,
        .channel = CHANNEL_AUTO,
    };
    format_help(&text_formats, formats);
}

/* --- colours --- */

static error_t parse_color(int key, char *argument, struct argp_state *state)
{
    if (key != KEY_COLOR)
        return ARGP_ERR_UNKNOWN;
    *(enum color_choice *)state->input = (enum color_choice)choose_name("--color", &color_naming, argument);
    return 0;
}

static const struct argp_option color_table[] = {
    {"color", KEY_COLOR, "auto|always|never", 0,
     "Use colours in text output (default: auto, on a terminal only; NO_COLOR and CLICOLOR_FORCE are respected)", 12},
    {0},
};

const struct argp color_argp = {color_table, parse_color, NULL, NULL, NULL, NULL, NULL};

const struct colors *stdout_colors(enum color_choice choice)
{
    return colors_choose(choice, isatty(STDOUT_FILENO) != 0, getenv("NO_COLOR"), getenv("CLICOLOR_FORCE"));
}
