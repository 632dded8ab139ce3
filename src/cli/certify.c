#include "base/alloc.h"
#include "base/file.h"
#include "cli/certify_check.h"
#include "cli/command.h"
#include "cli/included.h"
#include "format/certified.h"
#include "reproducer/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUPS_MOST = 1 << 20, ITERATIONS = 20, ITERATIONS_MOST = 10000 };

/* --- options --- */

static int add_to(struct parsing *parsing, const char **values, size_t *count, const char *text)
{
    if (*count == CERTIFY_ARGUMENTS)
        return error_set(&parsing->error, STATUS_USAGE, "%s: at most %d are allowed", parsing->name, CERTIFY_ARGUMENTS);
    values[(*count)++] = text;
    return 0;
}

static int add_argument(struct parsing *parsing, void *context, char *text)
{
    struct certify_options *options = context;
    return add_to(parsing, options->arguments, &options->argument_count, text);
}

static int add_proved(struct parsing *parsing, void *context, char *text)
{
    struct certify_options *options = context;
    return add_to(parsing, options->proved, &options->proved_count, text);
}

static int add_result(struct parsing *parsing, void *context, char *text)
{
    struct certify_options *options = context;
    return add_to(parsing, options->results, &options->result_count, text);
}

static int take_live(struct parsing *parsing, void *member, char *argument)
{
    return live_parse(argument, member, &parsing->error);
}

static int take_operand(struct parsing *parsing, char *word)
{
    struct certify_options *options = parsing->options;

    if (!file_is_kernel(word))
        return error_set(&parsing->error, STATUS_USAGE, "%.200s: expected a file of OpenCL C, whose name ends in .cl",
                         word);
    if (options->file != NULL)
        return error_set(&parsing->error, STATUS_USAGE, "%.200s: a certificate is of one file", word);
    options->file = word;
    return 0;
}

static int check(struct parsing *parsing)
{
    const struct certify_options *options = parsing->options;

    if (options->check != NULL && options->file != NULL)
        refuse_usage(parsing, "--check: what was certified is in the certificate: expected no other file");
    if (options->check != NULL)
        return refuse_format("--check", options->measure.common.format, &parsing->error);
    if (options->file == NULL)
        refuse_usage(parsing, "expected a file of OpenCL C: gridlock certify FILE.cl --kernel NAME -o DIR");
    if (options->kernel == NULL)
        refuse_usage(parsing, "expected --kernel NAME: a certificate is of one kernel");
    if (options->folder == NULL)
        refuse_usage(parsing, "expected -o DIR, the folder for the certificate and its run files");
    return 0;
}

static const struct naming styles = NAMING("auto", "cl30", "cl12", "ptx"); /* as enum dialect */

#define AT(member) offsetof(struct certify_options, member)

static const struct command_option table[] = {
    {"kernel", 0, 1, "NAME", "The kernel", .at = AT(kernel)},
    {"groups", 0, 1, "N", "Certify it for so many work-groups (default: for as many as are safe)", .at = AT(groups),
     .take = take_number, .least = 1, .most = GROUPS_MOST},
    {"local-size", 0, 1, "N", "Work-items of a group, as 64 or 16x16 (default: 64)", .at = AT(local_size)},
    {"build-options", 0, 1, "TEXT", "Options for the compiler, as -DN=16", .at = AT(build_options)},
    {"arg", 0, 1, "ARGUMENT=VALUE...", "An argument of launches and of the proof, as gridlock try and prove take it",
     .take = add_argument},
    {"kernel-style", 0, 1, NULL,
     "The dialect in which its groups exchange data, as of gridlock emit (default: auto, the device's best)",
     .at = AT(dialect), .names = &styles},
    {"output", 'o', 1, "DIR",
     "Write certificate.txt, certificate.json and the run files that they rest on into this folder, which is made; no "
     "file is replaced",
     .at = AT(folder)},
    {"check", 0, 1, "FILE",
     "Measure again what this certificate, a certificate.json, says, and say what no longer holds", .at = AT(check)},
    {"prove-arg", 0, 2, "ARGUMENT=VALUE...",
     "An argument of the proof, whose launches must be small; then it takes none of --arg", .take = add_proved},
    {"prove-groups", 0, 2, "N,...", "Numbers of groups that are explored (default: 2,3)", .at = AT(proved_groups)},
    {"result", 0, 2, "ARGUMENT=RIGHT...", "What a buffer has to hold in the end, as gridlock prove takes it",
     .take = add_result},
    {"budget", 0, 2, "S", "Time for each launch that is explored, in seconds (default: 60)", .at = AT(budget)},
    {"iterations", 0, 2, "N", "Launches of the kernel as it is, with as many groups as are safe (default: 20)",
     .at = AT(iterations), .take = take_number, .least = 1, .most = ITERATIONS_MOST},
    {"live", 0, 9, "any",
     "Launch the kernel as it is on a GPU, too, with --live=any: with one group too many it never ends there, "
     "which may take the machine down",
     .at = AT(measure.live), .take = take_live, .optional = true},
    {"yes", 0, 9, NULL, "Do not ask before --live=any", .at = AT(measure.yes)},
    {"device", 'd', 10, DEVICE_SELECTOR, "The device; SELECTOR as for gridlock run --device", .at = AT(measure.common),
     .take = take_one_device},
    {"format", 0, 12, NULL, "How to print the certificate (default: text)", .at = AT(measure.common.format),
     .names = &text_formats},
    {0},
};

