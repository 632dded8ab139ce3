#include "cli/command.h"

#include "base/alloc.h"
#include "cli/exit_status.h"
#include "cli/here.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "explain/explain_page.h"
#include "format/format.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>

struct report_options {
    unsigned format;
    report_writer *write; /* of that format */
    struct operands runs;
    struct html_page page;
    struct pictures pictures;
    const char *output; /* or NULL */
    bool verbose;
    enum color_choice color;
    struct here_options here;
    struct exit_options exit;
};

static int check(struct parsing *parsing)
{
    struct report_options *options = parsing->options;

    options->write = report_writers[options->format];
    if (options->runs.count > 1 && options->write != report_write_html)
        refuse_usage(parsing, "expected one run file, not more: only --format html takes several; merge them first");
    return 0;
}

/* A report can have a million lines, each written in many parts, and only one thread writes them. */
static void prepare_output(void)
{
    static char buffer[1 << 18];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    __fsetlocking(stdout, FSETLOCKING_BYCALLER);
}

/* A page begins with its first run. */
static int write_page(struct report_options *options, struct store *store, const struct report *report,
                      struct error *error)
{
    struct html_page *page = &options->page;

    if (page->out == NULL)
        html_begin(page, stdout, options->runs.count);
    html_run(page, report);
    return explain_page(page, &options->pictures, store, report, error);
}

static void end_page(struct report_options *options)
{
    pictures_write(&options->pictures, &options->page);
    html_end(&options->page);
    pictures_fini(&options->pictures);
}

static int write_report(struct report_options *options, struct store *store, const struct report *report,
                        struct error *error)
{
    const struct text_style style = {options->verbose, stdout_colors(options->color)};

    return options->write == report_write_html ? write_page(options, store, report, error)
                                               : options->write(stdout, report, &style, error);
}

/* What could be read is printed, even if that is not all. */
static int print_report(struct report_options *options, struct store *store, struct error *error)
{
    struct report report = {0};
    struct error damage;
    const int read = report_read(&report, store, &damage);
    const int found = here_options_find(&options->here, store, &report, error);
    verdict_set verdicts;
    const enum status judged = report_status(&report, &verdicts);
    const int named = found == 0 ? exit_check(&options->exit, report_outcomes(&report), error) : -1;
    const enum status status = exit_status(&options->exit, judged, verdicts);
    const int written = named == 0 ? write_report(options, store, &report, error) : -1;

    report_fini(&report);
    if (read == 0)
        return written == 0 ? (int)status : -1;
    *error = damage;
    return -1;
}

/* Of several runs the status of the one that needs most to be looked at. */
static int worse(int a, int b)
{
    static const int order[] = {STATUS_HARNESS, STATUS_USAGE,       STATUS_WEDGED, STATUS_SURPRISE,
                                STATUS_STOPPED, STATUS_UNSUPPORTED, STATUS_OK};

    for (size_t i = 0; i < sizeof order / sizeof *order; ++i)
        if (a == order[i] || b == order[i])
            return order[i];
    return a;
}

/* Nothing is printed if one of them is no run file. */
static int open_stores(const struct report_options *options, struct store **stores, struct error *error)
{
    for (size_t i = 0; i < options->runs.count; ++i)
        if (store_open(options->runs.words[i], &stores[i], error) != 0)
            return -1;
    return 0;
}

static int print_reports(struct report_options *options, struct store **stores)
{
    struct error error;
    int result = STATUS_OK;

    if (open_stores(options, stores, &error) != 0 || here_options_read(&options->here, &error) != 0 ||
        output_begin(options->output, &error) != 0)
        return report_error(&error);
    prepare_output();
    for (size_t i = 0; i < options->runs.count; ++i) {
        const int status = print_report(options, stores[i], &error);
        result = worse(result, status < 0 ? report_error(&error) : status);
    }
    if (options->page.out != NULL)
        end_page(options);
    return result;
}

#define AT(member) offsetof(struct report_options, member)

static const struct command_option table[] = {
    {"format", 0, 1, NULL, "How to print it (default: text)", .at = AT(format), .names = &report_formats},
    {"verbose", 'v', 1, NULL, "Print each point", .at = AT(verbose)},
    {0},
};

static const struct command_part parts[] = {
    {&output_line, AT(output)}, {&color_line, AT(color)}, {&here_line, AT(here)}, {&any_exit_line, AT(exit)}, {0}};

const struct command_line report_line = {
    .options = table,
    .parts = parts,
    .operands = AT(runs),
    .check = check,
    .named = "[RUN...]",
    .doc = "Prints the report of a run file in any format; without RUN, of the newest one. Several files make one "
           "page, with --format html. Needs no device.",
    .statuses =
        "that of the command that made the run, of several the worst, 0, 1, 5 or 77, with --fail-on and --exit-zero as "
        "given here; 75 the run did not end; 2 usage error, or not a run file; 3 the file could not be read to its end",
};

int command_report(int count, char **arguments)
{
    static struct report_options options;
    char *newest;

    parse_arguments(&report_line, count, arguments, &options);
    if (options.runs.count == 0) {
        newest = (char *)newest_run_file();
        options.runs = (struct operands){&newest, 1};
    }
    struct store **stores = xcalloc(options.runs.count, sizeof(struct store *));
    const int result = print_reports(&options, stores);
    for (size_t i = 0; i < options.runs.count; ++i)
        store_close(stores[i]);
    free(stores);
    here_close(&options.here.runs);
    return result;
}
