#include "cli/lists.h"

#include "core/text.h"
#include "format/escape.h"

#include <stdio.h>

enum { LINES_LISTED = 10 };

/* In the order of the options. */
static int (*const loads[])(struct known *known, const char *path,
                            struct error *error) = {known_load_skips, known_load_flakes, known_load_baseline};

static int add_list(struct parsing *parsing, void *context, char *file)
{
    struct lists *lists = context;

    if (lists->count == LISTS_MOST)
        refuse_usage(parsing, "at most %d lists of known points or promises are allowed", LISTS_MOST);
    lists->load[lists->count] = loads[parsing->option - parsing->line->options];
    lists->files[lists->count++] = file;
    return 0;
}

int lists_load(struct lists *lists, struct error *error)
{
    for (size_t i = 0; i < lists->count; ++i)
        if (lists->load[i](&lists->known, lists->files[i], error) != 0)
            return -1;
    return 0;
}

#define ALLOW_EMPTY                                                                                                    \
    {                                                                                                                  \
        "allow-empty", 0, 1, NULL, "Allow that nothing is left to run, which is an error otherwise",                   \
            .at = offsetof(struct lists, allow_empty)                                                                  \
    }

static const struct command_option point_options[] = {
    {"skips", 0, 1, "FILE", "Leave out points whose id matches one of the expressions in FILE, one per line",
     .take = add_list},
    {"flakes", 0, 1, "FILE", "Points that match an expression in FILE are known to surprise at times",
     .take = add_list},
    {"baseline", 0, 1, "FILE", "Points that are known to fail: one id and its verdict per line", .take = add_list},
    ALLOW_EMPTY,
    {0},
};
static const struct command_option promise_options[] = {
    {"skips", 0, 1, "FILE",
     "Leave out promises whose id, audit/NAME, matches one of the expressions in FILE, one per line", .take = add_list},
    {"flakes", 0, 1, "FILE", "Promises that match an expression in FILE are known to be broken at times",
     .take = add_list},
    {"baseline", 0, 1, "FILE", "Promises that are known to be broken: one 'audit/NAME broken' per line",
     .take = add_list},
    ALLOW_EMPTY,
    {0},
};

const struct command_line point_lists_line = {.options = point_options};
const struct command_line promise_lists_line = {.options = promise_options};

void lists_name_unused(const struct known *known, const bool *matched, const char *of)
{
    size_t count = 0;

    for (size_t i = 0; i < known->line_count; ++i) {
        const struct known_line *line = &known->lines[i];
        if (line->matched || (matched != NULL && matched[i]) || ++count > LINES_LISTED)
            continue;
        escape_each(escape_text, stderr, "gridlock: ", line->path, NULL);
        fprintf(stderr, ":%u: no %s of this run matches '", line->number, of);
        escape_each(escape_text, stderr, "", line->text, "'\n", NULL);
    }
    if (count > LINES_LISTED)
        fprintf(stderr, "gridlock: no %s of this run matches %zu more line%s of these lists\n", of,
                count - LINES_LISTED, text_s(count - LINES_LISTED));
}
