#include "cli/command.h"

#include "cli/options.h"
#include "core/text.h"
#include "engine/run_file.h"
#include "format/case.h"
#include "format/escape.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DAYS_MOST = 36500 };

struct runs_options {
    bool prune, aged;
    uint64_t days;
    struct operands names;
};

static int check(struct parsing *parsing)
{
    const struct runs_options *options = parsing->options;

    if (options->prune && !options->aged && options->names.count == 0)
        refuse_usage(parsing, "--prune: expected --older-than DAYS, or the names of run files");
    return 0;
}

/* --- which --- */

static bool is_named(const struct runs_options *options, const char *name)
{
    for (size_t i = 0; i < options->names.count; ++i)
        if (strcmp(options->names.words[i], name) == 0)
            return true;
    return options->names.count == 0;
}

static int check_names(const struct runs_options *options, const struct run_files *files, struct error *error)
{
    for (size_t i = 0; i < options->names.count; ++i) {
        bool found = false;
        for (size_t j = 0; j < files->count && !found; ++j)
            found = strcmp(files->files[j].name, options->names.words[i]) == 0;
        if (!found)
            return error_set(error, STATUS_USAGE, "no run file '%.100s' in '%.300s'", options->names.words[i],
                             files->folder);
    }
    return 0;
}

static bool is_chosen(const struct runs_options *options, const struct run_file *file)
{
    const int64_t day_s = 86400, age_s = (int64_t)time(NULL) - file->written_ns / 1000000000;
    return is_named(options, file->name) && (!options->aged || age_s >= (int64_t)options->days * day_s);
}

/* --- listing --- */

static void count_case(void *context, const struct report_case *found)
{
    size_t *counts = context;
    counts[found->result] += !found->aside;
}

/* "3 passed, 1 failed" */
static void print_results(const struct report *report)
{
    static const char *const words[] = {
        [RESULT_PASS] = "passed",  [RESULT_FAIL] = "failed",       [RESULT_ERROR] = "in error",
        [RESULT_SKIP] = "skipped", [RESULT_UNKNOWN] = "undecided", [RESULT_KNOWN] = "known to fail",
    };
    size_t counts[sizeof words / sizeof *words] = {0};
    const char *comma = "";

    for (size_t i = 0; i < report_device_count(report); ++i)
        report_each_case(report, i, count_case, counts);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        if (counts[i] > 0) {
            printf("%s%zu %s", comma, counts[i], words[i]);
            comma = ", ";
        }
    puts(comma[0] == '\0' ? "nothing measured" : "");
}

/* What was measured on what, and what it came to. */
static int print_contents(const char *path, struct error *error)
{
    struct store *store = NULL;
    struct report report = {0};
    int result = store_open(path, &store, error);

    if (result == 0)
        result = report_read(&report, store, error);
    if (result == 0) {
        printf("    %s: ", report_kind_name(report.kind));
        print_results(&report);
    }
    for (size_t i = 0; result == 0 && i < report_device_count(&report); ++i) {
        escape_each(escape_text, stdout, "    ", DEVICE_LABEL_OF(&report_device(&report, i)->info), "\n", NULL);
    }
    report_fini(&report);
    store_close(store);
    return result;
}

static void print_file(const struct run_files *files, const struct run_file *file)
{
    char path[sizeof files->folder + sizeof file->name + 2], when[32] = "";
    const time_t written = (time_t)(file->written_ns / 1000000000);
    struct tm local;
    struct error error;

    if (localtime_r(&written, &local) != NULL)
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
    escape_text(stdout, file->name);
    printf("  %s  %" PRIu64 " kB\n", when, (file->bytes + 999) / 1000);
    snprintf(path, sizeof path, "%s/%s", files->folder, file->name);
    if (print_contents(path, &error) != 0) {
        escape_each(escape_text, stdout, "    ", error.text, "\n", NULL);
    }
}

/* --- pruning --- */

/* 1: it is kept, because it is in use. */
static int prune_file(const struct run_files *files, const struct run_file *file, struct error *error)
{
    bool in_use = false;

    if (run_file_find_users(file, &in_use, error) != 0)
        return -1;
    if (!in_use && run_file_remove(files, file, error) != 0)
        return -1;
    escape_each(escape_text, stdout, in_use ? "kept, in use: " : "removed: ", file->name, "\n", NULL);
    return in_use;
}

static int list_or_prune(const struct runs_options *options, const struct run_files *files, struct error *error)
{
    size_t kept = 0;

    if (!options->prune) {
        escape_each(escape_text, stderr, "gridlock: run files in ", files->folder, NULL);
        fprintf(stderr, ": %zu\n", files->count);
    }
    if (check_names(options, files, error) != 0)
        return -1;
    for (size_t i = 0; i < files->count; ++i) {
        if (!is_chosen(options, &files->files[i]))
            continue;
        const int result = options->prune ? prune_file(files, &files->files[i], error) : 0;
        if (result < 0)
            return -1;
        kept += result == 1;
        if (!options->prune)
            print_file(files, &files->files[i]);
    }
    return kept == 0 ? 0 : error_set(error, STATUS_STOPPED, "kept %zu run file%s in use", kept, text_s(kept));
}

#define AT(member) offsetof(struct runs_options, member)

static const struct command_option table[] = {
    {"prune", 0, 1, NULL, "Remove the files that are named, or older than --older-than says", .at = AT(prune)},
    {"older-than", 0, 1, "DAYS", "Only files that were not modified in the last DAYS days", .at = AT(days),
     .take = take_number, .most = DAYS_MOST, .given = AT(aged)},
    {0},
};

const struct command_line runs_line = {
    .options = table,
    .operands = AT(names),
    .check = check,
    .named = "[RUN...]",
    .doc = "Lists the run files in the folder where runs put them unless told otherwise ($XDG_STATE_HOME/gridlock, or "
           "~/.local/state/gridlock), the newest first: when each was written last, how large it is, what was run, "
           "what that came to, and on which devices. RUN is the name of a file in that folder. With --prune the files "
           "are removed, but for those that a process has open.",
    .statuses = "0 listed, or removed; 2 usage error, or there is no such file; 3 a file could not be removed; 75 some "
                "were kept because they are in use",
};

int command_runs(int count, char **arguments)
{
    struct runs_options options = {.days = 0};
    struct run_files files;
    struct error error;

    parse_arguments(&runs_line, count, arguments, &options);
    int result = run_files_read(&files, &error);
    if (result == 0)
        result = list_or_prune(&options, &files, &error);
    run_files_fini(&files);
    return result == 0 ? STATUS_OK : report_error(&error);
}
