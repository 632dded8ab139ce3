#include "cli/lists.h"

#include "cli/options.h"
#include "core/text.h"
#include "format/escape.h"

#include <stdio.h>

enum { KEY_SKIPS = 0x500, KEY_FLAKES, KEY_BASELINE, LINES_LISTED = 10 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct lists *lists = state->input;

    if (key != KEY_SKIPS && key != KEY_FLAKES && key != KEY_BASELINE)
        return ARGP_ERR_UNKNOWN;
    if (lists->count == LISTS_MOST)
        argp_error(state, "at most %d lists of known points or promises are allowed", LISTS_MOST);
    lists->load[lists->count] = key == KEY_SKIPS    ? known_load_skips
                                : key == KEY_FLAKES ? known_load_flakes
                                                    : known_load_baseline;
    lists->files[lists->count++] = argument;
    return 0;
}

int lists_load(struct lists *lists, struct error *error)
{
    for (size_t i = 0; i < lists->count; ++i)
        if (lists->load[i](&lists->known, lists->files[i], error) != 0)
            return -1;
    return 0;
}

static const struct argp_option point_options[] = {
    {"skips", KEY_SKIPS, "FILE", 0, "Leave out points whose id matches one of the expressions in FILE, one per line",
     1},
    {"flakes", KEY_FLAKES, "FILE", 0, "Points that match an expression in FILE are known to surprise at times", 1},
    {"baseline", KEY_BASELINE, "FILE", 0, "Points that are known to fail: one id and its verdict per line", 1},
    {0},
};

static const struct argp_option promise_options[] = {
    {"skips", KEY_SKIPS, "FILE", 0,
     "Leave out promises whose id, audit/NAME, matches one of the expressions in FILE, one per line", 1},
    {"flakes", KEY_FLAKES, "FILE", 0, "Promises that match an expression in FILE are known to be broken at times", 1},
    {"baseline", KEY_BASELINE, "FILE", 0, "Promises that are known to be broken: one 'audit/NAME broken' per line", 1},
    {0},
};

const struct argp point_lists_argp = {point_options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp promise_lists_argp = {promise_options, parse, NULL, NULL, NULL, NULL, NULL};

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
