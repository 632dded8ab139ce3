/*
 * Watches a running launch: samples its board, lets the judge decide, and ends it by the stop word when it is decided.
 */
#pragma once

#include "base/turns.h"
#include "device/enqueuer.h"
#include "device/session.h"
#include "judge/observation.h"
#include "judge/stall.h"
#include "worker/launch.h"

/*
 * The running launch, as the loop that samples it sees it. Its clock is time that was watched: what passes between
 * two samples counts for a few sampling periods at most, because the whole process may have been stopped meanwhile.
 */
struct watch {
    struct session *session;
    const struct launch_plan *plan;
    struct stall_judge *judge;
    struct observation *observation; /* what the host sees is set as it is seen */
    struct observation live;         /* what the board told when the launch was ended; if `told` */
    bool told;
    bool whole;          /* each sample reads the whole board, for it is small */
    uint64_t clock_ns;   /* time that was watched */
    uint64_t sampled_ns; /* CLOCK_MONOTONIC at the last sample */
    uint64_t cost_ns;    /* of that sample */
    uint64_t looked_ns;  /* on the clock of the watch: when the whole board was read last */
    uint64_t look_ns;    /* what that took */
    uint64_t decided_ns; /* when all that stands will have stood for as long as a stall must */
    uint32_t renewed;    /* as on the board (GL_RENEWED) */
    uint64_t renewed_ns;
    struct turns turns; /* of the threads of a CPU, since a stall is suspected */
    bool stopped;       /* the stop word was written */
    bool closed;        /* the census was asked to close */
    uint64_t steps;     /* accesses, as a device that proves stalls last said */
    uint32_t lengths;   /* how often such a device has said that the launch takes long */
    bool woken;         /* it has gone on since it was stopped */
    uint32_t arrivals;  /* of a census */
    uint64_t arrived_ns;
};

/* Begins to watch a launch that is about to be enqueued. */
void watch_begin(struct watch *watch);

/* Watches until the launch has ended: true in *ended, and *end says how; false if it was left running (--live). */
int watch_run(struct watch *watch, struct launch_end *end, bool *ended, struct error *error);

/*
 * The launch has ended, and its final board, which session->board.copy holds, was read: what was judged of it is
 * taken back if a group that was thought to be stuck has gone on.
 */
void watch_conclude(struct watch *watch, uint64_t lasted_ns);

/* --- for worker/proving.c --- */

/* The device says itself when nothing can change any more. */
bool watch_proves(const struct watch *watch);

/* Its time, or its bound, is up: tells the host what the board that was just read shows. */
void watch_give_up(struct watch *watch);

/* Writes the stop word: GL_STOP_HOST, and why. */
int watch_stop(struct watch *watch, uint32_t why, struct error *error);

/* The launch has stalled: what the board says now is the evidence. It is stopped, unless it is --live. */
int watch_judged(struct watch *watch, const unsigned char *marks, struct error *error);
