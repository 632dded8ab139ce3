/*
 * The wait-for graph of a board: nodes are work-groups, and an edge leads from a group that waits to
 * each group that could end its wait.
 */
#ifndef GRIDLOCK_CORE_WAITFOR_H
#define GRIDLOCK_CORE_WAITFOR_H

#include "core/board.h"
#include "core/error.h"

#define WAITFOR_NOBODY UINT32_MAX

struct waitfor {
    /* Rule 1: a chain of waits that begins at `starved_from` ends in `never_started`; else WAITFOR_NOBODY. */
    uint32_t starved_from;
    uint32_t never_started;
    /* Rule 2: `circle_at` waits, through a chain of started groups, for itself; else WAITFOR_NOBODY. */
    uint32_t circle_at;
};

/*
 * Applies both rules. A group has never started if it had taken no start ticket when the stop word
 * was set. Returns 0, or -1 with STATUS_HARNESS when memory is short. Time and memory are at most
 * proportional to the edges that must be seen; each group is expanded once.
 */
int waitfor_analyse(const struct board *board, struct waitfor *result, struct error *error);

#endif
