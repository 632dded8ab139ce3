#include "base/alloc.h"
#include "explain/explain.h"
#include "explain/story.h"
#include "explain/timeline.h"
#include "format/json_writer.h"
#include "report/wording.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * Processes and threads of the trace. Perfetto takes thread 0 for the idle one of a system and does not show it, and
 * Chrome wants numbers of threads to be unique in all processes.
 */
enum { PROCESS_LAUNCH = 1, PROCESS_NEVER = 2, THREAD_LAUNCH = 1, THREAD_LANES = 2 };

/* So many that never started have a row each; more would be too many rows. */
enum { ROWS_MOST = 64 };

struct trace {
    struct json_writer json;
    const struct evidence *evidence;
    struct story story;
    struct timeline timeline;
    char (*awaited)[STORY_TEXT]; /* of each class: the groups that it waits for */
};

/* --- events --- */

/* One a line. */
static void open_event(struct trace *trace, const char *phase, const char *name, uint32_t process, uint32_t thread)
{
    fputc('\n', trace->json.out);
    json_writer_open(&trace->json, NULL, '{');
    json_writer_text(&trace->json, "ph", phase);
    json_writer_text(&trace->json, "name", name);
    json_writer_integer(&trace->json, "pid", process);
    json_writer_integer(&trace->json, "tid", thread);
}

/* Times are in microseconds. */
static void add_time(struct trace *trace, const char *name, uint64_t ns)
{
    json_writer_decimal(&trace->json, name, (double)ns / 1e3, 3);
}

static void open_slice(struct trace *trace, const char *name, const char *category, uint32_t process, uint32_t thread,
                       uint64_t start_ns, uint64_t end_ns)
{
    open_event(trace, "X", name, process, thread);
    json_writer_text(&trace->json, "cat", category);
    add_time(trace, "ts", start_ns);
    add_time(trace, "dur", end_ns - start_ns);
    json_writer_open(&trace->json, "args", '{');
}

/* Of an event, and of its arguments. */
static void close_event(struct trace *trace)
{
    json_writer_close(&trace->json, '}');
    json_writer_close(&trace->json, '}');
}

static void add_name(struct trace *trace, const char *kind, uint32_t process, uint32_t thread, const char *name)
{
    open_event(trace, "M", kind, process, thread);
    json_writer_open(&trace->json, "args", '{');
    json_writer_text(&trace->json, "name", name);
    close_event(trace);
}

/* --- rows --- */

/* Thread of a row of those that never started. */
static uint32_t never_thread(const struct trace *trace, uint32_t row)
{
    return THREAD_LANES + trace->timeline.lane_count + row;
}

static void add_lane(struct trace *trace, uint32_t index)
{
    char name[TIMELINE_NAME];

    timeline_lane_name(&trace->timeline, index, name);
    add_name(trace, "thread_name", PROCESS_LAUNCH, THREAD_LANES + index, name);
    open_event(trace, "M", "thread_sort_index", PROCESS_LAUNCH, THREAD_LANES + index);
    json_writer_open(&trace->json, "args", '{');
    json_writer_integer(&trace->json, "sort_index", index + (uint64_t)1);
    close_event(trace);
}

static void add_rows(struct trace *trace)
{
    char name[sizeof trace->evidence->name + 32];

    snprintf(name, sizeof name, "%s, launch %" PRIu32, trace->evidence->name, trace->evidence->launch);
    add_name(trace, "process_name", PROCESS_LAUNCH, THREAD_LAUNCH, name);
    add_name(trace, "process_name", PROCESS_NEVER, never_thread(trace, 0), "never started");
    add_name(trace, "thread_name", PROCESS_LAUNCH, THREAD_LAUNCH, "launch");
    for (uint32_t lane = 0; lane < trace->timeline.lane_count; ++lane)
        add_lane(trace, lane);
}

/* --- groups --- */

/* Whom the group waits for: itself a group, or what kind of group, and which these are. */
static void add_awaited(struct trace *trace, uint32_t group, const struct group_class *class)
{
    const struct grouping *grouping = &trace->story.grouping;
    const struct board *board = &trace->evidence->board;
    const char *groups = trace->awaited[grouping->class_of[group]];
    const uint32_t awaited = board_awaited(board, group);
    char text[STORY_TEXT + 64];

    json_writer_known(&trace->json, "awaited_group", awaited < board->groups, awaited);
    if (awaited < board->groups)
        snprintf(text, sizeof text, "group %" PRIu32, awaited);
    else
        snprintf(text, sizeof text, "%s%s%s", wording_awaited(awaited)->whom,
                 class->mixed || *groups == '\0' ? "" : ": ", class->mixed ? "" : groups);
    json_writer_text(&trace->json, "awaits", text);
}

static void add_wait(struct trace *trace, uint32_t group, const struct group_class *class)
{
    const struct board *board = &trace->evidence->board;
    const uint32_t word = board_entry(board, group, GL_WAIT_WORD), kind = board_wait_kind(board, group);
    const bool is_word = word < board_words(board->groups, board->sync_words);
    char name[WORDING_WORD];

    wording_word(trace->evidence, word, name, sizeof name);
    json_writer_integer(&trace->json, "word", word);
    json_writer_text(&trace->json, "word_name", name);
    json_writer_text(&trace->json, "until", wording_until(kind)->name);
    json_writer_integer(&trace->json, "value_needed", board_entry(board, group, GL_WAIT_VALUE));
    json_writer_known(&trace->json, "value", is_word, is_word ? board->words[word] : 0);
    add_awaited(trace, group, class);
}

