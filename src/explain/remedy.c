#include "explain/story.h"

#include "report/given.h"
#include "report/wording.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void story_add_remedy(struct story *story, const char *format, ...)
{
    va_list arguments;
    if (story->remedy_count == STORY_REMEDIES)
        return;
    va_start(arguments, format);
    vsnprintf(story->remedies[story->remedy_count++], STORY_TEXT, format, arguments);
    va_end(arguments);
}

/* What the starved group waits for, and so what would help it; without the board nobody knows. */
enum waits { WAITS_AT_BARRIER, WAITS_FOR_SOME, WAITS_UNKNOWN };

static enum waits waits_of(const struct evidence *evidence)
{
    const uint32_t group = evidence->observation.waitfor.starved_from;

    if (evidence->trial.kind == TRIAL_BARRIER)
        return WAITS_AT_BARRIER;
    if (evidence->words == NULL || group >= evidence->board.groups)
        return WAITS_UNKNOWN;
    return board_entry(&evidence->board, group, GL_WAIT_GROUP) == GL_GROUP_ALL ? WAITS_AT_BARRIER : WAITS_FOR_SOME;
}

/* It is our barrier in a kernel of the user's. */
static bool is_in_front(const struct evidence *evidence)
{
    return evidence->trial.kind == TRIAL_BARRIER && evidence->trial.footprint.subject.file[0] != '\0';
}

static void tell_starvation(const struct evidence *evidence, struct story *story)
{
    const struct observation *seen = &evidence->observation;
    const uint32_t inside = seen->started - seen->done, left_over = evidence->trial.groups - seen->started;
    const uint32_t item = story_item_at_barrier(evidence);
    const uint32_t fit = evidence->prediction.resident != 0 ? evidence->prediction.resident : inside;
    const uint32_t held = evidence->trial.work.numbers.held, ours = fit > held ? fit - held : 0;
    const enum waits waits = waits_of(evidence);
    char others[64] = "";

    if (held > 0)
        snprintf(others, sizeof others, ", the second queue holds %" PRIu32 " place%s", held, held > 1 ? "s" : "");
    if (evidence->cause == CAUSE_NOT_DISPATCHED) {
        text_append(story->allowed, STORY_TEXT,
                    "The device can hold %" PRIu32 " of these groups at a time and held only %" PRIu32
                    ", so places were free. Drivers start groups in their own order, in chunks of ids or once enough "
                    "places are free, and OpenCL allows that.",
                    fit, inside);
    } else {
        text_append(
            story->allowed, STORY_TEXT,
            "As measured, at most %" PRIu32
            " of these groups can be resident at a time%s, and a place becomes free only when a group ends: %" PRIu32
            " place%s missing. OpenCL only promises that each group runs at some time if the others end.",
            fit, others, left_over, left_over == 1 ? " is" : "s are");
        if (is_in_front(evidence))
            story_add_remedy(story,
                             "Launch at most %" PRIu32
                             " groups of this kernel if all of them wait for each other: so many fit. Whether they may "
                             "wait is another question, which a scenario asks.",
                             fit);
        else if (ours == 0)
            story_add_remedy(story, "Launch it when the second queue holds no place.");
        else if (waits == WAITS_AT_BARRIER && item != WAITFOR_NOBODY)
            story_add_remedy(story,
                             "Let one work-item arrive and wait for its group, between two work-group barriers, and "
                             "reduce the number of groups to %" PRIu32 ".",
                             ours);
        else if (waits == WAITS_AT_BARRIER)
            story_add_remedy(story, "Reduce the number of groups to %" PRIu32 ", and give each group more work.", ours);
        else if (waits == WAITS_FOR_SOME)
            story_add_remedy(story, "Leave at least one place of %" PRIu32 " to groups that do not wait.", ours);
    }
    if (item != WAITFOR_NOBODY)
        text_append(story->allowed, STORY_TEXT,
                    " It is one work-item of a group that waits: others of the group may not have arrived either, and "
                    "then fewer groups alone do not help.");
    if (is_in_front(evidence))
        text_append(story->allowed, STORY_TEXT,
                    " The barrier is one of gridlock's, in front of the kernel, which did not run: this is no fault of "
                    "the kernel.");
    else if (waits == WAITS_AT_BARRIER)
        story_add_remedy(story,
                         "End the kernel at the barrier and launch another one: this works for any number of groups.");
    else if (waits == WAITS_FOR_SOME)
        story_add_remedy(story,
                         "Let groups wait only for groups that have started: draw a ticket with an atomic when a "
                         "group starts, use it instead of the group id, and wait only for lower tickets.");
}

