#include "report/story.h"

#include "core/waitfor.h"
#include "report/repeat.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- parts of sentences --- */

enum { RANGES_MOST = 4 };

static void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What does not fit is cut. */
static void append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void story_print_groups(const struct group_class *class, char *text, size_t size)
{
    uint32_t i = 0;

    snprintf(text, size, "group%s ", class->count > 1 ? "s" : "");
    for (int ranges = 0; i < class->count && ranges < RANGES_MOST; ++ranges) {
        const uint32_t first = class->groups[i];
        uint32_t last = first;
        while (++i < class->count && class->groups[i] == last + 1)
            ++last;
        append(text, size, "%s%" PRIu32, ranges > 0 ? ", " : "", first);
        if (last > first)
            append(text, size, "-%" PRIu32, last);
    }
    if (i < class->count)
        append(text, size, " and %" PRIu32 " more", class->count - i);
}

void story_print_word(const struct evidence *evidence, uint32_t word, char *text, size_t size)
{
    const uint32_t first = GL_SYNC(evidence->board.groups);

    if (word == GL_ARRIVALS)
        snprintf(text, size, "the count of arrivals");
    else if (word == GL_DISCOVERED || word == GL_LOCK_NOW || word == GL_LOCK_NEXT)
        snprintf(text, size, "the lock of the discovery");
    else if (word >= first)
        snprintf(text, size, "word %" PRIu32 " of the kernel", word - first);
    else
        snprintf(text, size, "word %" PRIu32 " of the board", word);
}

const char *story_awaited_name(uint32_t awaited)
{
    switch (awaited) {
    case GL_GROUP_ALL:
        return "all groups to arrive";
    case GL_GROUP_HOLDER:
        return "the holder of the lock";
    case GL_GROUP_OWNER:
        return "the owner of the lock";
    case GL_GROUP_ANY:
        return "any other group";
    case GL_GROUP_HOST:
        return "the host";
    case GL_GROUP_SELF:
        return "another work-item of the same group";
    default:
        return "nobody";
    }
}

static void append_wait(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    static const char *const until[] = {"reaches", "is", "is no longer"};
    const size_t words = board_words(evidence->board.groups, evidence->board.sync_words);
    char word[STORY_WORD];

    append(text, size, "%s in round %" PRIu32, class->count > 1 ? "wait" : "waits", class->round);
    if (class->locks_held > 0)
        append(text, size, ", holding %" PRIu32 " lock%s", class->locks_held, class->locks_held > 1 ? "s" : "");
    if (class->mixed) {
        append(text, size, ", each for a word of its own");
    } else {
        story_print_word(evidence, class->wait_word, word, sizeof word);
        append(text, size, "%s until %s %s %" PRIu32, class->locks_held > 0 ? "," : "", word,
               class->wait_kind < 3 ? until[class->wait_kind] : "is", class->wait_value);
        if (class->wait_word < words)
            append(text, size, "; it is %" PRIu32, evidence->words[class->wait_word]);
    }
    if (class->wait_group < evidence->board.groups && !class->mixed)
        append(text, size, "; group %" PRIu32 " must write it", class->wait_group);
    else if (class->wait_group >= evidence->board.groups)
        append(text, size, "; for %s", story_awaited_name(class->wait_group));
}

void story_print_class(const struct evidence *evidence, const struct group_class *class, char *text, size_t size)
{
    const char *be = class->count > 1 ? "are" : "is";

    text[0] = '\0';
    switch (class->state) {
    case GROUP_NOT_STARTED:
        snprintf(text, size, "never started");
        break;
    case GROUP_RUNNING:
        snprintf(text, size, "%s running in round %" PRIu32, be, class->round);
        break;
    case GROUP_DONE:
        snprintf(text, size, "%s done, after round %" PRIu32, be, class->round);
        if (class->locks_held > 0)
            append(text, size, ", and still %s %" PRIu32 " lock%s", class->count > 1 ? "hold" : "holds",
                   class->locks_held, class->locks_held > 1 ? "s" : "");
        break;
    case GROUP_READY:
        append_wait(evidence, class, text, size);
        append(text, size, ", and %s not seen it", class->count > 1 ? "have" : "has");
        break;
    case GROUP_WAITING:
        append_wait(evidence, class, text, size);
        break;
    }
}