static void add_group(struct trace *trace, const struct timeline_slice *slice)
{
    static const char *const categories[GROUP_STATES] = {"never-started", "running", "waiting", "waiting", "done"};
    const struct board *board = &trace->evidence->board;
    const struct grouping *grouping = &trace->story.grouping;
    const struct group_class *class = &grouping->classes[grouping->class_of[slice->group]];
    char name[32];

    snprintf(name, sizeof name, "group %" PRIu32, slice->group);
    open_slice(trace, name, categories[class->state], PROCESS_LAUNCH, THREAD_LANES + slice->lane, slice->start_ns,
               slice->end_ns);
    json_writer_integer(&trace->json, "group", slice->group);
    json_writer_integer(&trace->json, "ticket", board_entry(board, slice->group, GL_TICKET));
    json_writer_text(&trace->json, "state", group_state_name(class->state));
    json_writer_integer(&trace->json, "round", board_entry(board, slice->group, GL_ROUND));
    json_writer_integer(&trace->json, "locks_held", board_entry(board, slice->group, GL_LOCKS_HELD));
    json_writer_bool(&trace->json, "end_known", slice->ended);
    if (class->state == GROUP_WAITING || class->state == GROUP_READY)
        add_wait(trace, slice->group, class);
    close_event(trace);
}

/* --- groups that never started --- */

static void add_never_started(struct trace *trace, uint32_t group, uint32_t row, bool own_row)
{
    char name[32];

    snprintf(name, sizeof name, "group %" PRIu32, group);
    if (own_row) {
        add_name(trace, "thread_name", PROCESS_NEVER, never_thread(trace, row), name);
        open_slice(trace, name, "never-started", PROCESS_NEVER, never_thread(trace, row), 0, trace->timeline.end_ns);
    } else {
        open_event(trace, "i", name, PROCESS_NEVER, never_thread(trace, 0));
        json_writer_text(&trace->json, "cat", "never-started");
        json_writer_text(&trace->json, "s", "t");
        add_time(trace, "ts", 0);
        json_writer_open(&trace->json, "args", '{');
    }
    json_writer_integer(&trace->json, "group", group);
    json_writer_bool(&trace->json, "late", board_entry(&trace->evidence->board, group, GL_LATE) != 0);
    close_event(trace);
}

static void add_all_never_started(struct trace *trace)
{
    const struct board *board = &trace->evidence->board;
    const bool own_rows = board->groups - trace->timeline.count <= ROWS_MOST;
    uint32_t row = 0;

    for (uint32_t group = 0; group < board->groups; ++group)
        if (!board_started(board, group))
            add_never_started(trace, group, row++, own_rows);
}

/* --- the whole --- */

static const char *const clocks[] = {
    [TIMELINE_NS] = "of the device",
    [TIMELINE_TICKS] = "device ticks, scaled to the duration of the launch",
    [TIMELINE_TICKET] =
        ("none: each group starts one microsecond after the one with the previous start ticket; lengths "
         "are not durations"),
};

static void add_facts(struct trace *trace)
{
    const struct evidence *evidence = trace->evidence;
    struct json_writer *json = &trace->json;

    json_writer_open(json, "otherData", '{');
    json_writer_text(json, "tool", "gridlock " GRIDLOCK_VERSION);
    json_writer_text(json, "trial", evidence->name);
    json_writer_text(json, "device", DEVICE_LABEL_OF(&evidence->device.info));
    json_writer_text(json, "driver_version", evidence->device.info.driver_version);
    json_writer_text(json, "verdict", verdict_name(evidence->verdict));
    json_writer_text(json, "cause", evidence->cause != CAUSE_NONE ? cause_name(evidence->cause) : NULL);
    json_writer_text(json, "happened", trace->story.happened);
    json_writer_text(json, "clock", clocks[trace->timeline.clock]);
    json_writer_text(
        json, "rows",
        trace->timeline.has_units
            ? "places of compute units, as the groups noted them"
            : "places: the device does not report its units; groups in one row may have run on different ones");
    json_writer_close(json, '}');
}

static void add_events(struct trace *trace)
{
    char name[64];

    json_writer_open(&trace->json, "traceEvents", '[');
    add_rows(trace);
    snprintf(name, sizeof name, "launch %" PRIu32 ": %s", trace->evidence->launch,
             verdict_name(trace->evidence->verdict));
    open_slice(trace, name, "launch", PROCESS_LAUNCH, THREAD_LAUNCH, 0, trace->timeline.end_ns);
    json_writer_integer(&trace->json, "groups", trace->evidence->board.groups);
    close_event(trace);
    for (uint32_t i = 0; i < trace->timeline.count; ++i)
        add_group(trace, &trace->timeline.slices[i]);
    add_all_never_started(trace);
    json_writer_close(&trace->json, ']');
}

static void trace_make(struct trace *trace)
{
    const struct grouping *grouping = &trace->story.grouping;

    story_tell(trace->evidence, EXPLAIN_NODES, &trace->story);
    timeline_make(trace->evidence, &trace->timeline);
    trace->awaited = xcalloc(grouping->count + (size_t)1, sizeof *trace->awaited);
    for (uint32_t class = 0; class < grouping->count; ++class)
        story_awaited(&trace->story, class, trace->awaited[class]);
}

int explain_trace(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct trace trace = {.json = {.out = out}, .evidence = evidence};

    if (explain_need_board(evidence, "a trace", error) != 0)
        return -1;
    trace_make(&trace);
    json_writer_open(&trace.json, NULL, '{');
    json_writer_text(&trace.json, "displayTimeUnit", "ns");
    add_facts(&trace);
    add_events(&trace);
    json_writer_close(&trace.json, '}');
    fputc('\n', out);
    free(trace.awaited);
    timeline_fini(&trace.timeline);
    story_fini(&trace.story);
    return 0;
}
