#include "explain/explain.h"

#include "core/text.h"
#include "explain/story.h"
#include "format/escape.h"
#include "format/text.h"
#include "litmus/emulate.h"
#include "report/schedule_file.h"

#include <inttypes.h>
#include <string.h>

enum { CUTS_TOLD = 10 }; /* the last ones, at most */

int explain_schedule(FILE *out, const struct evidence *evidence, struct error *error)
{
    if (evidence->schedule.turns == NULL)
        return error_set(error, STATUS_USAGE,
                         "%.160s: no schedule of this launch was kept: that is done of launches that fail on model "
                         "devices with turns=lot or turns=pct",
                         evidence->name);
    schedule_file_write(out, evidence);
    return 0;
}

/* --- in words --- */

/* Where the row ends that begins with this turn: turns share one that were not cut, but for the first after a cut. */
static uint32_t row_end(const struct schedule_kept *kept, uint32_t first, uint32_t end)
{
    uint32_t next = first;

    if (first > 0 && schedule_is_cut(&kept->turns[first - 1]))
        return first + 1;
    while (next < end && !schedule_is_cut(&kept->turns[next]))
        ++next;
    return next > first ? next : first + 1;
}

/* The turn of the first row; behind each cut there are two. */
static uint32_t first_told(const struct schedule_kept *kept, uint32_t end)
{
    const uint32_t least = end < SCHEDULE_TOLD ? 0 : end - SCHEDULE_TOLD;
    uint32_t cuts = 0, first = end;

    while (first > least && cuts < CUTS_TOLD)
        cuts += schedule_is_cut(&kept->turns[--first]);
    return first;
}

static void print_turn(FILE *out, const struct schedule_kept *kept, uint32_t index)
{
    const struct schedule_turn *turn = &kept->turns[index];
    const uint32_t steps = schedule_steps(turn);
    char stop[SCHEDULE_STOP];

    schedule_stop(kept, index, stop);
    fprintf(out, "    group %" PRIu32 ", item %" PRIu32 ": ", turn->group, turn->item);
    if (schedule_is_cut(turn))
        fprintf(out, "%" PRIu32 " step%s, and is cut%s", steps, text_s(steps), stop[0] != '\0' ? " at " : "");
    else
        fprintf(out, "as long as it can go on%s", stop[0] != '\0' ? ", to " : "");
    escape_each(escape_text, out, "", stop, "\n", NULL);
}

static void print_turns(FILE *out, const struct schedule_kept *kept, uint32_t end)
{
    for (uint32_t i = first_told(kept, end), next; i < end; i = next) {
        next = row_end(kept, i, end);
        if (next - i == 1)
            print_turn(out, kept, i);
        else
            fprintf(out, "    %" PRIu32 " turns that are as long as can be\n", next - i);
    }
}

static void print_counts(FILE *out, const struct schedule_kept *kept, uint32_t end)
{
    const struct schedule told = {.turns = (struct schedule_turn *)kept->turns, .count = end};
    const struct schedule all = schedule_of(kept);
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);

    fprintf(line, "Of %" PRIu32 " turns%s %" PRIu32 " ended where the work-item could have gone on", end,
            end < all.count ? " until none could go on" : "", schedule_cuts(&told));
    if (kept->cuts != 0)
        fprintf(line, " (%" PRIu32 " before the schedule was shortened)", kept->cuts);
    fprintf(line, "%s", first_told(kept, end) > 0 ? ". The last ones:" : ":");
    text_lines_end(&lines, out, "  ", "  ");
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

void story_print_schedule(FILE *out, const struct evidence *evidence)
{
    const struct schedule_kept *kept = &evidence->schedule;
    const struct schedule schedule = schedule_of(kept);
    const uint32_t end = schedule_until_still(&schedule);

    if (kept->turns == NULL)
        return;
    fputs("\nWho had the next turn\n", out);
    print_counts(out, kept, end);
    print_turns(out, kept, end);
    if (kept->cuts == 0 && schedule_cuts(&schedule) > 1)
        text_clean_lines(out, "  ", "  ", "gridlock run --shorten finds a schedule that is cut less often.");
}