static const struct command_part parts[] = {{&base_line, AT(measure.common)}, {&color_line, AT(measure.color)}, {0}};

const struct command_line certify_line = {
    .options = table,
    .parts = parts,
    .operand = take_operand,
    .check = check,
    .named = "FILE",
    .doc = "Finds out with how many work-groups a kernel is safe on a device, and writes that on a page, as text and "
           "JSON, with hashes of all that it rests on: gridlock prove computes what the kernel needs, limits how many "
           "groups of it fit, progress which groups get turns, run whether they see what others write, and try "
           "launches it as it is, with as many groups as are safe and one more than fit. In doubt there is no "
           "certificate, and it is said why. --check says later, or with another driver, whether it still holds.",
    .statuses =
        "0 certified, or the certificate still holds; 1 not certified, or it no longer holds; 2 usage error, or what "
        "is to be checked is no certificate as it was written; 3 the tool failed; 4 no device; 5 a device no longer "
        "works; 75 another run kept the device busy; 77 nothing could be measured; 130, 143 ended by SIGINT, SIGTERM",
};

/* --- the command --- */

/* One device, which is not used yet: the commands that measure it are processes of their own. */
static int choose_device(struct certify_options *options, struct error *error)
{
    static char selector[DEVICE_LABEL];
    struct common_options *common = &options->measure.common;
    struct measurement measurement = {0};
    int outcome = measurement_open(&measurement, &options->measure, true, error);

    if (outcome == 0 && measurement.selection.count != 1)
        outcome =
            error_set(error, STATUS_USAGE, "there are %zu such devices, and a certificate is of one: choose it with -d",
                      measurement.selection.count);
    if (outcome == 0 && common->selector_count == 0)
        common->selectors[common->selector_count++] =
            device_info_selector(&measurement.selection.devices[0], false, selector);
    measurement_close(&measurement);
    return outcome;
}

static void note_words(struct certified_asked *asked, char **words)
{
    static const char *const left_out[] = {"output", "format", "color", "quiet", "yes", "live", "icd", "check"};
    const struct store_asked *items = arguments_asked(&asked->word_count);
    const size_t count = asked->word_count;

    asked->words = words;
    asked->word_count = 0;
    for (size_t i = 0; i < count; ++i) {
        bool skip = false;
        for (size_t j = 0; j < sizeof left_out / sizeof *left_out; ++j)
            skip = skip || strcmp(items[i].option, left_out[j]) == 0;
        if (!skip)
            words[asked->word_count++] = items[i].option[0] != '\0'
                                             ? xasprintf("--%s=%s", items[i].option, items[i].value)
                                             : xasprintf("%s", items[i].value);
    }
}

static void note_time(struct certified_asked *asked)
{
    const time_t now = time(NULL);
    struct tm date;

    strftime(asked->made, sizeof asked->made, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &date));
}

static int save(const struct certify_options *options, const char *text, const char *json, struct error *error)
{
    const struct source_file files[] = {{"certificate.txt", text}, {"certificate.json", json}, {0}};

    return reproducer_save(options->folder, files, error);
}

static char *make_text(const struct certified *certified, const struct certified_asked *asked,
                       const struct text_style *style)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    certified_text(out, certified, asked, style);
    return xclose_memstream(out, &text);
}

char *certify_run(struct certify_options *options, struct certified *certified, struct error *error)
{
    const struct text_style plain = {false, stdout_colors(COLOR_NEVER)};
    char *words[CERTIFY_WORDS] = {NULL};
    struct certified_asked asked = {.made = ""};

    note_words(&asked, words);
    note_time(&asked);
    char *included = included_find(options->file), *json = NULL;
    asked.included = included;
    if (choose_device(options, error) == 0 && certify_measure(options, certified, error) == 0) {
        char *text = make_text(certified, &asked, &plain);
        json = certified_json(certified, &asked);
        if (save(options, text, json, error) != 0) {
            free(json);
            json = NULL;
        }
        if (json != NULL && options->check == NULL)
            fputs(options->measure.common.format == FORMAT_JSON ? json : text, stdout);
        free(text);
    }
    free(included);
    for (size_t i = 0; i < asked.word_count; ++i)
        free(words[i]);
    return json;
}

/* A command that failed has said why. */
static int report_failure(const struct error *error)
{
    return error->text[0] != '\0' ? report_error(error) : (int)error->status;
}

int command_certify(int count, char **arguments)
{
    static struct certify_options options;
    struct certified certified = {.asked = 0};
    struct error error;

    measure_options_init(&options.measure);
    options.local_size = "64";
    options.iterations = ITERATIONS;
    parse_arguments(&certify_line, count, arguments, &options);
    if (options.check != NULL) {
        enum status status = STATUS_OK;
        return certify_check(&options, &status, &error) != 0 ? report_failure(&error) : (int)status;
    }
    char *json = certify_run(&options, &certified, &error);
    const int status = json == NULL                   ? report_failure(&error)
                       : certified.doubt == CERTIFIED ? STATUS_OK
                                                      : STATUS_SURPRISE;
    free(json);
    certified_fini(&certified);
    return status;
}