/* --- what may be the driver's fault --- */

/* Its kernel was made wrong on purpose. */
static bool is_seeded(const struct evidence *evidence)
{
    const char *fault = strstr(evidence->trial.work.options, "-DFAULT_");
    return fault != NULL && strncmp(fault, "-DFAULT_NONE", strlen("-DFAULT_NONE")) != 0;
}

static bool is_own(const struct evidence *evidence)
{
    return given_scenario(&evidence->run, evidence->trial.work.scenario) != NULL ||
           given_value(&evidence->run, "kernel-dir") != NULL;
}

/* The algorithm explains it, and so does a driver that does not do what the kernel says. */
static void tell_lost_write(const struct evidence *evidence, struct story *story)
{
    if (!evidence->surprise || is_seeded(evidence))
        return;
    text_append(story->allowed, STORY_TEXT,
                " A driver or a compiler that loses a write, or the end of a kernel, looks the same.");
    if (!is_own(evidence))
        text_append(story->allowed, STORY_TEXT, " The kernel is one of gridlock's, so suspect the driver first.");
}

static void add_leave(const struct evidence *evidence, struct story *story)
{
    if (story_silent(evidence) > 0 && is_own(evidence))
        story_add_remedy(
            story, "Call gl_leave on every way out of the kernel, unless gl_proceed has told the group to return.");
}

/* All groups ended, or seem to have, and what came of it is wrong. */
static void tell_wrong(const struct evidence *evidence, struct story *story)
{
    const struct observation *seen = &evidence->observation;

    if (is_seeded(evidence)) {
        text_append(story->allowed, STORY_TEXT, "The kernel was made wrong on purpose, by its option `fault`.");
        return;
    }
    text_append(
        story->allowed, STORY_TEXT, "%s",
        seen->started + seen->late < evidence->trial.groups
            ? "Either a group returned before gl_enter, or the driver did not run all groups of a launch that it "
              "called complete."
        : evidence->trial.groups > 1
            ? "Either the kernel is wrong, or the driver or its compiler is. What the kernel does wrong may show "
              "only in some orders of its groups."
            : "Either the kernel is wrong, or the driver or its compiler is: there was no other group that could "
              "have come in between.");
    tell_lost_write(evidence, story);
    add_leave(evidence, story);
    story_add_remedy(
        story, "Run it with another driver: a kernel that is right passes with each that keeps OpenCL's promises.");
}

/* Of these, too, a write that was lost may be the reason: of the lock, of an arrival, of a signal. */
static bool may_be_lost(enum cause cause)
{
    return cause == CAUSE_LOST_UNLOCK || cause == CAUSE_UNEQUAL_TRIPS || cause == CAUSE_LOST_ARRIVAL ||
           cause == CAUSE_LOST_SIGNAL;
}

static void tell_old_data(const struct evidence *evidence, struct story *story)
{
    const enum dialect best = evidence->device.probe.dialect;
    const enum dialect used = evidence->trial.dialect != DIALECT_NONE ? evidence->trial.dialect : best;

    text_append(story->allowed, STORY_TEXT,
                "Either the wait ended too early, which is an error of the algorithm on any device, or it ended "
                "correctly but nothing orders the data before it: with the fences and atomics of dialect %s used here, "
                "this device need not show the new data.",
                dialect_name(used));
    tell_lost_write(evidence, story);
    story_add_remedy(story, "Release before the word is written and acquire after it is read, both at device scope.");
    if (best != DIALECT_NONE && used != best)
        story_add_remedy(story, "Use dialect %s, which works on this device.", dialect_name(best));
    story_add_remedy(
        story,
        "If volatile or atomic data are stale as well, the wait itself is wrong: find out who may pass it too early.");
}

static void tell_loop_cut(const struct evidence *evidence, struct story *story)
{
    if (evidence->device.probe.loops_cut_at != 0)
        text_append(story->allowed, STORY_TEXT,
                    "This driver ends a loop after %" PRIu64 " iterations, whatever its condition.",
                    evidence->device.probe.loops_cut_at);
    else
        text_append(story->allowed, STORY_TEXT, "This driver or its compiler assumes that loops end.");
    story_add_remedy(story, "Do not wait in loops on this device: a kernel that returns has not synchronized.");
}

/* Where loops are cut, nothing certain can be seen of a launch that did not end by itself. */
static void tell_undecided(const struct evidence *evidence, struct story *story)
{
    tell_loop_cut(evidence, story);
    text_append(story->allowed, STORY_TEXT,
                " gridlock gives its loops fewer iterations than that, so it cannot tell whether a wait that was left "
                "would have ended.");
}

