/* Options that subcommands share, and the parsing of their values. */
#pragma once

#include "base/error.h"
#include "base/icd_folder.h"
#include "core/device_info.h"
#include "format/color.h"
#include "search/footprints.h"
#include "wire/wire.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPTIONS_SELECTORS = 32 };

enum format { FORMAT_TEXT, FORMAT_JSON };

struct common_options {
    const char *selectors[OPTIONS_SELECTORS]; /* none: all devices */
    size_t selector_count;
    char *icds[ICD_FOLDER_FILES];
    size_t icd_count;
    const char *kernel_folder; /* or NULL */
    uint64_t timeout_ns;       /* of one launch */
    uint64_t build_timeout_ns; /* of building one kernel */
    enum format format;
    enum channel channel;
    bool quiet;
};

/* Parses the shared options; a child of each subcommand's parser, whose input is a struct common_options. */
extern const struct argp common_argp;

/* Of these --icd and --quiet alone; likewise. */
extern const struct argp base_argp;

/* Parses --color; a child of those that print tables, whose input is an enum color_choice. */
extern const struct argp color_argp;

/* The colours of stdout, by that and the environment. */
const struct colors *stdout_colors(enum color_choice choice);

void common_options_init(struct common_options *options);

/* Parses a whole number from least to most, all of `text`. -1 with STATUS_USAGE, naming `option`. */
int parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value,
                 struct error *error);

/* Likewise; 0 after a failure. */
int parse_count(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *value,
                struct error *error);

/* The name of a run file to write. -1 with STATUS_USAGE: it is "-", standard output. */
int parse_run_file(const char *text, const char **path, struct error *error);

/* Parses "N,N,..." into an axis; a number that comes twice is kept once. */
int parse_list(const char *option, const char *text, uint64_t least, uint64_t most, struct axis *axis,
               struct error *error);

/* For argp parsers: the value with that name. If there is none: usage_error, which lists the names. */
int choose_name(const char *option, const struct naming *naming, const char *text);

/* Of "NAME,NAME" each is marked in `marks`. */
void choose_names(const char *option, const struct naming *naming, const char *text, bool *marks);

/* As argp_parse; beside an option that nobody knows, the one is named that may have been meant. */
void parse_arguments(const struct argp *argp, int count, char **arguments, void *options);

/* For argp parsers, where no run file was named: the newest one, which is said on stderr. */
const char *newest_run_file(void);

/* At ARGP_KEY_ARGS: the operands, and how many there are. */
char **take_operands(const struct argp_state *state, size_t *count);

/* Formats of results, in the order of enum format; and what the help of --format says of such a list. */
extern const struct naming text_formats;
enum { FORMAT_HELP = 80 };
void format_help(const struct naming *formats, char help[FORMAT_HELP]);

/* Prints "gridlock: ..." on stderr and returns the error's status. */
int report_error(const struct error *error);

/* For argp parsers: prints the error and ends with STATUS_USAGE. */
_Noreturn void usage_error(const struct error *error);

/* What an argp parser returns of an option that was parsed, 0, or is not its own, 1. -1, not allowed: usage_error. */
error_t option_parsed(int outcome, const struct error *error);