/* --- what happened --- */

static void tell_counts(const struct evidence *evidence, struct story *story)
{
    const struct observation *seen = &evidence->observation;

    append(story->happened, STORY_TEXT,
           "%" PRIu32 " groups of %" PRIu32 " work-items were launched; %" PRIu32 " started, %" PRIu32
           " ended, %" PRIu32 " still waited",
           evidence->trial.groups, evidence->trial.footprint.local_size, seen->started, seen->done, seen->waiting);
    if (seen->judged)
        append(story->happened, STORY_TEXT, " when nothing had changed for long enough, %.0f ms after the launch",
               (double)seen->duration_ns / 1e6);
    else if (seen->churned)
        append(story->happened, STORY_TEXT, " after %.0f ms, the last %.0f of them without progress",
               (double)seen->duration_ns / 1e6, (double)seen->still_ns / 1e6);
    append(story->happened, STORY_TEXT, ". ");
}

/* How the wait-for graph shows the cause. */
static void tell_graph(const struct evidence *evidence, struct story *story)
{
    const struct waitfor *waitfor = &evidence->observation.waitfor;
    char *text = story->happened;

    switch (evidence->cause) {
    case CAUSE_OCCUPANCY:
    case CAUSE_NOT_DISPATCHED:
        append(text, STORY_TEXT,
               "A chain of waits leads from group %" PRIu32 " to group %" PRIu32 ", which never started.",
               waitfor->starved_from, waitfor->never_started);
        break;
    case CAUSE_CIRCULAR_WAIT:
        append(text, STORY_TEXT, "Group %" PRIu32 " waits, through %" PRIu32 " other group%s, for itself.",
               waitfor->circle_at, waitfor->circle_groups - 1, waitfor->circle_groups > 2 ? "s" : "");
        break;
    case CAUSE_WORK_ITEMS:
        append(text, STORY_TEXT, "A work-item of group %" PRIu32 " waits for another one of the same group.",
               waitfor->items_at);
        break;
    case CAUSE_LOST_UNLOCK:
        append(text, STORY_TEXT, "Group %" PRIu32 " waits for a lock that nobody is left to drop.", waitfor->unlock_at);
        break;
    case CAUSE_UNEQUAL_TRIPS:
        append(text, STORY_TEXT, "Group %" PRIu32 " ended before a round in which others wait for it.",
               waitfor->uneven_at);
        break;
    case CAUSE_LOST_ARRIVAL:
        append(text, STORY_TEXT,
               "All groups have come to the round in which group %" PRIu32 " waits, and the word does not "
               "say so.",
               waitfor->lost_at);
        break;
    case CAUSE_LOST_SIGNAL:
        append(text, STORY_TEXT, "Group %" PRIu32 " waits for a group that has ended.", waitfor->signal_at);
        break;
    case CAUSE_NOT_PUBLISHED:
        append(text, STORY_TEXT,
               "For %" PRIu32 " of them what they wait for is true in memory, and they do not see it.",
               evidence->observation.ready);
        break;
    case CAUSE_STALE_DATA:
        append(text, STORY_TEXT, "%" PRIu64 " of %" PRIu64 " reads across groups gave the value of an earlier round.",
               evidence->observation.stale, evidence->observation.checked);
        break;
    case CAUSE_LOOP_CUT:
        append(text, STORY_TEXT, "In %" PRIu32 " of them a loop ended although it still waited: the driver cut it.",
               evidence->observation.ended_cut);
        break;
    case CAUSE_LIVELOCK:
        append(text, STORY_TEXT, "The board changed all the time, and no group ended or began a round.");
        break;
    case CAUSE_SLOW:
        append(text, STORY_TEXT, "Groups were getting on when the fuse of %" PRIu32 " of them blew.",
               evidence->observation.ended_total);
        break;
    case CAUSE_NONE:
    case CAUSE_UNKNOWN:
        append(text, STORY_TEXT, "What was seen fits no cause that is certain.");
        break;
    }
}

