/*
 * The wait-for graph of a board: nodes are work-groups, and an edge leads from a group that waits to
 * each group that could end its wait.
 */
#pragma once

#include "core/board.h"

#define WAITFOR_NOBODY UINT32_MAX

/* What the graph tells; each member but one is a group, or WAITFOR_NOBODY. */
struct waitfor {
    /* A chain of waits that begins at `starved_from` ends in `never_started`. */
    uint32_t starved_from;
    uint32_t never_started;
    /* `circle_at` waits, through a chain of `circle_groups` started groups (0: no circle), for itself. */
    uint32_t circle_at;
    uint32_t circle_groups;
    uint32_t circle_certain; /* 1: each wait of the circle says whom it waits for; 0: seen by rules before the fourth */
    /* Waits that no group which could still run can end. Groups that only have to look (board_ready) are left aside. */
    uint32_t items_at;  /* it waits for another of its own work-items */
    uint32_t unlock_at; /* it waits for a lock whose holder has ended, or is itself, or that nobody holds */
    uint32_t uneven_at; /* it has ended, and others wait for it in a later round, with none but such missing there */
    uint32_t lost_at;   /* it waits for a round to which all have come, whole, and none of them is stuck elsewhere */
    uint32_t signal_at; /* it waits for itself, or one that has ended or is not there; or for any when all have ended */
};

/* A circle of one group, which waits for its own id and not for a lock. */
static inline bool waitfor_is_own_id(const struct waitfor *waitfor)
{
    return waitfor->circle_groups == 1 && waitfor->signal_at != WAITFOR_NOBODY;
}

/* Initializes a struct waitfor that tells nothing. */
#define WAITFOR_NOTHING                                                                                                \
    {                                                                                                                  \
        .starved_from = WAITFOR_NOBODY, .never_started = WAITFOR_NOBODY, .circle_at = WAITFOR_NOBODY,                  \
        .items_at = WAITFOR_NOBODY, .unlock_at = WAITFOR_NOBODY, .uneven_at = WAITFOR_NOBODY,                          \
        .lost_at = WAITFOR_NOBODY, .signal_at = WAITFOR_NOBODY                                                         \
    }

/*
 * Fills in all of it. `marks` is a closed set of groups (judge/closure.h); NULL: the largest one of those that wait for
 * what is not there. A group has never started if it had taken no start ticket when the stop word was set. A wait for
 * the holder of a lock without a name leads nobody into a circle: the lock may be another one.
 * Time and memory are about proportional to the edges that must be seen.
 */
void waitfor_analyse(const struct board *board, const unsigned char *marks, struct waitfor *result);
