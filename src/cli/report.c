#include "cli/command.h"

#include "cli/exit_status.h"
#include "cli/options.h"
#include "format/format.h"

#include <stdio.h>
#include <stdio_ext.h>

enum { KEY_FORMAT = 0x200 };

struct report_options {
    const char *path;
    report_writer *write;
    bool verbose;
    enum color_choice color;
    struct exit_options exit;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct report_options *options = state->input;

    switch (key) {
    case KEY_FORMAT:
        options->write = report_writers[choose_name("--format", &report_formats, argument)];
        return 0;
    case 'v':
        options->verbose = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->color;
        state->child_inputs[1] = &options->exit;
        return 0;
    case ARGP_KEY_ARG:
        if (options->path != NULL)
            argp_error(state, "expected one run file, not more");
        options->path = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->path == NULL)
            options->path = newest_run_file();
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A report can have a million lines, each written in many parts, and only one thread writes them. */
static void prepare_output(void)
{
    static char buffer[1 << 18];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    __fsetlocking(stdout, FSETLOCKING_BYCALLER);
}

/* What could be read is printed, even if that is not all. */
static int print_report(const struct report_options *options, struct store *store, struct error *error)
{
    struct report report = {0};
    struct error damage;
    const struct text_style style = {options->verbose, stdout_colors(options->color)};
    const int read = report_read(&report, store, &damage);
    verdict_set verdicts;
    const enum status judged = report_status(&report, &verdicts);
    const enum status status = exit_status(&options->exit, judged, verdicts);
    const int written = exit_check(&options->exit, report_outcomes(&report), error) == 0
                            ? options->write(stdout, &report, &style, error)
                            : -1;

    report_fini(&report);
    if (read == 0)
        return written == 0 ? (int)status : -1;
    *error = damage;
    return -1;
}

static char formats[FORMAT_HELP];
static const struct argp_option table[] = {
    {"format", KEY_FORMAT, formats, 0, "How to print it (default: text)", 1},
    {"verbose", 'v', NULL, 0, "Print each point", 1},
    {0},
};

static const struct argp_child children[] = {{&color_argp, 0, NULL, 0}, {&any_exit_argp, 0, NULL, 0}, {0}};

static const struct argp report_argp = {
    .options = table,
    .parser = parse,
    .args_doc = "[RUN]",
    .doc =
        "Prints the report of a run file in any format; without RUN, of the newest one. Needs no device.\vExit "
        "status: that of the command that made the run, 0, 1, 5 or 77, with --fail-on and --exit-zero as given here; "
        "75 the run did not end; 2 usage error, or not a run file; 3 the file could not be read to its end.",
    .children = children,
};

int command_report(int count, char **arguments)
{
    struct report_options options = {.write = report_write_text};
    struct store *store = NULL;
    struct error error;

    format_help(&report_formats, formats);
    parse_arguments(&report_argp, count, arguments, &options);
    if (store_open(options.path, &store, &error) != 0)
        return report_error(&error);
    prepare_output();
    const int status = print_report(&options, store, &error);
    store_close(store);
    return status < 0 ? report_error(&error) : status;
}