static void tell_happened(const struct evidence *evidence, struct story *story)
{
    if (!evidence->has_launch)
        append(story->happened, STORY_TEXT, "The trial was begun and has not ended: its run was interrupted.");
    else if (evidence->verdict == VERDICT_PASS)
        append(story->happened, STORY_TEXT,
               "All %" PRIu32 " groups ended, and %" PRIu32 " are witnesses: each of their waits ended with what it "
               "waited for.",
               evidence->trial.groups, evidence->observation.witnesses);
    else if (!evidence->observation.board_read)
        append(story->happened, STORY_TEXT, "No board could be read: %s%s",
               evidence->note[0] != '\0' ? evidence->note : outcome_name(evidence->observation.outcome), ".");
    else {
        tell_counts(evidence, story);
        tell_graph(evidence, story);
    }
}

/* --- why, and what would help --- */

static void add_remedy(struct story *story, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_remedy(struct story *story, const char *format, ...)
{
    va_list arguments;
    if (story->remedy_count == STORY_REMEDIES)
        return;
    va_start(arguments, format);
    vsnprintf(story->remedies[story->remedy_count++], STORY_TEXT, format, arguments);
    va_end(arguments);
}

static bool is_barrier(const struct evidence *evidence)
{
    const uint32_t group = evidence->observation.waitfor.starved_from;
    if (evidence->trial.estimator == ESTIMATOR_BARRIER)
        return true;
    return evidence->words != NULL && group < evidence->board.groups &&
           board_entry(&evidence->board, group, GL_WAIT_GROUP) == GL_GROUP_ALL;
}

static void tell_starvation(const struct evidence *evidence, struct story *story)
{
    const struct observation *seen = &evidence->observation;
    const uint32_t inside = seen->started - seen->done;
    const uint32_t fit = evidence->prediction.resident != 0 ? evidence->prediction.resident : inside;

    if (evidence->cause == CAUSE_NOT_DISPATCHED) {
        append(story->allowed, STORY_TEXT,
               "%" PRIu32 " of these groups fit at a time and only %" PRIu32
               " were inside, so places were free. Drivers start groups in an order of their own, in chunks of ids or "
               "once enough places are free, and OpenCL leaves that open.",
               fit, inside);
    } else {
        append(story->allowed, STORY_TEXT,
               "As measured, %" PRIu32 " of these groups are resident at a time, and a place becomes free only when a "
               "group ends: %" PRIu32 " place%s missing. OpenCL promises no more than that each group runs at "
               "some time if the others end.",
               fit, evidence->trial.groups > fit ? evidence->trial.groups - fit : 1,
               evidence->trial.groups > fit + 1 ? "s are" : " is");
        if (is_barrier(evidence))
            add_remedy(story, "Launch at most %" PRIu32 " groups, and give each more to do.", fit);
        else
            add_remedy(story, "Leave at least one of the %" PRIu32 " places to a group that does not wait.", fit);
    }
    if (is_barrier(evidence))
        add_remedy(story,
                   "End the kernel at the barrier and launch another one: that is a barrier for any number of groups.");
    else
        add_remedy(story,
                   "Let groups wait only for such as have started: draw a ticket by an atomic when a group starts, "
                   "use it in place of the id, and wait for lower ones.");
}

static void tell_old_data(const struct evidence *evidence, struct story *story)
{
    const enum dialect best = evidence->device.probe.dialect;
    const enum dialect used = evidence->trial.dialect != DIALECT_NONE ? evidence->trial.dialect : best;

    append(
        story->allowed, STORY_TEXT,
        "Either the wait ended too soon, which is the algorithm's fault on any device. Or it ended when it should, and "
        "nothing orders the data before it: this device need not show them, as fences and atomics of dialect %s are "
        "used here.",
        dialect_name(used));
    add_remedy(story, "Release before the word is written, and acquire after it was read, both at device scope.");
    if (best != DIALECT_NONE && used != best)
        add_remedy(story, "Use dialect %s, which works on this device.", dialect_name(best));
    add_remedy(story,
               "If volatile or atomic data are old as well, the wait itself is wrong: look who may pass it too soon.");
}

static void tell_loop_cut(const struct evidence *evidence, struct story *story)
{
    if (evidence->device.probe.loops_cut_at != 0)
        append(story->allowed, STORY_TEXT, "This driver ends a loop after %" PRIu64 " turns, whatever its condition.",
               evidence->device.probe.loops_cut_at);
    else
        append(story->allowed, STORY_TEXT, "This driver, or its compiler, takes for granted that loops end.");
    add_remedy(story, "Do not wait in loops on this device: what returns has not synchronized.");
}

/* Causes for which the device's own figures do not matter. */
static const struct {
    enum cause cause;
    const char *allowed;
    const char *remedies[2];
} general[] = {
    {CAUSE_CIRCULAR_WAIT,
     "Any device does: none of these groups can go on before another one of them, whatever the scheduler does.",
     {"Take locks in one order everywhere, say by number.", "Or take all or none: try, and give back what one has."}},
    {CAUSE_LIVELOCK,
     "Any device may: each group does what it should, and together they get nowhere as long as they keep in step.",
     {"Take locks in one order everywhere, say by number.", "Or wait for a random time before the next try."}},
    {CAUSE_WORK_ITEMS,
     "Work-items of a group may run one after another, or in lock-step: OpenCL promises progress between them only at "
     "barriers that all of them reach.",
     {"Let one work-item act for its group, between two work-group barriers.",
      "Or keep the critical section inside of the loop that waits."}},
    {CAUSE_LOST_UNLOCK,
     "Any device does: no scheduler drops a lock for a group that has ended.",
     {"Drop the lock on every way out of the critical section.", NULL}},
    {CAUSE_UNEQUAL_TRIPS,
     "Any device does: a barrier counts arrivals, and one of them never comes.",
     {"Let all groups make the same number of rounds: those without work arrive, too.", NULL}},
    {CAUSE_NOT_PUBLISHED,
     "A plain variable may be read once, before the loop, or from a cache that nobody else writes to. The memory has "
     "the "
     "value; this group does not look there.",
     {"Poll by an atomic load at device scope, or through a volatile pointer.", NULL}},
    {CAUSE_LOST_ARRIVAL,
     "Any device may: nobody is missing, but an arrival was not counted, or was wiped out when the word was set back.",
     {"Let the word only grow, by an atomic addition, and compare it with round x groups.",
      "Or see that nobody sets it back before all have seen it."}},
    {CAUSE_LOST_SIGNAL,
     "Any device does: the group that should have written the word is gone.",
     {"See that every way through the kernel writes the flags that others wait for.", NULL}},
    {CAUSE_SLOW,
     "Nothing was wrong but the time: a time limit by itself says nothing about a deadlock.",
     {"Allow more polls: leave the scenario's fuse to gridlock.", NULL}},
    {CAUSE_UNKNOWN,
     "The evidence does not decide it: this is neither a pass nor a stall.",
     {"Run it again, with more --iterations, on a machine that is less busy.", NULL}},
};

static void tell_in_general(const struct evidence *evidence, struct story *story)
{
    for (size_t i = 0; i < sizeof general / sizeof *general; ++i) {
        if (general[i].cause != evidence->cause)
            continue;
        append(story->allowed, STORY_TEXT, "%s", general[i].allowed);
        for (int remedy = 0; remedy < 2 && general[i].remedies[remedy] != NULL; ++remedy)
            add_remedy(story, "%s", general[i].remedies[remedy]);
    }
}

static void tell_reasons(const struct evidence *evidence, struct story *story)
{
    switch (evidence->cause) {
    case CAUSE_OCCUPANCY:
    case CAUSE_NOT_DISPATCHED:
        tell_starvation(evidence, story);
        break;
    case CAUSE_STALE_DATA:
        tell_old_data(evidence, story);
        break;
    case CAUSE_LOOP_CUT:
        tell_loop_cut(evidence, story);
        break;
    default:
        tell_in_general(evidence, story);
        break;
    }
}

int story_tell(const struct evidence *evidence, uint32_t most_classes, struct story *story, struct error *error)
{
    memset(story, 0, sizeof *story);
    tell_happened(evidence, story);
    if (evidence->has_launch && evidence->verdict != VERDICT_PASS)
        tell_reasons(evidence, story);
    story->repeat = repeat_command(evidence);
    if (story->repeat == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for an explanation");
    story->grouped = evidence->words != NULL;
    return story->grouped ? grouping_make(&evidence->board, most_classes, &story->grouping, error) : 0;
}

void story_fini(struct story *story)
{
    grouping_fini(&story->grouping);
    free(story->repeat);
    story->repeat = NULL;
}
