#include "explain/explain.h"

#include "core/text.h"
#include "explain/story.h"
#include "format/escape.h"
#include "format/text.h"
#include "litmus/emulate.h"
#include "report/schedule_file.h"

#include <inttypes.h>
#include <string.h>

enum {
    CUTS_TOLD = 10, /* in words, the last ones, at most */
};

int explain_schedule(FILE *out, const struct evidence *evidence, struct error *error)
{
    if (evidence->schedule.turns == NULL)
        return error_set(error, STATUS_USAGE,
                         "%.160s: no schedule of this launch was kept: that is done of launches that fail on model "
                         "devices with turns=lot or turns=pct, and have no more than %d turns",
                         evidence->name, SCHEDULE_TURNS);
    schedule_file_write(out, evidence);
    return 0;
}

/* --- in words --- */

/* The turn from which on they are told, and which cut it is. */
static uint32_t first_told(const struct schedule *told, uint32_t cuts, uint32_t *cut)
{
    uint32_t first = 0;

    for (*cut = 0; cuts > CUTS_TOLD && *cut < cuts - CUTS_TOLD; ++first)
        *cut += schedule_is_cut(&told->turns[first]);
    return first;
}

static void print_cut(FILE *out, const struct schedule_turn *turn, const char *stop)
{
    const uint32_t steps = schedule_steps(turn);

    fprintf(out, "    group %" PRIu32 ", item %" PRIu32 ": %" PRIu32 " step%s, and is cut%s", turn->group, turn->item,
            steps, text_s(steps), stop[0] != '\0' ? " at " : "");
    escape_each(escape_text, out, "", stop, "\n", NULL);
}

/* So many turns that were not cut, of which the first one's work-item is named. */
static void print_uncut(FILE *out, const struct schedule_turn *turns, uint32_t count)
{
    if (count == 0)
        return;
    fprintf(out, "    group %" PRIu32 ", item %" PRIu32 ", as long as it can", turns->group, turns->item);
    if (count > 1)
        fprintf(out, "; and %" PRIu32 " more such turn%s", count - 1, text_s(count - 1));
    fputc('\n', out);
}

static void print_turns(FILE *out, const struct schedule_kept *kept, const struct schedule *told)
{
    const uint32_t cuts = schedule_cuts(told);
    uint32_t cut, first = first_told(told, cuts, &cut);

    for (uint32_t i = first; i <= told->count; ++i) {
        char stop[SCHEDULE_STOP];
        if (i < told->count && !schedule_is_cut(&told->turns[i]))
            continue;
        print_uncut(out, &told->turns[first], i - first);
        if (i < told->count) {
            schedule_stop(kept->stops, cut++, cuts, stop);
            print_cut(out, &told->turns[i], stop);
        }
        first = i + 1;
    }
}

static void print_counts(FILE *out, const struct schedule_kept *kept, const struct schedule *told)
{
    const uint32_t cuts = schedule_cuts(told);
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);

    fprintf(line, "Of %" PRIu32 " turns%s %" PRIu32 " ended where the work-item could have gone on", told->count,
            told->count < kept->count ? " until none could go on" : "", cuts);
    if (kept->cuts != 0)
        fprintf(line, " (%" PRIu32 " before the schedule was shortened)", kept->cuts);
    fputs(cuts > CUTS_TOLD ? ". The last ones:" : ":", line);
    text_lines_end(&lines, out, "  ", "  ");
}

void story_print_schedule(FILE *out, const struct evidence *evidence)
{
    const struct schedule_kept *kept = &evidence->schedule;
    const struct schedule all = schedule_of(kept), told = schedule_until_still(&all);

    if (kept->turns == NULL)
        return;
    fputs("\nWho had the next turn\n", out);
    print_counts(out, kept, &told);
    print_turns(out, kept, &told);
    text_clean_lines(out, "  ", "  ",
                     kept->cuts == 0 && schedule_cuts(&told) > 1
                         ? "gridlock run --schedule repeats what explain --format schedule has written, and run "
                           "--shorten looks for a schedule that is cut less often."
                         : "gridlock run --schedule repeats what explain --format schedule has written.");
}

void story_print_bound(FILE *out, const struct evidence *evidence)
{
    struct model_device device;
    struct error ignored;
    struct text_lines lines;
    const uint32_t items = (uint32_t)trial_items(&evidence->trial), groups = evidence->trial.groups;

    if (!evidence->has_launch || model_device_parse(evidence->device.info.name, &device, &ignored) != 0 ||
        device.turns != MODEL_TURNS_PCT)
        return;
    const uint64_t all = (uint64_t)groups * items;
    const uint32_t steps = model_device_falls(model_device_places(&device, groups) * items);
    const double bound = 1.0 / ((double)all * steps * steps);
    FILE *line = text_lines_begin(&lines);
    fprintf(line,
            "Priorities fall %d times in the first %" PRIu32 " accesses of a launch, which has %" PRIu64
            " work-items. A fault within these that shows whenever %d pairs of accesses come in a certain order is "
            "found with a probability of at least 1/(%" PRIu64 " * %" PRIu32 "^%d) = %.2g a launch.",
            MODEL_FALLS, steps, all, MODEL_FALLS + 1, all, steps, MODEL_FALLS, bound);
    fputs("\nWhat turns by priorities find\n", out);
    text_lines_end(&lines, out, "  ", "  ");
}