static bool is_for_the_host(const struct evidence *evidence)
{
    const struct board *board = &evidence->board;
    bool found = false;

    for (uint32_t group = 0; evidence->words != NULL && group < board->groups && !found; ++group)
        found = board_waiting(board, group) && !board_ready(board, group) &&
                board_entry(board, group, GL_WAIT_GROUP) == GL_GROUP_HOST;
    return found;
}

static void tell_host(struct story *story)
{
    text_append(story->allowed, STORY_TEXT,
                "A group waits for the host, which may always go on, so this is neither a pass nor a stall. gridlock's "
                "own host writes to no word of the kernel's.");
    story_add_remedy(story, "Let another group write the word in the place of the host.");
}

/* Causes for which the device's own figures do not matter. */
static const struct {
    enum cause cause;
    const char *allowed;
    const char *remedies[2];
} general[] = {
    {CAUSE_LIVELOCK,
     "This may happen on any device: each group acts as programmed, but together they make no progress while they stay "
     "in step.",
     {"Take locks in the same order everywhere, for example by number.",
      "Or wait for a random time before the next try."}},
    {CAUSE_WORK_ITEMS,
     "Work-items of a group may run one after another or in lockstep: OpenCL promises progress between them only at "
     "barriers that all of them reach.",
     {"Let one work-item act for its group between two work-group barriers.",
      "Or keep the critical section inside the waiting loop."}},
    {CAUSE_LOST_UNLOCK,
     "This happens on any device: no scheduler releases a lock for a group that has ended.",
     {"Release the lock on every way out of the critical section.", NULL}},
    {CAUSE_UNEQUAL_TRIPS,
     "This happens on any device: a barrier counts arrivals, and one of them never comes.",
     {"Let all groups run the same number of rounds: groups without work must arrive, too.", NULL}},
    {CAUSE_NOT_PUBLISHED,
     "A plain variable may be read once before the loop, or from a cache that nobody else writes to. The memory has "
     "the value, but this group does not look there.",
     {"Poll with an atomic load at device scope, or through a volatile pointer.",
      "Or, if the loop waits for more than one word's value: scenarios/README.md says how to write it."}},
    {CAUSE_LOST_ARRIVAL,
     "This may happen on any device: no group is missing, but an arrival was not counted, or was lost when the word "
     "was reset.",
     {"Let the word only grow, with an atomic addition, and compare it with round x groups.",
      "Or make sure that nobody resets it before all have seen it."}},
    {CAUSE_LOST_SIGNAL,
     "This happens on any device: no group is left that would write the word.",
     {"Make sure that every path through the kernel writes the flags that others wait for.", NULL}},
    {CAUSE_BUSY,
     "A group outside any wait may compute for as long as it likes, try again and again (gl_try_until), or spin in a "
     "loop of its own forever: from outside, these look alike.",
     {"Give it more time with --timeout or, where the host cannot watch a launch, with \"fuse\" in the scenario.",
      "A loop that waits, and does not give up, is better written with gl_wait, which says whom the group waits for."}},
    {CAUSE_UNKNOWN,
     "The evidence is not enough to decide: this is neither a pass nor a stall.",
     {"Run it again with more --iterations, on a less busy machine.", NULL}},
};

static void tell_in_general(const struct evidence *evidence, struct story *story)
{
    for (size_t i = 0; i < sizeof general / sizeof *general; ++i) {
        if (general[i].cause != evidence->cause)
            continue;
        text_append(story->allowed, STORY_TEXT, "%s", general[i].allowed);
        if (may_be_lost(evidence->cause))
            tell_lost_write(evidence, story);
        for (int remedy = 0; remedy < 2 && general[i].remedies[remedy] != NULL; ++remedy)
            story_add_remedy(story, "%s", general[i].remedies[remedy]);
    }
}

/* What ended the launch is what can be made longer. */
static void tell_slow(const struct evidence *evidence, struct story *story)
{
    text_append(story->allowed, STORY_TEXT, "Only the time ran out: a time limit alone says nothing about a deadlock.");
    if (evidence->observation.overdue)
        story_add_remedy(story, "Give it more time with --timeout.");
    else if (evidence->trial.work.numbers.fuse != 0)
        story_add_remedy(story,
                         "Leave the scenario's \"fuse\" of %" PRIu32 " polls to gridlock, which chooses a longer one.",
                         evidence->trial.work.numbers.fuse);
    else
        story_add_remedy(story,
                         "Run it again, on a less busy machine: gridlock chose the fuse, by how long a poll takes.");
}

