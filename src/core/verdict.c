#include "core/verdict.h"

#include <string.h>

/* Times that a stall must stand to be confirmed: a board that changes for less long is no livelock yet. */
enum { LIVELOCK_CONFIRMS = 8 };

static const char *const names[VERDICT_COUNT] = {
    "pass",     "stale",  "wrong",        "starved",    "deadlock",    "stalled",
    "livelock", "cut",    "hang",         "crash",      "device-lost", "build-failed",
    "error",    "wedged", "inconclusive", "incomplete", "unsupported", "not-run",
};

const char *verdict_name(enum verdict verdict)
{
    return names[verdict];
}

int verdict_find(const char *name)
{
    for (int i = 0; i < VERDICT_COUNT; ++i)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

bool verdict_is_stall(enum verdict verdict)
{
    return verdict == VERDICT_STARVED || verdict == VERDICT_DEADLOCK || verdict == VERDICT_STALLED;
}

static enum verdict judge_stall(const struct observation *observation)
{
    if (observation->waitfor.never_started != WAITFOR_NOBODY)
        return VERDICT_STARVED;
    if (observation->waitfor.circle_at != WAITFOR_NOBODY)
        return VERDICT_DEADLOCK;
    return VERDICT_STALLED;
}

/* The kernel ended, or was read while it still ran, and its board tells how. */
static enum verdict judge_board(const struct trial *trial, const struct observation *observation)
{
    if (observation->ended_cut > 0)
        return VERDICT_CUT;
    if (observation->waiting > 0) {
        /* On a busy machine a short fuse can blow while groups still arrive: that is no livelock. */
        if (observation->busy_total > 0)
            return observation->duration_ns >= LIVELOCK_CONFIRMS * trial->confirm_ns ? VERDICT_LIVELOCK
                                                                                     : VERDICT_INCONCLUSIVE;
        /* A stall that was not confirmed, or that went away when looked at for longer, is no evidence. */
        return observation->confirmed ? judge_stall(observation) : VERDICT_INCONCLUSIVE;
    }
    /* Nobody waits, and yet the kernel did not end: its result was never there. */
    if (observation->outcome == OUTCOME_KILLED)
        return VERDICT_HANG;
    if (observation->outcome == OUTCOME_LEFT_RUNNING)
        return VERDICT_INCONCLUSIVE;
    /* A launch that was stopped before all groups had started proves nothing about those. */
    if (observation->late > 0)
        return VERDICT_INCONCLUSIVE;
    /* Groups that never ran although the kernel ended: it returned, but it did not do its work. */
    if (observation->started < trial->groups || observation->done < trial->groups)
        return VERDICT_WRONG;
    return observation->witnesses == trial->groups ? VERDICT_PASS : VERDICT_WRONG;
}

enum verdict verdict_judge(const struct trial *trial, const struct observation *observation)
{
    switch (observation->outcome) {
    case OUTCOME_ENDED:
    case OUTCOME_LEFT_RUNNING:
        return judge_board(trial, observation);
    case OUTCOME_KILLED:
        return observation->board_read && observation->confirmed ? judge_board(trial, observation) : VERDICT_HANG;
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
    }
    return VERDICT_INCONCLUSIVE;
}
