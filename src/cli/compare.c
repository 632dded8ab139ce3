#include "cli/command.h"

#include "cli/options.h"
#include "format/compare.h"
#include "report/compare_progress.h"
#include "report/report.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

enum { KEY_FORMAT = 0x200 };

enum compare_format { COMPARE_TEXT, COMPARE_MARKDOWN, COMPARE_JSON };

struct compare_options {
    const char *files[2];
    size_t count;
    enum compare_format format;
    enum color_choice color;
};

static int set_format(struct compare_options *options, const char *name, struct error *error)
{
    static const char *const names[] = {"text", "markdown", "json"};
    for (int i = 0; i < 3; ++i)
        if (strcmp(name, names[i]) == 0) {
            options->format = (enum compare_format)i;
            return 0;
        }
    return error_set(error, STATUS_USAGE, "--format %.40s: text, markdown and json are allowed here", name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct compare_options *options = state->input;
    struct error error;

    switch (key) {
    case KEY_FORMAT:
        if (set_format(options, argument, &error) != 0)
            usage_error(&error);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->color;
        return 0;
    case ARGP_KEY_ARG:
        if (options->count == 2)
            argp_error(state, "two run files are allowed");
        options->files[options->count++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->count < 2)
            argp_error(state, "two run files are needed: the one before, and the new one");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options_table[] = {
    {"format", KEY_FORMAT, "text|markdown|json", 0, "How to print it (default: text)", 1},
    {0},
};

static const struct argp_child children[] = {{&color_argp, 0, NULL, 0}, {0}};

static const struct argp compare_argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "BASE NEW",
    .doc = "Says what changed between two runs, say of two drivers: points that do not do as expected any more, or do "
           "again, those whose verdicts vary now, new ones and those that are gone, resident limits that moved, and "
           "what is published. Of two runs of litmus tests: models of progress that are broken now, or are no more, "
           "and tests that stall now, or end now.\v"
           "Exit status: 0 no regression; 1 a point regressed, a model is broken now, or a limit is lower; 2 usage, a "
           "file that is no run file, or one run of litmus tests and one of something else; 3 a file cannot be read.",
    .children = children,
};

static int print(const struct compare_options *options, const struct comparison *comparison, struct error *error)
{
    if (options->format == COMPARE_JSON)
        return compare_json(stdout, comparison, error);
    if (options->format == COMPARE_TEXT)
        compare_text(stdout, stdout_colors(options->color), comparison);
    else
        compare_markdown(stdout, comparison);
    return 0;
}

/* These return the exit status, or -1. */

static int compare_points(const struct compare_options *options, struct store *before, struct store *after,
                          struct error *error)
{
    struct comparison comparison = {NULL, 0};
    int status = -1;

    if (compare_runs(before, after, &comparison, error) == 0 && print(options, &comparison, error) == 0)
        status = comparison_has_regression(&comparison) ? STATUS_SURPRISE : STATUS_OK;
    comparison_fini(&comparison);
    return status;
}

static int compare_models(const struct compare_options *options, struct store *before, struct store *after,
                          struct error *error)
{
    struct progress_comparison comparison;
    int status = -1;

    if (compare_progress_runs(before, after, &comparison, error) == 0) {
        status = progress_comparison_has_regression(&comparison) ? STATUS_SURPRISE : STATUS_OK;
        if (options->format == COMPARE_JSON)
            compare_progress_json(stdout, &comparison);
        else if (options->format == COMPARE_MARKDOWN)
            compare_progress_markdown(stdout, &comparison);
        else
            compare_progress_text(stdout, stdout_colors(options->color), &comparison);
    }
    progress_comparison_fini(&comparison);
    return status;
}

static int compare(const struct compare_options *options, struct store *before, struct store *after,
                   struct error *error)
{
    enum report_kind old, new;

    if (report_read_kind(before, &old, error) != 0 || report_read_kind(after, &new, error) != 0)
        return -1;
    if ((old == REPORT_PROGRESS) != (new == REPORT_PROGRESS))
        return error_set(error, STATUS_USAGE, "'%s' is a run of litmus tests, and '%s' is not",
                         options->files[new == REPORT_PROGRESS], options->files[old == REPORT_PROGRESS]);
    return old == REPORT_PROGRESS ? compare_models(options, before, after, error)
                                  : compare_points(options, before, after, error);
}

int command_compare(int count, char **arguments)
{
    struct compare_options options = {.count = 0};
    struct store *before = NULL, *after = NULL;
    struct error error;
    int status = -1;

    argp_parse(&compare_argp, count, arguments, 0, NULL, &options);
    if (store_open(options.files[0], &before, &error) == 0 && store_open(options.files[1], &after, &error) == 0)
        status = compare(&options, before, after, &error);
    store_close(before);
    store_close(after);
    return status >= 0 ? status : report_error(&error);
}
