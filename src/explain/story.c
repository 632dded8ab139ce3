#include "explain/story.h"

#include "core/text.h"
#include "judge/waitfor.h"
#include "report/repeat.h"
#include "report/wording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The counts are of the end; the board is of the moment when the time limit was reached, if the host could look then.
 */
static bool is_of_the_limit(const struct evidence *evidence)
{
    return evidence->observation.overdue && evidence->device.probe.channel != CHANNEL_NONE;
}

bool story_is_of_bound(const struct evidence *evidence)
{
    return evidence->observation.overdue && evidence->device.probe.channel == CHANNEL_PROOF;
}

const char *story_whom_title(const struct evidence *evidence)
{
    if (story_is_of_bound(evidence))
        return "Who waited for whom when the launch was given up";
    return is_of_the_limit(evidence) ? "Who waited for whom when the time limit was reached" : "Who waits for whom";
}

static void tell_counts(const struct evidence *evidence, struct story *story)
{
    const struct observation *seen = &evidence->observation;

    text_append(story->happened, STORY_TEXT,
                "Groups launched: %" PRIu32 ", of local size %" PRIu32 "; %s%" PRIu32 " started, %" PRIu32
                " ended, and %" PRIu32 " still waited",
                evidence->trial.groups, evidence->trial.footprint.local_size,
                is_of_the_limit(evidence) ? "in the end " : "", seen->started, seen->done, seen->waiting);
    if ((seen->stop & GL_STOP_PROVED) != 0 && seen->churned)
        text_append(story->happened, STORY_TEXT,
                    " when all memory and all work-items had come back to what they were before, each having had "
                    "turns: this is proved");
    else if ((seen->stop & GL_STOP_PROVED) != 0)
        text_append(
            story->happened, STORY_TEXT,
            " when all that could have a turn had come back to states that they were in before: this is proved");
    else if (seen->judged)
        text_append(story->happened, STORY_TEXT, " when the stall was found, after %.0f ms",
                    (double)seen->duration_ns / 1e6);
    else if (seen->churned)
        text_append(story->happened, STORY_TEXT, " after %.0f ms, the last %.0f ms without progress",
                    (double)seen->duration_ns / 1e6, (double)seen->still_ns / 1e6);
    text_append(story->happened, STORY_TEXT, ". ");
}

/* A worker is killed whose kernel makes no access, and so cannot be told to end. */
static void tell_bound(const struct evidence *evidence, char *text)
{
    text_append(text, STORY_TEXT,
                evidence->observation.outcome == OUTCOME_KILLED
                    ? "It made no access of memory for the time limit of a launch: it is in a loop that makes none."
                    : "It neither ended nor came back to an earlier state within its bound of accesses.");
}

static void tell_busy(const struct observation *seen, char *text)
{
    if ((seen->stop & GL_STOP_BUSY) != 0) {
        text_append(text, STORY_TEXT,
                    "When the fuse of a group blew, another group was in no wait, or had what it waited for.");
        return;
    }
    text_append(text, STORY_TEXT, "When the time limit of the launch was reached, group %" PRIu32, seen->busy_at);
    if (seen->busy == 1)
        text_append(text, STORY_TEXT, " was busy outside any wait.");
    else
        text_append(text, STORY_TEXT, " and %" PRIu32 " more were busy outside any wait.", seen->busy - 1);
}

bool story_is_for_anybody(const struct evidence *evidence)
{
    const struct waitfor *waitfor = &evidence->observation.waitfor;
    const bool told = evidence->words != NULL && waitfor->circle_groups > 1;

    return told && board_entry(&evidence->board, waitfor->circle_at, GL_WAIT_GROUP) == GL_GROUP_ANY;
}

