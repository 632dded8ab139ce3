#include "judge/verdict.h"

/* Times that a stall must stand to be confirmed: a board that changes for less long is no livelock yet. */
enum { LIVELOCK_CONFIRMS = 8 };

NAMING_DEFINE_SETS(verdict, enum verdict, VERDICT_COUNT, "verdict",
                   "pass, stale, wrong, starved, deadlock, stalled, livelock, cut, hang", "pass", "stale", "wrong",
                   "starved", "deadlock", "stalled", "livelock", "cut", "hang", "crash", "device-lost", "build-failed",
                   "error", "wedged", "inconclusive", "incomplete", "unsupported", "not-run");

bool verdict_is_failure_of_the_device(enum verdict verdict)
{
    return verdict == VERDICT_HANG || verdict == VERDICT_CRASH || verdict == VERDICT_DEVICE_LOST ||
           verdict == VERDICT_BUILD_FAILED || verdict == VERDICT_ERROR || verdict == VERDICT_WEDGED;
}

verdict_set limit_unexplained(verdict_set verdicts)
{
    return verdicts &
           ~(UINT32_C(1) << VERDICT_PASS | UINT32_C(1) << VERDICT_STARVED | UINT32_C(1) << VERDICT_INCONCLUSIVE);
}

bool verdict_is_in(enum verdict verdict, verdict_set set)
{
    return (set >> verdict & 1) != 0;
}

void verdict_set_print(verdict_set set, char *text, size_t size)
{
    naming_print_set(&verdict_naming, set, " or ", text, size);
}

bool verdict_is_stall(enum verdict verdict)
{
    return verdict == VERDICT_STARVED || verdict == VERDICT_DEADLOCK || verdict == VERDICT_STALLED;
}

/*
 * The kernel ended, so each group had its turn, if only to see the stop word: the driver did not launch all of them. A
 * device that proves where a launch stands may leave them there.
 */
static bool is_incomplete(const struct trial *trial, const struct observation *observation)
{
    return observation->outcome == OUTCOME_ENDED && (observation->stop & GL_STOP_PROVED) == 0 &&
           observation->started + observation->late < trial->groups;
}

/* A circle of groups that wait for each other would stand however many groups had a place. */
static enum verdict judge_stall(const struct trial *trial, const struct observation *observation)
{
    if (observation->waitfor.circle_at != WAITFOR_NOBODY && observation->waitfor.circle_certain)
        return VERDICT_DEADLOCK;
    if (observation->waitfor.never_started != WAITFOR_NOBODY)
        return is_incomplete(trial, observation) ? VERDICT_WRONG : VERDICT_STARVED;
    if (observation->waitfor.circle_at != WAITFOR_NOBODY)
        return VERDICT_DEADLOCK;
    return VERDICT_STALLED;
}

/*
 * The total fuse was spent while the board changed. On a busy machine a short fuse can blow while groups
 * still arrive, and a long queue at a lock may only be slow: a livelock is neither.
 */
static bool is_livelock(const struct trial *trial, const struct observation *observation)
{
    return observation->duration_ns >= LIVELOCK_CONFIRMS * trial->confirm_ns &&
           (trial->kind != TRIAL_WORK || 2 * observation->still_ns >= observation->duration_ns);
}

/* Every wait came true: what was read across groups, and what came of it? */
static enum verdict judge_results(const struct trial *trial, const struct observation *observation)
{
    if (observation->stale > 0)
        return VERDICT_STALE;
    /* A check that was not made is no check that was passed. */
    if (trial->work.checks_counted && observation->checked != trial->work.checks)
        return VERDICT_WRONG;
    if (observation->wrong > 0 || observation->differing > 0)
        return VERDICT_WRONG;
    return VERDICT_PASS;
}

/* The kernel ended, or was read while it still ran, and its board tells how. */
static enum verdict judge_board(const struct trial *trial, const struct observation *observation)
{
    if (observation->ended_cut > 0)
        return VERDICT_CUT;
    /* Its time was up, and nothing shows that more of it would not have helped. */
    if (observation->overdue && !observation->confirmed)
        return observation->outcome == OUTCOME_KILLED ? VERDICT_HANG : VERDICT_INCONCLUSIVE;
    /* Whoever does not say so waits all the same: at a barrier of its group, or in a loop of its own. */
    if ((observation->stop & GL_STOP_PROVED) != 0)
        return observation->churned ? VERDICT_LIVELOCK : judge_stall(trial, observation);
    if (observation->waiting > 0) {
        if (observation->churned)
            return VERDICT_LIVELOCK;
        if (observation->busy_total > 0)
            return is_livelock(trial, observation) ? VERDICT_LIVELOCK : VERDICT_INCONCLUSIVE;
        /* A stall that was not confirmed, or that went away when looked at for longer, is no evidence. */
        return observation->confirmed ? judge_stall(trial, observation) : VERDICT_INCONCLUSIVE;
    }
    /* Nobody waits, and yet the kernel did not end: its result was never there. */
    if (observation->outcome == OUTCOME_KILLED)
        return VERDICT_HANG;
    if (observation->outcome == OUTCOME_LEFT_RUNNING)
        return VERDICT_INCONCLUSIVE;
    /* A launch that was stopped before all groups had started, or had ended, proves nothing about those. */
    if (observation->late > 0 || observation_left(observation) > 0)
        return VERDICT_INCONCLUSIVE;
    /* Groups that never ran although the kernel ended: it returned, but it did not do its work. */
    if (observation->started < trial->groups || observation->done < trial->groups)
        return VERDICT_WRONG;
    if (observation->witnesses < trial->groups)
        return VERDICT_WRONG;
    return trial->kind == TRIAL_WORK ? judge_results(trial, observation) : VERDICT_PASS;
}

enum verdict verdict_judge(const struct trial *trial, const struct observation *observation)
{
    switch (observation->outcome) {
    case OUTCOME_ENDED:
        if (trial_has_board(trial))
            return judge_board(trial, observation);
        if (observation->ended_total > 0)
            return VERDICT_INCONCLUSIVE; /* waits of gridlock.clh gave up: they may have been slow */
        /*
         * A block, promise or proof that came to its end has done what it is for; what it found is not judged here. Nor
         * is what a kernel computed that is tried: it ended, if it was not the driver that ended it.
         */
        return observation->ended_cut > 0 ? VERDICT_CUT : VERDICT_PASS;
    case OUTCOME_LEFT_RUNNING:
        return judge_board(trial, observation);
    case OUTCOME_STOOD:
        return VERDICT_DEADLOCK;
    case OUTCOME_KILLED:
        if (trial->kind == TRIAL_TRY)
            return VERDICT_INCONCLUSIVE; /* it may be slow */
        /* Nobody saw whether the stall still stood after the stop, and one who was in no wait may have ended it. */
        return observation->board_read && observation->confirmed && observation->busy == 0
                   ? judge_board(trial, observation)
                   : VERDICT_HANG;
    case OUTCOME_CRASHED:
        return VERDICT_CRASH;
    case OUTCOME_DEVICE_LOST:
        return VERDICT_DEVICE_LOST;
    case OUTCOME_BUILD_FAILED:
        return VERDICT_BUILD_FAILED;
    case OUTCOME_UNSUPPORTED:
        return VERDICT_UNSUPPORTED;
    case OUTCOME_CL_ERROR:
        return VERDICT_ERROR;
    case OUTCOME_INTERRUPTED:
        return VERDICT_INCOMPLETE;
    case OUTCOME_COUNT:
        break;
    }
    return VERDICT_INCONCLUSIVE;
}
