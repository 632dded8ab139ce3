#include "explain/remedy.h"

#include "report/wording.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

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
    if (evidence->trial.act == ACT_BARRIER)
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
        text_append(
            story->allowed, STORY_TEXT,
            "%" PRIu32 " of these groups fit at a time and only %" PRIu32
            " were inside, so places were free. Drivers start groups in an order of their own, in chunks of ids or "
            "once enough places are free, and OpenCL leaves that open.",
            fit, inside);
    } else {
        text_append(story->allowed, STORY_TEXT,
                    "As measured, %" PRIu32
                    " of these groups are resident at a time, and a place becomes free only when a "
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

    text_append(
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
        text_append(story->allowed, STORY_TEXT,
                    "This driver ends a loop after %" PRIu64 " turns, whatever its condition.",
                    evidence->device.probe.loops_cut_at);
    else
        text_append(story->allowed, STORY_TEXT, "This driver, or its compiler, takes for granted that loops end.");
    add_remedy(story, "Do not wait in loops on this device: what returns has not synchronized.");
}

/* Where loops are cut, nothing certain can be seen of a launch that did not end by itself. */
static void tell_undecided(const struct evidence *evidence, struct story *story)
{
    tell_loop_cut(evidence, story);
    text_append(story->allowed, STORY_TEXT,
                " gridlock gives its loops fewer turns than that, and cannot see whether a wait that they leave would "
                "have ended.");
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
     "the value; this group does not look there.",
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
    {CAUSE_BUSY,
     "A group that is in no wait may compute for as long as it likes, or turn in a loop of its own for ever: from "
     "outside the two look alike.",
     {"Give it more time, by --timeout.",
      "Wait by gl_wait, which says whom the group waits for, and not in a loop of your own."}},
    {CAUSE_UNKNOWN,
     "The evidence does not decide it: this is neither a pass nor a stall.",
     {"Run it again, with more --iterations, on a machine that is less busy.", NULL}},
};

static void tell_in_general(const struct evidence *evidence, struct story *story)
{
    for (size_t i = 0; i < sizeof general / sizeof *general; ++i) {
        if (general[i].cause != evidence->cause)
            continue;
        text_append(story->allowed, STORY_TEXT, "%s", general[i].allowed);
        for (int remedy = 0; remedy < 2 && general[i].remedies[remedy] != NULL; ++remedy)
            add_remedy(story, "%s", general[i].remedies[remedy]);
    }
}

void remedy_tell(const struct evidence *evidence, struct story *story)
{
    if (evidence->cause == CAUSE_UNKNOWN && evidence->device.probe.loops_cut_at != 0) {
        tell_undecided(evidence, story);
        return;
    }
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
