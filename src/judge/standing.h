/*
 * What the host has seen of each group of a running launch, look by look: since when it stands where it is, and
 * whether it turned in its loop meanwhile. From this follows which groups are stuck, whether anybody gets on, and who
 * is busy outside any wait. Pure: the caller reads the board, and gives the time.
 *
 * A group in a wait is marked as stuck if at all looks for long enough it said the same, the word that it waits for
 * was the same, and it turned: its polls moved on. What it waits for is not there, or it is and the group does not
 * see it; a group whose wait has ended, or that computes within its loop, does not turn. Any other group that has
 * started and has not ended may go on. It is busy if it is in no wait, or has what it waits for and has not turned for
 * longer than a processor lets a thread wait.
 */
#pragma once

#include "core/board.h"

/* One group, as of the last look. */
struct standing_group {
    uint64_t told;     /* digest of what its entry says */
    uint64_t since_ns; /* that, and the word that it waits for, are the same since */
    uint32_t word;     /* that it waits for: its value */
    uint32_t polls;    /* at since_ns */
    uint32_t beat;     /* the polls that it showed last ... */
    uint64_t beat_ns;  /* ... and since when */
    uint32_t wait;     /* number of its wait, modulo 2^16 */
    uint32_t nearest;  /* the least distance of a word that only grows from what this wait asks for */
};

struct standing {
    struct standing_group *groups;
    unsigned char *marks; /* enum closure_mark of each group, by standing_close */
    uint32_t count;
    bool looked;
    uint64_t digest;     /* of all that groups say, and of the words that they wait for */
    uint64_t changed_ns; /* when that was first seen */
    uint64_t progress;   /* rounds, steps, groups that started and ended */
    uint64_t moved_ns;   /* when last a group came further, began or ended a wait, or was busy */
    uint64_t gap_ns;     /* the longest time without a change, none of the groups being busy; kept by standing_begin */
    bool busy;           /* at the last look some group was */
    bool again;          /* another launch of the batch has stalled; kept by standing_begin */
    bool untold;         /* the closed set hangs on what a board does not tell; set by standing_close */
};

/* Room for so many groups, or less; keeps gap_ns. */
void standing_begin(struct standing *standing, uint32_t groups);
void standing_fini(struct standing *standing);

/* Takes a look at the whole board, at `now_ns`: time that was watched, so it may run slower than clocks. */
void standing_look(struct standing *standing, const struct board *board, uint64_t now_ns);

/*
 * Marks the groups that at `now_ns` are stuck for `least_ns`, on the board of the last look, and leaves a closed set
 * (judge/closure.h). Where each work-item waits by itself, or one for another of its group, others of it may compute,
 * and a loop of the kernel's own may write words: that takes 2 s, of loops only until one launch has stalled. Returns
 * how many groups are in it.
 */
uint32_t standing_close(struct standing *standing, const struct board *board, uint64_t now_ns, uint64_t least_ns);

/* How many groups are busy on the board of the last look; the first of them in *first. */
uint32_t standing_busy(const struct standing *standing, const struct board *board, uint64_t now_ns, uint32_t *first);

/*
 * In the last half of the time since `moved_ns` each group that waits has turned in its loop, or its word has changed.
 * One that has not may be past its wait and compute: after a wait for a word that grew and was then reset, the board
 * shows it still waiting.
 */
bool standing_turns(const struct standing *standing, const struct board *board, uint64_t now_ns);

/* Some group has come further since the last look. */
bool standing_advanced(const struct standing *standing, const struct board *board);

/*
 * One of the marked groups has gone on since the last look: on this board, of the launch's end, it says something else.
 * Or another group has, and what a marked one waited for has come: it was not cut off from the others.
 */
bool standing_refuted(const struct standing *standing, const struct board *board);
