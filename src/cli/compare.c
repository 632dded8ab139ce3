#include "cli/command.h"

#include "cli/options.h"
#include "cli/output_file.h"
#include "format/compare.h"
#include "format/format.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>

enum { MATCHES_MOST = 64 };

enum compare_format { COMPARE_TEXT, COMPARE_MARKDOWN, COMPARE_JSON, COMPARE_JUNIT, COMPARE_TAP };

struct compare_options {
    enum compare_format format;
    struct operands files;
    enum color_choice color;
    const char *output; /* or NULL */
    const char *matches[MATCHES_MOST];
    size_t match_count;
    bool strict, other_device;
};

static const struct naming compare_formats = NAMING("text", "markdown", "json", "junit", "tap");

static int add_match(struct parsing *parsing, void *context, char *match)
{
    struct compare_options *options = context;

    if (options->match_count == MATCHES_MOST)
        refuse_usage(parsing, "--match: at most %d pairs are allowed", MATCHES_MOST);
    options->matches[options->match_count++] = match;
    return 0;
}

static int check(struct parsing *parsing)
{
    const struct compare_options *options = parsing->options;

    if (options->files.count != 2)
        refuse_usage(parsing, "expected two run files%s",
                     options->files.count > 2 ? ", not more" : ": the old one and the new one");
    return 0;
}

#define AT(member) offsetof(struct compare_options, member)

static const struct command_option options_table[] = {
    {"format", 0, 1, NULL, "How to print it (default: text)", .at = AT(format), .names = &compare_formats},
    {"match", 0, 1, "OLD=NEW...",
     "Compare device OLD of the first run with NEW of the second; each is a name, or a selector as for run --device. "
     "Others are paired by UUID, by PCI address on the same host, and by name; at last those that are left and may be "
     "the same",
     .take = add_match},
    {"strict", 0, 1, NULL, "Don't pair two devices only because no others are left", .at = AT(strict)},
    {"other-device", 0, 1, NULL, "Compare the devices that are left, too, if they are not the same device",
     .at = AT(other_device)},
    {0},
};

static const struct command_part parts[] = {{&output_line, AT(output)}, {&color_line, AT(color)}, {0}};

const struct command_line compare_line = {
    .options = options_table,
    .parts = parts,
    .operands = AT(files),
    .check = check,
    .named = "BASE NEW",
    .doc = "Shows what changed between two runs, for example of two drivers: points that regressed or were fixed, "
           "points whose verdicts now vary, new and missing points (counted, and no regression), resident limits that "
           "moved, and what is published. For two runs of litmus tests it shows progress models that are newly broken "
           "or no longer broken, and tests that newly stall or no longer do.",
    .statuses = "0 no regression; 1 a point regressed, a model is newly broken, or a limit is lower; 2 usage error, a "
                "file is not a run file, no device or nothing else is in both, or the runs are of different kinds; 3 a "
                "file cannot be read; 75 no regression, but one of the runs did not end or lacks a shard",
};

/* What was to be shown of the second run, as cases: nothing in it is worse. */
static int print_cases(const struct compare_options *options, struct comparison *comparison, struct error *error)
{
    struct report *report = &comparison->after;

    free(report->asserted);
    report->only_asserted = true;
    comparison_assert(comparison, &report->asserted, &report->asserted_count);
    report_writer *write = options->format == COMPARE_JUNIT ? report_write_junit : report_write_tap;
    return write(stdout, report, &(struct text_style){false, &colors_none}, error);
}

static int print(const struct compare_options *options, struct comparison *comparison, struct error *error)
{
    if (options->format == COMPARE_JUNIT || options->format == COMPARE_TAP)
        return print_cases(options, comparison, error);
    if (options->format == COMPARE_JSON)
        compare_json(stdout, comparison);
    else if (options->format == COMPARE_MARKDOWN)
        compare_markdown(stdout, comparison);
    else
        compare_text(stdout, stdout_colors(options->color), comparison);
    return 0;
}

/* What was not run cannot be compared; that nothing is in both is no reason to be content. */
static int check_shared(const struct comparison *comparison, struct error *error)
{
    if (!comparison_is_void(comparison) || !comparison_is_complete(comparison))
        return 0;
    return error_set(error, STATUS_USAGE, "nothing to compare: no %s of '%s' are in '%s'",
                     report_units(&comparison->before), comparison->before.path, comparison->after.path);
}

/* The exit status, or -1. */
static int compare(const struct compare_options *options, struct store *before, struct store *after,
                   struct error *error)
{
    struct comparison comparison = {.count = 0};
    enum report_kind old, new;
    int status = -1;

    if (report_read_kind(before, &old, error) != 0 || report_read_kind(after, &new, error) != 0)
        return -1;
    const char *of;
    bool second;
    if (!report_kinds_compare(old, new, &of, &second))
        return error_set(error, STATUS_USAGE, "'%s' is a run of %s, but '%s' is not", options->files.words[second], of,
                         options->files.words[!second]);
    struct device_pairs pairs;
    const struct pairing_rules rules = {options->matches, options->match_count, options->strict, options->other_device};
    if (pair_devices(before, after, &rules, &pairs, error) == 0 &&
        compare_runs(before, after, &pairs, &comparison, error) == 0 && check_shared(&comparison, error) == 0) {
        status = comparison_has_regression(&comparison) ? STATUS_SURPRISE
                 : comparison_is_complete(&comparison)  ? STATUS_OK
                                                        : STATUS_STOPPED;
        if (print(options, &comparison, error) != 0)
            status = -1;
    }
    device_pairs_fini(&pairs);
    comparison_fini(&comparison);
    return status;
}

int command_compare(int count, char **arguments)
{
    struct compare_options options = {.format = COMPARE_TEXT};
    struct store *before = NULL, *after = NULL;
    struct error error;
    int status = -1;

    parse_arguments(&compare_line, count, arguments, &options);
    if (store_open(options.files.words[0], &before, &error) == 0 &&
        store_open(options.files.words[1], &after, &error) == 0 && output_begin(options.output, &error) == 0)
        status = compare(&options, before, after, &error);
    store_close(before);
    store_close(after);
    return status >= 0 ? status : report_error(&error);
}