/* How the wait-for graph shows the cause. */
static void tell_circle(const struct evidence *evidence, char *text)
{
    const struct waitfor *waitfor = &evidence->observation.waitfor;

    if (story_is_for_anybody(evidence))
        text_append(text, STORY_TEXT,
                    "Group %" PRIu32 " waits for any group that will write the word: all others wait, too, or have "
                    "ended.",
                    waitfor->circle_at);
    else if (waitfor_is_own_id(waitfor))
        text_append(text, STORY_TEXT, "Group %" PRIu32 " says that it waits for itself.", waitfor->circle_at);
    else if (waitfor->circle_groups == 1)
        text_append(text, STORY_TEXT, "Group %" PRIu32 " waits for a lock that it already holds.", waitfor->circle_at);
    else
        text_append(text, STORY_TEXT, "Group %" PRIu32 " waits for itself through %" PRIu32 " other group%s.",
                    waitfor->circle_at, waitfor->circle_groups - 1, waitfor->circle_groups > 2 ? "s" : "");
    if (waitfor->never_started != WAITFOR_NOBODY)
        text_append(text, STORY_TEXT,
                    " Group %" PRIu32
                    " never started, but that is not the reason: starting it would not break the circle.",
                    waitfor->never_started);
}

static void tell_slow(const struct observation *observation, char *text)
{
    if (observation->overdue)
        text_append(text, STORY_TEXT, "Groups were making progress when the time limit was reached.");
    else
        text_append(text, STORY_TEXT, "Groups were making progress when the fuse of %" PRIu32 " of them blew.",
                    observation->ended_total);
}

static void tell_signal(const struct evidence *evidence, char *text)
{
    const uint32_t waiting = evidence->observation.waitfor.signal_at, groups = evidence->trial.groups;
    const bool told = evidence->words != NULL && waiting < groups;
    const uint32_t awaited = told ? board_entry(&evidence->board, waiting, GL_WAIT_GROUP) : GL_GROUP_ANY;

    if (!told)
        text_append(text, STORY_TEXT, "Group %" PRIu32 " waits for a group that has ended, or that there is not.",
                    waiting);
    else if (awaited == GL_GROUP_ANY || awaited < groups)
        text_append(text, STORY_TEXT, "Group %" PRIu32 " waits for a group that has ended.", waiting);
    else
        text_append(text, STORY_TEXT, "Group %" PRIu32 " waits for group %" PRIu32 ", but there are only %" PRIu32 ".",
                    waiting, awaited, groups);
}

uint32_t story_silent(const struct evidence *evidence)
{
    const struct observation *seen = &evidence->observation;
    const struct board *board = &evidence->board;
    const uint32_t left = observation_left(seen);
    uint32_t silent = seen->started - seen->done - (seen->waiting > left ? seen->waiting : left);

    if (seen->outcome != OUTCOME_ENDED || !seen->board_read)
        return 0;
    if (evidence->words == NULL || seen->overdue) /* the board is one of before the end */
        return silent;
    /* The board still shows a wait for a growing word that came true. */
    for (uint32_t group = 0; group < board->groups; ++group)
        silent += board_ready(board, group) && board_entry(board, group, GL_ENDED) == GL_ENDED_NONE;
    return silent;
}

static void tell_silent(const struct evidence *evidence, char *text)
{
    const uint32_t silent = story_silent(evidence);
    const bool most =
        evidence->words == NULL && evidence->observation.waiting > 0; /* some of these may be such as well */

    text_append(text, STORY_TEXT,
                "%s%" PRIu32
                " group%s ended without saying so: either the kernel returned without gl_leave, or the driver "
                "or its compiler left out the end of it.",
                most ? "At least " : "", silent, silent > 1 ? "s" : "");
}

