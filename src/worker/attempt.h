/*
 * An attempt at a launch of a trial: its passes, with fuses that fit the device and the kernel, beside the groups of a
 * second queue if the trial has such; and whether its fuses were too short.
 */
#pragma once

#include "worker/data.h"
#include "worker/launch.h"

#include <stdbool.h>

/* What the attempts of a trial share. */
struct attempt {
    struct session *session;
    const struct trial *trial;
    struct launch_plan plan; /* of the next one; its fuses are set here */
    struct stall_judge judge;
    struct data data;
    uint64_t worst_poll_ps; /* the slowest poll seen in a launch that spun */
    unsigned fuse_shift;    /* by which the total fuse turned out to be too short for this kernel: a power of two */
    unsigned idle_shift;    /* the same of the idle fuse, without a channel */
    uint32_t idle_most;     /* polls of that fuse, as far as it is known to take no time; 0: any */
    uint64_t first_ns;      /* how long the launch took that blew the shortest; 0: none did */
    bool ran;               /* a launch has ended, so this device can run it */
};

/*
 * Launches with an idle fuse that is so many times as long as usual. Without a channel that is found out: a wait of a
 * scenario may pause between two polls, and a fuse that counts the polls of one without pauses would outlast the time
 * limit. It begins short, and launches that blew it at once are made again. Returns -1 only if the worker itself
 * failed.
 */
int attempt_launch(struct attempt *attempt, uint32_t idle_factor, struct observation *observation, struct error *error);

/* Nobody sees what a launch does before its end, and nothing but a fuse ends its loops. */
bool attempt_is_unwatched(const struct session *session);

/* An idle fuse ended the launch. */
bool attempt_blew_idle(const struct observation *observation);

/* The host ended the launch: it stalled, or changed without progress. */
bool attempt_is_judged(const struct observation *observation);

/*
 * The total fuse blew before the stall judge could decide, after so short a time that four times as long is safe, too:
 * a loop that turns without reading memory, say, turns many times in the time of a poll.
 */
bool attempt_blew_early(const struct attempt *attempt, const struct observation *observation);

/* One that takes so many times as long would be over before the supervisor ends it. */
bool attempt_has_time(const struct attempt *attempt, const struct observation *observation, uint64_t times);

/* That, or an idle fuse blew while another group could have gone on. */
bool attempt_blew_too_soon(const struct attempt *attempt, const struct observation *observation);

/* Makes the fuse longer that blew too soon. */
void attempt_lengthen(struct attempt *attempt, const struct observation *observation);