static void tell_bound(const struct evidence *evidence, struct story *story)
{
    const bool silent = evidence->observation.outcome == OUTCOME_KILLED;

    text_append(story->allowed, STORY_TEXT,
                "A model device goes on with a launch until that ends or is proved never to end. This one had to be "
                "given up, which says nothing about a stall.");
    story_add_remedy(story, silent ? "Let the loop read what it waits for: by an atomic load, or a volatile pointer."
                                   : "Give it less to do: fewer groups, work-items or rounds.");
    if (!silent)
        story_add_remedy(story,
                         "Or let a loop that waits count nothing in memory: it never comes back to what it was.");
}

/* Each group that waits does so for a lock, so that a circle of them is one of locks. */
static bool is_of_locks(const struct evidence *evidence)
{
    const struct board *board = &evidence->board;

    for (uint32_t group = 0; evidence->words != NULL && group < board->groups; ++group) {
        const uint32_t awaited = board_entry(board, group, GL_WAIT_GROUP);
        if (board_waiting(board, group) && awaited != GL_GROUP_OWNER && awaited != GL_GROUP_HOLDER)
            return false;
    }
    return evidence->words != NULL;
}

static void tell_circle_of_groups(const struct evidence *evidence, struct story *story)
{
    text_append(story->allowed, STORY_TEXT,
                "This happens on any device: none of these groups can continue before another of them, whatever the "
                "scheduler does.");
    if (is_of_locks(evidence)) {
        story_add_remedy(story, "Take locks in the same order everywhere, for example by number.");
        story_add_remedy(story, "Or take all locks or none: if one is not free, release those already taken.");
    } else
        story_add_remedy(story, "Let one of these groups, before it waits, write the word or give back the lock that "
                                "another one waits for.");
}

static void tell_circle(const struct evidence *evidence, struct story *story)
{
    if (story_is_for_anybody(evidence)) {
        text_append(story->allowed, STORY_TEXT, "This happens on any device: nobody is left that could go on.");
        story_add_remedy(story, "Find out which group was to write the word, and why it ended, or waits, before that.");
        story_add_remedy(story, "If the word is a lock, name it (gl_takes, gl_wait_lock): then its holder is known.");
        return;
    }
    if (evidence->observation.waitfor.circle_groups != 1) {
        tell_circle_of_groups(evidence, story);
        return;
    }
    if (waitfor_is_own_id(&evidence->observation.waitfor)) {
        text_append(story->allowed, STORY_TEXT,
                    "This happens on any device: while the group waits, it cannot write the word.");
        story_add_remedy(story, "Write the word before the wait, or say which other group writes it.");
        return;
    }
    text_append(story->allowed, STORY_TEXT,
                "This happens on any device: nobody but the group itself can drop the lock, and it waits.");
    story_add_remedy(story, "Take no lock that the group already holds, or count how often it was taken.");
}

/* Nothing else is known of the launch than that groups ended without saying so. */
static bool is_silent(const struct evidence *evidence)
{
    const enum cause cause = evidence->cause;
    return (cause == CAUSE_UNKNOWN || cause == CAUSE_BUSY) && story_silent(evidence) > 0;
}

void remedy_tell(const struct evidence *evidence, struct story *story)
{
    static void (*const tell[CAUSE_COUNT])(const struct evidence *evidence, struct story *story) = {
        [CAUSE_OCCUPANCY] = tell_starvation, [CAUSE_NOT_DISPATCHED] = tell_starvation,
        [CAUSE_CIRCULAR_WAIT] = tell_circle, [CAUSE_STALE_DATA] = tell_old_data,
        [CAUSE_LOOP_CUT] = tell_loop_cut,    [CAUSE_SLOW] = tell_slow,
    };

    if (remedy_tell_unmeasured(evidence, story))
        return;
    if (evidence->verdict == VERDICT_WRONG)
        tell_wrong(evidence, story);
    else if (story_is_of_bound(evidence))
        tell_bound(evidence, story);
    else if (is_silent(evidence))
        add_leave(evidence, story);
    else if (evidence->cause == CAUSE_UNKNOWN && verdict_is_stall(evidence->verdict))
        remedy_tell_unnamed(evidence, story);
    else if (evidence->cause == CAUSE_UNKNOWN && is_for_the_host(evidence))
        tell_host(story);
    else if (evidence->cause == CAUSE_UNKNOWN && evidence->device.probe.loops_cut_at != 0)
        tell_undecided(evidence, story);
    else if (tell[evidence->cause] != NULL)
        tell[evidence->cause](evidence, story);
    else
        tell_in_general(evidence, story);
}
