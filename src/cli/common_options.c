/* Options that most commands have. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_DEFAULT_S = 60, BUILD_TIMEOUT_DEFAULT_S = 120, TIMEOUT_MOST_S = 86400 };

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

int take_one_device(struct parsing *parsing, void *context, char *selector)
{
    struct common_options *options = context;

    if (options->selector_count > 0)
        return error_set(&parsing->error, STATUS_USAGE, "--device: this command is for one device");
    return add_selector(parsing, options, selector);
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

static const struct naming channels = NAMING("auto", "shared", "queue", "none");

static int take_channel(struct parsing *parsing, void *member, char *name)
{
    if (parse_name(parsing->name, parsing->option->names, name, &parsing->error) < 0)
        return -1;
    *(enum channel *)member = (enum channel)naming_find(&channel_naming, name);
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
    {"device", 'd', 10, DEVICE_SELECTOR "...",
     "Use these devices. SELECTOR is a part of a platform's or device's name or a glob, ignoring case, or P:D, "
     "uuid:..., pci:..., or NAME#N, the N-th of several with one name (default: all)",
     .take = add_selector},
    {"kernel-dir", 0, 11, "DIR", "Read kernels from DIR instead of using the built-in ones", .at = AT(kernel_folder)},
    {"channel", 0, 11, NULL, "How the host reaches a running kernel (default: auto, the best one that works)",
     .at = AT(channel), .take = take_channel, .names = &channels},
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