/* How a launch is wrong whose waits all came true. */
static void tell_wrong(const struct evidence *evidence, char *text)
{
    const struct observation *seen = &evidence->observation;
    const struct workload *work = &evidence->trial.work;
    const uint32_t missing = evidence->trial.groups - seen->started - seen->late;

    if (missing > 0)
        text_append(text, STORY_TEXT, "The launch was complete, and %" PRIu32 " group%s never started.", missing,
                    missing > 1 ? "s" : "");
    else if (story_silent(evidence) > 0)
        tell_silent(evidence, text);
    else if (work->checks_counted && seen->checked != work->checks)
        text_append(text, STORY_TEXT, "%" PRIu64 " of %" PRIu64 " checks were made.", seen->checked, work->checks);
    else if (seen->wrong > 0)
        text_append(text, STORY_TEXT, "%" PRIu64 " of %" PRIu64 " checks found a wrong value.", seen->wrong,
                    seen->checked);
    else if (seen->differing > 0)
        text_append(text, STORY_TEXT,
                    "Result %" PRIu32 ", element %" PRIu64 ", is 0x%" PRIx64 " and not 0x%" PRIx64 "; %" PRIu64
                    " differ.",
                    seen->bad_result, seen->bad_at, seen->bad_got, seen->bad_wanted, seen->differing);
    else if (evidence->note[0] != '\0')
        text_append(text, STORY_TEXT, "What failed: %s.", evidence->note);
    else
        text_append(text, STORY_TEXT, "The evidence does not establish any cause.");
}

static void tell_graph(const struct evidence *evidence, struct story *story)
{
    const struct waitfor *waitfor = &evidence->observation.waitfor;
    char *text = story->happened;

    switch (evidence->cause) {
    case CAUSE_OCCUPANCY:
    case CAUSE_NOT_DISPATCHED:
        text_append(text, STORY_TEXT,
                    "A chain of waits leads from group %" PRIu32 " to group %" PRIu32 ", which never started.",
                    waitfor->starved_from, waitfor->never_started);
        break;
    case CAUSE_CIRCULAR_WAIT:
        tell_circle(evidence, text);
        break;
    case CAUSE_WORK_ITEMS:
        text_append(text, STORY_TEXT, "A work-item of group %" PRIu32 " waits for another one of its group.",
                    waitfor->items_at);
        break;
    case CAUSE_LOST_UNLOCK:
        text_append(text, STORY_TEXT, "Group %" PRIu32 " waits for a lock that nobody is left to release.",
                    waitfor->unlock_at);
        break;
    case CAUSE_UNEQUAL_TRIPS:
        text_append(text, STORY_TEXT, "Group %" PRIu32 " ended before a round in which other groups wait for it.",
                    waitfor->uneven_at);
        break;
    case CAUSE_LOST_ARRIVAL:
        text_append(text, STORY_TEXT,
                    "All groups have reached the round in which group %" PRIu32
                    " waits, but the word does not show it.",
                    waitfor->lost_at);
        break;
    case CAUSE_LOST_SIGNAL:
        tell_signal(evidence, text);
        break;
    case CAUSE_NOT_PUBLISHED:
        text_append(text, STORY_TEXT,
                    "For %" PRIu32 " of them, what they wait for is true in memory, but they do not see it.",
                    evidence->observation.ready);
        break;
    case CAUSE_STALE_DATA:
        text_append(text, STORY_TEXT,
                    "%" PRIu64 " of %" PRIu64 " reads across groups returned the value of an earlier round.",
                    evidence->observation.stale, evidence->observation.checked);
        break;
    case CAUSE_LOOP_CUT:
        text_append(text, STORY_TEXT, "In %" PRIu32 " of them a loop ended while it still waited: the driver cut it.",
                    evidence->observation.ended_cut);
        break;
    case CAUSE_LIVELOCK:
        text_append(text, STORY_TEXT,
                    (evidence->observation.stop & GL_STOP_PROVED) != 0
                        ? "Memory changed in between, but nothing comes of it."
                        : "The board kept changing, but no group ended or began a round.");
        break;
    case CAUSE_SLOW:
        tell_slow(&evidence->observation, text);
        break;
    case CAUSE_BUSY:
        tell_busy(&evidence->observation, text);
        if (story_silent(evidence) > 0) {
            text_append(text, STORY_TEXT, " ");
            tell_silent(evidence, text);
        }
        break;
    case CAUSE_NONE:
        tell_wrong(evidence, text);
        break;
    case CAUSE_UNKNOWN:
        if (story_silent(evidence) > 0)
            tell_silent(evidence, text);
        else
            text_append(text, STORY_TEXT, "The evidence does not establish any cause.");
        break;
    case CAUSE_COUNT:
        break;
    }
}

