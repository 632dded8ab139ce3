#include "judge/cause.h"

NAMING_DEFINE_SETS(cause, enum cause, CAUSE_COUNT, "cause",
                   "occupancy, circular-wait, livelock, lost-unlock, not-published, work-items", "none", "loop-cut",
                   "livelock", "not-published", "occupancy", "not-dispatched", "circular-wait", "work-items",
                   "lost-unlock", "unequal-trips", "lost-arrival", "lost-signal", "stale-data", "slow", "busy",
                   "unknown");
NAMING_DEFINE(known_as, enum known_as, KNOWN_AS_COUNT, "", "failure", "flake");

static const char *const titles[] = {
    "none",
    "loop cut by the driver",
    "livelock",
    "not published",
    "starvation by occupancy",
    "starvation despite free places",
    "circular wait",
    "work-items of one group blocking each other",
    "lost unlock",
    "unequal trip counts",
    "lost arrival",
    "lost signal",
    "stale data after a wait",
    "slow but progressing",
    "busy outside any wait",
    "unknown",
};
_Static_assert(sizeof titles / sizeof *titles == CAUSE_COUNT, "each has a title");

const char *cause_title(enum cause cause)
{
    return titles[cause];
}

/*
 * A stall that was confirmed: on its board each started group is done or waits, and it stood so.
 * - A group that has what it waits for, and had many times the longest gap to look, does not see it. This comes first:
 *   a group that goes on waiting keeps its place, so others may starve for it.
 * - Starvation: as many groups are inside as are known to fit, or else there was room for the one that never started.
 * - What a group waits for by itself is a circle of one: another of its work-items, or a lock that it holds already.
 * - Else the one who could end a wait has ended: without dropping its lock, before the round, or without its signal. Or
 *   nobody is missing, and an arrival was not counted.
 */
static enum cause judge_stall(const struct trial *trial, const struct observation *observation, enum verdict verdict)
{
    const struct waitfor *waitfor = &observation->waitfor;

    if (observation->ready > 0)
        return CAUSE_NOT_PUBLISHED;
    if (verdict == VERDICT_STARVED)
        return observation->started - observation->done < trial->proven_groups ? CAUSE_NOT_DISPATCHED : CAUSE_OCCUPANCY;
    if (waitfor->circle_groups > 1)
        return CAUSE_CIRCULAR_WAIT;
    if (waitfor->items_at != WAITFOR_NOBODY)
        return CAUSE_WORK_ITEMS;
    if (verdict == VERDICT_DEADLOCK)
        return CAUSE_CIRCULAR_WAIT;
    if (waitfor->unlock_at != WAITFOR_NOBODY)
        return CAUSE_LOST_UNLOCK;
    if (waitfor->uneven_at != WAITFOR_NOBODY)
        return CAUSE_UNEQUAL_TRIPS;
    if (waitfor->lost_at != WAITFOR_NOBODY)
        return CAUSE_LOST_ARRIVAL;
    if (waitfor->signal_at != WAITFOR_NOBODY)
        return CAUSE_LOST_SIGNAL;
    return CAUSE_UNKNOWN;
}

/* A fuse blew, or the launch was suspected, and yet a group ended or began a round in its last half. */
static bool is_slow(const struct observation *observation)
{
    const bool moved = observation->still_ns != 0 && 2 * observation->still_ns < observation->duration_ns;
    return moved && (observation->relapsed || observation->ended_total > 0 || observation->overdue);
}

static enum cause judge_undecided(const struct observation *observation)
{
    if ((observation->overdue && observation->busy > 0) || (observation->stop & GL_STOP_BUSY) != 0)
        return CAUSE_BUSY;
    return observation->board_read && is_slow(observation) ? CAUSE_SLOW : CAUSE_UNKNOWN;
}

enum cause cause_judge(const struct trial *trial, const struct observation *observation)
{
    const enum verdict verdict = verdict_judge(trial, observation);

    switch (verdict) {
    case VERDICT_CUT:
        return CAUSE_LOOP_CUT;
    case VERDICT_LIVELOCK:
        return CAUSE_LIVELOCK;
    case VERDICT_STALE:
        return CAUSE_STALE_DATA;
    case VERDICT_STARVED:
    case VERDICT_DEADLOCK:
    case VERDICT_STALLED:
        return judge_stall(trial, observation, verdict);
    case VERDICT_INCONCLUSIVE:
        return judge_undecided(observation);
    default:
        return CAUSE_NONE;
    }
}

bool cause_is_surprise(enum cause cause, cause_set expected, bool loops_cut)
{
    const bool cut_as_known = loops_cut && (cause == CAUSE_LOOP_CUT || cause == CAUSE_SLOW || cause == CAUSE_UNKNOWN);

    return expected != 0 && cause != CAUSE_NONE && (expected >> cause & 1) == 0 && !cut_as_known;
}

static bool is_foreseen(const struct expected *expected, enum verdict verdict)
{
    if (expected->verdicts != 0)
        return verdict_is_in(verdict, expected->verdicts);
    if (expected->allowed != 0)
        return verdict == VERDICT_INCONCLUSIVE || verdict_is_in(verdict, expected->allowed);
    return !verdict_is_failure_of_the_device(verdict);
}

bool verdict_is_surprise(const struct expected *expected, enum verdict verdict, bool loops_cut)
{
    const bool cut_as_known = loops_cut && (verdict == VERDICT_CUT || verdict == VERDICT_INCONCLUSIVE);

    return verdict != VERDICT_UNSUPPORTED && verdict != VERDICT_INCOMPLETE && !is_foreseen(expected, verdict) &&
           !verdict_is_in(verdict, expected->tolerated) && !cut_as_known;
}

bool expected_is_surprise(const struct expected *expected, enum verdict verdict, enum cause cause, bool loops_cut)
{
    if (verdict_is_surprise(expected, verdict, loops_cut))
        return true;
    return !verdict_is_in(verdict, expected->tolerated) && cause_is_surprise(cause, expected->causes, loops_cut);
}
