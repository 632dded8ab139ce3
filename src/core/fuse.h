/*
 * How long the fuses of a launch are. A kernel can only count: the polls of a scenario's kernel, or the looks of a
 * litmus test. Fuses end what nobody else ends; on a GPU a launch must not last for as long as a second (display
 * drivers reset a GPU that does), on a CPU nothing but the watchdog suffers from a long one.
 */
#pragma once

#include "core/device_info.h"

/* What the fuses of a trial's launches follow from. */
struct fuse_terms {
    bool cpu;
    bool watched;          /* the host judges: there is a channel, and loops are not cut */
    uint64_t alone_ps;     /* what a poll costs one group alone; 0: not known */
    uint64_t worst_ps;     /* the slowest poll of a launch of this batch that spun; 0: no launch spun */
    uint64_t loops_cut_at; /* turns after which the driver ends a loop; 0: never */
    uint32_t asked;        /* the scenario's own, or 0 */
    uint64_t suspect_ns;   /* time without a change that is suspicious */
    uint64_t confirm_ns;   /* time that a stall must stand to be confirmed */
    uint64_t limit_ns;     /* after which a launch on a CPU that nobody watches is killed; 0: it is watched, or never */
    unsigned shift;        /* the total fuse turned out to be too short: a power of two by which it is longer */
    uint32_t idle_factor;  /* times longer is the idle fuse, which is to confirm what blew a shorter one; at least 1 */
    uint32_t idle_most;    /* polls of an idle fuse at most: pauses between them may take long; 0: no such bound */
};

enum { FUSE_NONE = UINT32_MAX, FUSE_SHIFT_MOST = 16, FUSE_LONGER = 2 };

/* Polls, in all, after which a group gives up. */
uint32_t fuse_total(const struct fuse_terms *terms);

/* Polls without a change after which it does; FUSE_NONE where the host judges. */
uint32_t fuse_idle(const struct fuse_terms *terms);

/* Polls without an arrival after which a census closes by itself. */
uint32_t fuse_close(const struct fuse_terms *terms, uint64_t close_ns);

/* A launch that took so long may be given a total fuse that is longer by FUSE_LONGER powers of two. */
bool fuse_may_grow(const struct fuse_terms *terms, uint64_t lasted_ns);

/* A launch that takes so many times as long as one did is over well before it would be killed. */
bool fuse_has_time(const struct fuse_terms *terms, uint64_t lasted_ns, uint64_t times);

/* --- litmus tests --- */

/* What the fuses of litmus tests follow from. */
struct fuse_looks {
    bool cpu;
    uint64_t loops_cut_at; /* as above; a look comes every GL_LOOK_STEPS instructions */
    uint64_t look_ns;      /* the most that a look was seen to cost; 0: not known */
};

enum { FUSE_LOOKS_IDLE_MOST = 1 << 28 };

/* The fuse of so many looks, if no more than that are possible. */
uint32_t fuse_looks_at_most(const struct fuse_looks *terms, uint64_t looks);

/* The total fuse that goes with an idle one. */
uint32_t fuse_looks_total(const struct fuse_looks *terms, uint32_t idle);

/* The total fuse below a host that judges; a poll takes `poll_ps`. */
uint32_t fuse_looks_net(const struct fuse_looks *terms, uint64_t poll_ps);

/* A first guess at an idle fuse that stands for `stand_ns`, from what a launch with a short one took. */
uint32_t fuse_looks_guess(uint32_t idle, uint64_t took_ns, uint64_t stand_ns);

/*
 * A launch with a fuse of so many looks stood for another time, not 0: the fuse with which it should stand long enough.
 */
uint32_t fuse_looks_lengthen(uint32_t looks, uint64_t took_ns, uint64_t stand_ns);

/*
 * Returns whether an idle fuse that blew after `blown` polls is shorter than waits of the same kernel that end: the
 * longest one took `longest` polls. How many polls fit into a time varies with what else runs, so half is enough.
 */
bool fuse_was_short(uint32_t blown, uint32_t longest);
