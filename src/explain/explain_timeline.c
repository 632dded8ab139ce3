#include "explain/explain.h"
#include "explain/story.h"
#include "explain/timeline.h"
#include "report/wording.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 80, BAR = 24, ROW_TEXT = STORY_TEXT + 64 };

/* Of rows that are alike so many are shown at the beginning and at the end; those between them are counted. */
enum { ROWS_FIRST = 8, ROWS_LAST = 2 };

enum { MOST_CLASSES = 40 };

struct picture {
    FILE *out;
    const struct evidence *evidence;
    struct story story;
    struct timeline timeline;
    int margin; /* columns of the rows' names */
    bool shown[GROUP_STATES];
};

static const struct {
    char sign;
    const char *meaning;
    const char *does; /* a group that is told alone */
} signs[GROUP_STATES] = {[GROUP_RUNNING] = {'+', "runs", "runs"},
                         [GROUP_WAITING] = {'.', "waits", "waits"},
                         [GROUP_READY] = {':', "waits for what is already there", "has not seen its value"},
                         [GROUP_DONE] = {'=', "ran until it ended", "ended"}};

static const struct group_class *class_of(const struct picture *picture, uint32_t group)
{
    return &picture->story.grouping.classes[picture->story.grouping.class_of[group]];
}

/* --- rows --- */

/* What is too long for a line ends with dots. */
static void print_row(const struct picture *picture, const char *name, const char *bar, const char *text)
{
    const int room = COLUMNS - (2 + picture->margin + 2 + BAR + 2);
    const bool fits = strlen(text) <= (size_t)room;

    fprintf(picture->out, "  %-*s |%-*s| %.*s%s\n", picture->margin, name, BAR, bar, fits ? room : room - 3, text,
            fits ? "" : "...");
}

/* The rows between the first and the last ones are left out. */
static bool is_left_out(uint32_t row, uint32_t rows)
{
    return rows > ROWS_FIRST + ROWS_LAST + 1 && row >= ROWS_FIRST && row < rows - ROWS_LAST;
}

static void print_left_out(const struct picture *picture, uint32_t row, uint32_t rows, const char *of)
{
    if (row == ROWS_FIRST)
        fprintf(picture->out, "  %*s ... %" PRIu32 " more %s\n", picture->margin, "", rows - ROWS_FIRST - ROWS_LAST,
                of);
}

/* --- places --- */

static int column_of(const struct timeline *timeline, uint64_t ns)
{
    return (int)((double)ns / (double)timeline->end_ns * (double)BAR);
}

/* A group has a column at least, and its number where there is room for it. */
static void draw(struct picture *picture, const struct timeline_slice *slice, char *bar)
{
    const enum group_state state = class_of(picture, slice->group)->state;
    const int start = column_of(&picture->timeline, slice->start_ns);
    const int from = start < BAR ? start : BAR - 1, end = column_of(&picture->timeline, slice->end_ns);
    const int to = end > BAR ? BAR : end > from ? end : from + 1;
    char number[16];

    const int digits = snprintf(number, sizeof number, "%" PRIu32, slice->group);
    memset(bar + from, signs[state].sign, (size_t)(to - from));
    if (digits < to - from)
        memcpy(bar + from, number, (size_t)digits);
    picture->shown[state] = true;
}

static void tell_awaited(const struct picture *picture, uint32_t group, char *text)
{
    const struct group_class *class = class_of(picture, group);
    const uint32_t awaited = board_awaited(&picture->evidence->board, group);
    char groups[STORY_TEXT] = "";

    if (!class->mixed)
        story_awaited(&picture->story, picture->story.grouping.class_of[group], groups);
    if (awaited < picture->evidence->board.groups)
        text_append(text, ROW_TEXT, " for group %" PRIu32, awaited);
    else
        text_append(text, ROW_TEXT, " for %s", groups[0] != '\0' ? groups : wording_awaited(awaited)->whom);
}

/* What the group does that came last to its place. */
static void tell_last(const struct picture *picture, const struct timeline_slice *last, uint32_t groups, char *text)
{
    const enum group_state state = class_of(picture, last->group)->state;

    if (state == GROUP_DONE && groups > 1)
        snprintf(text, ROW_TEXT, "%" PRIu32 " groups ended", groups);
    else
        snprintf(text, ROW_TEXT, "group %" PRIu32 " %s", last->group, signs[state].does);
    if (state == GROUP_WAITING)
        tell_awaited(picture, last->group, text);
}

