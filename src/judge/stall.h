/*
 * The stall judge: for how long a launch must stand until it has stalled. In a launch with a board the groups that are
 * stuck must stand for that (judge/standing.h); in a litmus test, whose threads compute nothing, the judge also follows
 * the samples.
 *
 * How long is enough: on a machine that is busy a group that could run may not get its turn for a while, so the time
 * grows with the longest gap between two changes that was seen. The first stall of a batch must stand max(confirm, 8
 * gaps); later ones, if they stand in the same state, max(suspect, 2 gaps). While fewer groups have arrived than are
 * known to be resident together, the time is 16 times as long. While a thread of a litmus test could go on it is
 * `patience` times as long, or a quarter of that for later stalls in the same state.
 *
 * A launch that changes all the time and gets nowhere churns: nothing moved (judge/standing.h) for 40 times confirm_ns,
 * or, once one of the batch was seen to, for 4 times. A queue at a lock is slow, but begins rounds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The usual patience on a CPU, where a thread may have to wait for a processor. */
enum { STALL_PATIENCE_CPU = 16 };

struct stall_judge {
    /* Kept for all launches of a batch; set by the caller before the first. */
    uint64_t suspect_ns;
    uint64_t confirm_ns;
    bool fixed;                /* confirm_ns is all there is to it: with --live, and to confirm a litmus test's stall */
    uint64_t gap_ns;           /* the longest gap seen so far */
    uint32_t patience;         /* with groups that could go on: on a CPU they may have to wait for a processor */
    bool churned;              /* a launch of the batch did */
    uint32_t proven_groups;    /* groups known to be resident together */
    uint32_t confirmed_groups; /* groups that had arrived at the confirmed stall; 0: no stall is confirmed yet */
    /* Of this launch. */
    uint64_t digest;
    uint64_t changed_ns;
    bool sampled;
    bool suspected;
    bool relapsed; /* something changed after a suspicion */
};

/* Begins a launch: forgets what belongs to the one before. */
void stall_begin(struct stall_judge *judge);

enum stall_advice {
    STALL_WAIT,   /* there is no reason to look closer */
    STALL_LOOK,   /* half of the time is over: a look at the whole board now is one to compare with */
    STALL_DECIDE, /* all of it is over: look again, and call stall_refute or stall_decide */
};

/*
 * Takes a sample at `now_ns` (monotonic): a digest of the board and the groups that have started
 * (0: the launch has not begun to run, which is no stall).
 */
enum stall_advice stall_sample(struct stall_judge *judge, uint64_t now_ns, uint64_t digest, uint32_t started);

/*
 * The closer looks bear it out. True: the launch has stalled. False: a group that is not `blocked`
 * may still go on, and gets `patience` times the time.
 */
bool stall_decide(struct stall_judge *judge, uint64_t now_ns, uint32_t started, bool blocked);

/*
 * The closer look does not bear it out: something did change, or
 * (`changed` false) there is no earlier look to compare with. The time begins anew.
 */
void stall_refute(struct stall_judge *judge, uint64_t now_ns, bool changed);

/* The launch changed at `changed_ns`, lately, and made no progress since `moved_ns`: is that a livelock? */
bool stall_churns(struct stall_judge *judge, uint64_t now_ns, uint64_t changed_ns, uint64_t moved_ns);

/* Time without a change that the judge asks for when `started` groups have started. */
uint64_t stall_needed_ns(const struct stall_judge *judge, uint32_t started);
