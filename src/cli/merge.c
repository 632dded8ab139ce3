#include "cli/command.h"

#include "base/alloc.h"
#include "cli/options.h"
#include "core/text.h"
#include "format/escape.h"
#include "report/report.h"
#include "store/merge.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct merge_options {
    const char *output;
    struct operands files;
    unsigned boards; /* enum merge_boards */
    bool quiet;
};

static int check(struct parsing *parsing)
{
    const struct merge_options *options = parsing->options;

    if (options->files.count == 0)
        refuse_usage(parsing, "expected run files");
    if (options->output == NULL)
        refuse_usage(parsing, "-o FILE is required: the run file to write");
    return 0;
}

#define AT(member) offsetof(struct merge_options, member)

static const struct naming boards_naming = NAMING("all", "class");

static const struct command_option options_table[] = {
    {"output", 'o', 1, "FILE", "Run file to write; it must not exist", .at = AT(output), .take = take_run_file},
    {"boards", 0, 1, NULL,
     "Which boards stay, from which explain tells who waits for whom: all, or of the launches that did "
     "not pass one for each kernel, verdict and cause, which keeps the file small (default: all)",
     .at = AT(boards), .names = &boards_naming},
    {"quiet", 'q', 1, NULL, "Print only errors", .at = AT(quiet)},
    {0},
};

static void print_conflict(void *context, const char *what, const char *kept, const char *other)
{
    (void)context;
    escape_each(escape_text, stderr, "gridlock: conflict: ", what, ": kept ", kept, ", another file has ", other, "\n",
                NULL);
}

/* What is no run file is left to the merge, which says so. */
static int check_kinds(const struct merge_options *options, struct error *error)
{
    enum report_kind kind, first = REPORT_RUN;
    size_t count = 0;
    const char *of;
    bool second;

    for (size_t i = 0; i < options->files.count; ++i) {
        struct store *store;
        if (store_open(options->files.words[i], &store, error) != 0)
            return 0;
        const int read = report_read_kind(store, &kind, error);
        store_close(store);
        if (read != 0)
            return -1;
        if (count++ == 0)
            first = kind;
        if (!report_kinds_merge(first, kind, &of, &second))
            return error_set(error, STATUS_USAGE, "'%s' is a run of %s, but '%s' is not: they cannot be merged",
                             options->files.words[second ? i : 0], of, options->files.words[second ? 0 : i]);
    }
    return 0;
}

/* --- shards --- */

/* Which shards of the largest division are there. */
struct shards {
    uint32_t count; /* 0: none of the runs was a shard */
    bool *there;
};

static int note_shard(void *context, const struct store_run *run)
{
    struct shards *shards = context;

    if (!run->sharded || run->shard >= run->shards || run->shards < shards->count)
        return 0;
    if (run->shards > shards->count) {
        bool *there = xcalloc(run->shards, sizeof *there);
        free(shards->there);
        shards->there = there;
        shards->count = run->shards;
    }
    shards->there[run->shard] = true;
    return 0;
}

static int report_missing(const char *path, struct error *error)
{
    struct shards shards = {.count = 0};
    struct store *store;

    if (store_open(path, &store, error) != 0)
        return -1;
    const int result = store_each_run(store, note_shard, &shards, error);
    for (uint32_t i = 0; result == 0 && i < shards.count; ++i)
        if (!shards.there[i])
            fprintf(stderr, "gridlock: shard %u/%u is missing\n", i, shards.count);
    free(shards.there);
    store_close(store);
    return result;
}

const struct command_line merge_line = {
    .options = options_table,
    .operands = AT(files),
    .check = check,
    .named = "RUN...",
    .doc = "Writes the union of run files: the shards of a run, or runs on several devices or drivers. Neither the "
           "order of the files nor a file named twice makes a difference.",
    .notes = "If two files have the same trial with different verdicts, the trial is listed and the faster one is "
             "kept. Litmus tests with different outcomes, and scenario files that have the same name but differ, are "
             "listed as well. Audits are merged with audits only.",
    .statuses = "0 merged; 1 merged, with such conflicts; 2 usage error, or a file is not a run file; 3 the file could "
                "not be written",
};

int command_merge(int count, char **arguments)
{
    struct merge_options options = {.output = NULL};
    struct merge_summary summary;
    struct error error;

    parse_arguments(&merge_line, count, arguments, &options);
    if (check_kinds(&options, &error) != 0 ||
        merge_files(options.output, options.files.words, options.files.count, (enum merge_boards)options.boards,
                    &summary, &(struct merge_teller){print_conflict, NULL}, &error) != 0 ||
        report_missing(options.output, &error) != 0)
        return report_error(&error);
    if (!options.quiet)
        fprintf(stderr, "gridlock: %s: %zu trial%s of %zu run%s, %zu of them in more than one file\n", options.output,
                summary.trials, text_s(summary.trials), summary.runs, text_s(summary.runs), summary.twice);
    return summary.conflicts > 0 ? STATUS_SURPRISE : STATUS_OK;
}
