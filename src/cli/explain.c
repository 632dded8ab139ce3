#include "cli/command.h"

#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/reproduce.h"
#include "core/text.h"
#include "explain/explain.h"
#include "format/escape.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct explain_options {
    char path[4096];
    struct evidence_wanted wanted;
    unsigned format;
    explain_writer *write;  /* of that format */
    const char *output;     /* or NULL */
    const char *reproducer; /* folder, or NULL */
};

/* The longest beginning of RUN:TRIAL that is a file ends there; files may have colons in their own names. */
static size_t file_length(const char *argument)
{
    char path[4096];

    for (size_t end = strlen(argument); end > 0; --end) {
        if (end >= sizeof path || (argument[end] != ':' && argument[end] != '\0'))
            continue;
        snprintf(path, sizeof path, "%.*s", (int)end, argument);
        if (access(path, F_OK) == 0)
            return end;
    }
    return strcspn(argument, ":"); /* what a message may name */
}

/* RUN or RUN:TRIAL, and then TRIAL. */
static int take_operand(struct parsing *parsing, char *word)
{
    struct explain_options *options = parsing->options;
    const size_t length = file_length(word);

    if (options->path[0] != '\0') {
        if (access(word, F_OK) == 0)
            refuse_usage(parsing, "expected one run file, not more");
        if (options->wanted.trial != NULL)
            refuse_usage(parsing, "expected one trial, not more: %s", word);
        options->wanted.trial = word;
        return 0;
    }
    if (length >= sizeof options->path)
        return error_set(&parsing->error, STATUS_USAGE, "%.60s...: the name is too long", word);
    memcpy(options->path, word, length);
    options->path[length] = '\0';
    options->wanted.trial = word[length] == ':' ? word + length + 1 : NULL;
    return 0;
}

static int finish(struct parsing *parsing)
{
    struct explain_options *options = parsing->options;

    if (options->path[0] == '\0')
        snprintf(options->path, sizeof options->path, "%s", newest_run_file());
    options->write = explain_writers[options->format];
    return 0;
}

#define AT(member) offsetof(struct explain_options, member)

static const struct command_option table[] = {
    {"format", 0, 1, NULL, "How to print or draw it (default: text)", .at = AT(format), .names = &explain_formats},
    {"device", 'd', 1, "SELECTOR",
     "Explain what was run on this device, if the run has several; SELECTOR as for gridlock run --device",
     .at = AT(wanted.device)},
    {"reproducer", 0, 1, "DIR",
     "Write DIR/stall.c and DIR/stall.cl instead, a program that repeats this launch without gridlock; of a promise "
     "DIR/promise.c; of a launch that gridlock prove explored DIR/proof.c, which has it stall; of a kernel of yours "
     "that was not measured DIR/program.c and DIR/program.cl",
     .at = AT(reproducer)},
    {0},
};

static const struct command_part parts[] = {{&output_line, AT(output)}, {0}};

const struct command_line explain_line = {
    .options = table,
    .parts = parts,
    .operand = take_operand,
    .check = finish,
    .named = "[RUN [TRIAL]]",
    .doc =
        "Explains why a launch failed: what happened to which groups, who waits for whom, why this device allows it, "
        "what would make it pass, and the command that repeats it. TRIAL is the id of a point, as report -v prints it, "
        "or the name of a scenario or of a kernel that limits --source tried; RUN:TRIAL is the same. Without RUN, the "
        "newest run file is taken. Of several devices that have the point, one is taken on which it is a surprise, "
        "unless --device chooses. Without TRIAL, all causes in the run are counted and its first surprise is "
        "explained, or its first failure if there is no surprise (of limits, the first that is no stall). Of an audit "
        "TRIAL is a promise; without it all that are broken are explained. Of proofs it is a launch, as gridlock "
        "report shows it: what the kernel relies on, who waits for whom where that is not kept, and what to do. For a "
        "run of litmus tests it explains why each progress model is broken; there TRIAL is a block, and the block's "
        "stalled tests are listed. Needs no device.",
    .statuses = "0 explained; 2 usage error, unknown trial or device, a trial without a board for this format, or not "
                "a run file; 3 the file could not be read",
};

/* How often each cause was found; nothing if none was, as where nothing was built. */
static void print_tally(FILE *out, const struct evidence_tally *tally)
{
    int width = (int)strlen("cause");
    bool found = false;

    for (int cause = CAUSE_NONE + 1; cause < CAUSE_COUNT; ++cause) {
        if (tally->trials[cause] != 0 && (int)strlen(cause_title((enum cause)cause)) > width)
            width = (int)strlen(cause_title((enum cause)cause));
        found = found || tally->trials[cause] != 0;
    }
    if (!found)
        return;
    fprintf(out, "%-*s %8s %8s  first\n", width, "cause", "trials", "launches");
    for (int cause = CAUSE_NONE + 1; cause < CAUSE_COUNT; ++cause) {
        if (tally->trials[cause] == 0)
            continue;
        fprintf(out, "%-*s %8" PRIu32 " %8" PRIu64 "  ", width, cause_title((enum cause)cause), tally->trials[cause],
                tally->launches[cause]);
        escape_each(escape_text, out, "", tally->first[cause], "\n", NULL);
    }
    fputc('\n', out);
}

/* A selector must mean a device of the run. */
static int check_device(const struct explain_options *options, struct store *store, struct error *error)
{
    char labels[sizeof error->text] = "";
    struct store_device device = {.id = 0};
    int found;

    if (options->wanted.device == NULL)
        return 0;
    while ((found = store_next_device(store, &device, error)) == 1) {
        if (device_info_matches(&device.info, options->wanted.device))
            return 0;
        text_list(labels, sizeof labels, ", ", "%s", DEVICE_LABEL_OF(&device.info));
    }
    if (found < 0)
        return -1;
    return error_set(error, STATUS_USAGE, "no device of this run matches \"%.60s\"; it has %.380s",
                     options->wanted.device, labels[0] != '\0' ? labels : "none");
}