static void print_place(struct picture *picture, uint32_t lane)
{
    const struct timeline_slice *last = NULL;
    char name[TIMELINE_NAME], bar[BAR + 1] = "", text[ROW_TEXT] = "";
    uint32_t groups = 0;

    memset(bar, ' ', BAR);
    for (uint32_t i = 0; i < picture->timeline.count; ++i) {
        const struct timeline_slice *slice = &picture->timeline.slices[i];
        if (slice->lane != lane)
            continue;
        draw(picture, slice, bar);
        last = slice;
        ++groups;
    }
    timeline_lane_name(&picture->timeline, lane, name);
    if (last != NULL)
        tell_last(picture, last, groups, text);
    print_row(picture, name, bar, text);
}

static void print_places(struct picture *picture)
{
    const uint32_t rows = picture->timeline.lane_count;

    for (uint32_t lane = 0; lane < rows; ++lane) {
        if (is_left_out(lane, rows))
            print_left_out(picture, lane, rows, "places");
        else
            print_place(picture, lane);
    }
}

static void print_never_started(const struct picture *picture)
{
    const struct board *board = &picture->evidence->board;
    const uint32_t rows = board->groups - picture->timeline.count;
    uint32_t row = 0;

    for (uint32_t group = 0; group < board->groups; ++group) {
        char text[64];
        if (board_started(board, group))
            continue;
        snprintf(text, sizeof text, "group %" PRIu32 " never started", group);
        if (is_left_out(row, rows))
            print_left_out(picture, row, rows, "groups that never started");
        else
            print_row(picture, "no place", "", text);
        ++row;
    }
}

/* --- the whole --- */

static int margin_of(const struct timeline *timeline)
{
    int margin = (int)strlen("no place");

    for (uint32_t lane = 0; lane < timeline->lane_count; ++lane) {
        char name[TIMELINE_NAME];
        timeline_lane_name(timeline, lane, name);
        margin = (int)strlen(name) > margin ? (int)strlen(name) : margin;
    }
    return margin;
}

static void print_scale(const struct picture *picture)
{
    const bool timed = picture->timeline.clock != TIMELINE_TICKET && picture->timeline.count > 0;
    const char *first = timed ? "0 ms" : "first";
    char last[32] = "last to start";

    if (timed)
        snprintf(last, sizeof last, "%.3f ms", (double)picture->timeline.end_ns / 1e6);
    fprintf(picture->out, "\n  %*s  %s%*s\n", picture->margin, "", first, BAR - (int)strlen(first), last);
}

static void print_legend(const struct picture *picture)
{
    static const char *const clocks[] = {
        [TIMELINE_NS] = "Times are the device's own.",
        [TIMELINE_TICKS] = "Times are ticks of the device, scaled to the duration of the launch.",
        [TIMELINE_TICKET] = "The device tells no times: groups stand in the order in which they started.",
    };
    const char *before = "\n  ";

    if (picture->timeline.count == 0)
        return;
    for (int state = 0; state < GROUP_STATES; ++state) {
        if (!picture->shown[state])
            continue;
        fprintf(picture->out, "%s%c %s", before, signs[state].sign, signs[state].meaning);
        before = "   ";
    }
    fprintf(picture->out, "\n  %s\n", clocks[picture->timeline.clock]);
    if (!picture->timeline.has_units)
        fputs("  It does not tell its units: groups of one place may have run on several.\n", picture->out);
}

int explain_timeline(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct picture picture = {.out = out, .evidence = evidence};

    if (explain_need_board(evidence, "a timeline", error) != 0)
        return -1;
    story_tell(evidence, MOST_CLASSES, &picture.story);
    timeline_make(evidence, &picture.timeline);
    picture.margin = margin_of(&picture.timeline);
    story_print_head(out, evidence);
    print_scale(&picture);
    print_places(&picture);
    print_never_started(&picture);
    print_legend(&picture);
    story_print_classes(out, evidence, &picture.story);
    timeline_fini(&picture.timeline);
    story_fini(&picture.story);
    return 0;
}