static void tell_happened(const struct evidence *evidence, struct story *story)
{
    if (!evidence->has_launch)
        text_append(story->happened, STORY_TEXT, "The trial began but did not end: its run was interrupted.");
    else if (evidence->verdict == VERDICT_PASS)
        text_append(story->happened, STORY_TEXT,
                    "All %" PRIu32 " groups ended, and %" PRIu32
                    " left a witness: each of their waits ended with the value that it waited for.",
                    evidence->trial.groups, evidence->observation.witnesses);
    else if (!evidence->observation.board_read)
        text_append(story->happened, STORY_TEXT, "%s: %s%s",
                    evidence->verdict == VERDICT_ERROR ? "Nothing was judged"
                    : evidence->verdict == VERDICT_BUILD_FAILED || evidence->verdict == VERDICT_UNSUPPORTED
                        ? "Nothing was launched"
                        : "No board could be read",
                    evidence->note[0] != '\0' ? evidence->note : outcome_name(evidence->observation.outcome), ".");
    else {
        tell_counts(evidence, story);
        if (story_is_of_bound(evidence))
            tell_bound(evidence, story->happened);
        else
            tell_graph(evidence, story);
        if (evidence->words == NULL && evidence->observation.waiting > 0)
            text_append(story->happened, STORY_TEXT,
                        " The file has no board of this launch, so it does not tell who waits for whom. To see that, "
                        "repeat the launch%s%s%s.",
                        evidence->shown_by[0] != '\0' ? ", or explain " : "", evidence->shown_by,
                        evidence->shown_by[0] != '\0' ? ", which came to the same and has a board" : "");
    }
}

void story_tell(const struct evidence *evidence, uint32_t most_classes, struct story *story)
{
    const struct repeated repeated = {
        .run = &evidence->run,
        .scenario = evidence->trial.work.scenario,
        .device = &evidence->device.info,
        .name = evidence->name,
        .trial = &evidence->trial,
        .entry = evidence->entry,
    };

    memset(story, 0, sizeof *story);
    tell_happened(evidence, story);
    if (evidence->has_launch && evidence->verdict != VERDICT_PASS)
        remedy_tell(evidence, story);
    story->repeat = repeat_command(&repeated);
    story->grouped = evidence->words != NULL;
    if (story->grouped)
        grouping_make(&evidence->board, most_classes, &story->grouping);
}

void story_awaited(const struct story *story, uint32_t class, char text[STORY_TEXT])
{
    const struct grouping *grouping = &story->grouping;

    for (uint32_t i = 0; i < grouping->edge_count; ++i) {
        char groups[STORY_TEXT];
        if (grouping->edges[i].from != class)
            continue;
        wording_groups(&grouping->classes[grouping->edges[i].to], groups, sizeof groups);
        text_list(text, STORY_TEXT, "; ", "%s", groups);
    }
}

void story_fini(struct story *story)
{
    grouping_fini(&story->grouping);
    free(story->repeat);
    story->repeat = NULL;
}

void story_json(struct json_writer *json, const struct story *story)
{
    json_writer_text(json, "happened", story->happened);
    json_writer_text(json, "allowed", story->allowed);
    json_writer_open(json, "remedies", '[');
    for (size_t i = 0; i < story->remedy_count; ++i)
        json_writer_text(json, NULL, story->remedies[i]);
    json_writer_close(json, ']');
    json_writer_text(json, "repeat", story->repeat);
}