/* --- of litmus tests --- */

static int no_format(const struct explain_options *options, const char *what, struct error *error)
{
    return error_set(error, STATUS_USAGE, "'%s': %s have no board, so they can only be explained as text",
                     options->path, what);
}

/* Or says `otherwise`, if the run has none. */
static int explain_tests(const struct explain_options *options, struct store *store, const char *otherwise,
                         struct error *error)
{
    bool any = false;
    const int outcome = explain_progress(stdout, store, &options->wanted, &any, error);

    if (outcome == 0 && !any)
        puts(otherwise);
    return outcome;
}

/* A block, or all of a run that has nothing else. */
static int explain_litmus(const struct explain_options *options, struct store *store, bool is_block,
                          struct error *error)
{
    if (options->write != explain_text || options->reproducer != NULL)
        return no_format(options, "litmus tests", error);
    return is_block ? explain_progress_block(stdout, store, &options->wanted, error)
                    : explain_tests(options, store, "No litmus tests were run.", error);
}

/* --- of promises --- */

static int explain_promises(const struct explain_options *options, struct store *store, struct error *error)
{
    if (options->reproducer != NULL)
        return reproduce_promise(store, &options->wanted, options->reproducer, error);
    if (options->write != explain_text)
        return no_format(options, "promises", error);
    return explain_audit(stdout, store, &options->wanted, error);
}

/* --- of proofs --- */

static int explain_proofs(const struct explain_options *options, struct store *store, struct error *error)
{
    if (options->reproducer != NULL)
        return reproduce_proof(store, &options->wanted, options->reproducer, error);
    return explain_proof(stdout, store, &options->wanted, options->format, error);
}

/* --- of boards --- */

/* Says of which of several devices it is, unless the user chose one of them. */
static void name_holders(const struct evidence *evidence)
{
    if (evidence->holders == NULL)
        return;
    escape_each(escape_text, stderr, "gridlock: this was run on ", evidence->holders, "; explained as on ",
                DEVICE_LABEL_OF(&evidence->device.info), "; --device chooses\n", NULL);
}

/* Returns whether the runs came to their end on each device that they had begun. */
static bool have_ended(const struct report *report)
{
    for (size_t i = 0; i < report->share_count; ++i)
        if (!report->shares[i].ended)
            return false;
    return true;
}

/* A kernel that is launched as it is has no board, whatever becomes of it. */
static int explain_nothing(const struct explain_options *options, struct store *store, bool is_text,
                           struct error *error)
{
    struct report report = {.kind = REPORT_RUN};
    const int outcome = report_read_runs(&report, store, error);
    const bool is_of_tries = report_is_of_tries(&report);
    const bool ended = have_ended(&report);

    report_runs_fini(&report);
    if (outcome != 0)
        return -1;
    if (is_of_tries)
        return error_set(error, STATUS_USAGE,
                         "'%.200s': kernels were launched as they are, which keeps no record of who waits for whom; "
                         "gridlock report says how each launch ended, gridlock prove what a kernel needs",
                         options->path);
    if (is_text)
        return explain_tests(options, store,
                             ended ? "Nothing failed in this run."
                                   : "Nothing is known to have failed, but the run did not end: gridlock report says "
                                     "what is missing.",
                             error);
    return error_set(error, STATUS_USAGE, "'%s': nothing failed in this run%s", options->path,
                     ended ? "" : ", which did not end");
}

static int explain(const struct explain_options *options, struct store *store, struct error *error)
{
    static struct evidence_tally tally;
    struct evidence evidence;
    enum report_kind kind;
    bool is_block = false;

    if (check_device(options, store, error) != 0 || report_read_kind(store, &kind, error) != 0)
        return -1;
    if (kind == REPORT_AUDIT)
        return explain_promises(options, store, error);
    if (kind == REPORT_WATCH && options->reproducer != NULL)
        return error_set(error, STATUS_USAGE,
                         "'%.200s': a program was watched; gridlock watch --capture keeps what repeats its launches",
                         options->path);
    if (kind == REPORT_WATCH)
        return explain_watch(stdout, store, &options->wanted, options->format, error);
    if (kind == REPORT_PROOFS)
        return explain_proofs(options, store, error);
    if (options->wanted.trial != NULL && explain_progress_has(store, &options->wanted, &is_block, error) != 0)
        return -1;
    if (is_block || (options->wanted.trial == NULL && kind == REPORT_PROGRESS))
        return explain_litmus(options, store, is_block, error);
    int result = evidence_read(store, &options->wanted, &evidence, &tally, error);
    const bool is_text = options->write == explain_text && options->reproducer == NULL;
    name_holders(&evidence);
    if (result == 1)
        result = explain_nothing(options, store, is_text, error);
    else if (result == 0 && options->reproducer != NULL)
        result = reproduce(store, &evidence, options->reproducer, error);
    else if (result == 0) {
        if (options->wanted.trial == NULL && options->write == explain_text)
            print_tally(stdout, &tally);
        result = options->write(stdout, &evidence, error);
    }
    evidence_fini(&evidence);
    return result;
}

int command_explain(int count, char **arguments)
{
    struct explain_options options = {.format = 0};
    struct store *store = NULL;
    struct error error;

    parse_arguments(&explain_line, count, arguments, &options);
    if (store_open(options.path, &store, &error) != 0)
        return report_error(&error);
    const int result = output_begin(options.output, &error) == 0 ? explain(&options, store, &error) : -1;
    store_close(store);
    return result == 0 ? STATUS_OK : report_error(&error);
}
