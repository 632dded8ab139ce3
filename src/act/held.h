/* A kernel that runs until the host lets it go, or its bound is reached. */
#pragma once

#include "act/promising.h"

/* What kernels/promise_hold.cl counts; the groups that begin come first, so that they are seen while they run. */
enum held_word { HELD_GO, HELD_BEGAN, HELD_LET_GO, HELD_TURN, HELD_SUM, HELD_TURNS, HELD_EXPIRED };
enum { HELD_SLOTS = 2, HELD_WORDS = HELD_SLOTS * 8 * 16 };

struct held {
    struct promising *promising;
    cl_command_queue queue;
    uint32_t *svm; /* its words; NULL: they are on the session's board */
    uint32_t groups;
    uint32_t bound; /* turns of each group */
    uint32_t slot;  /* of its words; two launches may share their memory */
    bool adds;
    cl_event event;      /* of the launch, or NULL */
    uint64_t started_ns; /* when that was enqueued */
    bool late;           /* the driver told the status of its event only when it had ended */
};

/* Builds the kernel, for one group that is held for about so many milliseconds if nobody lets it go. */
int held_open(struct held *held, struct promising *promising, uint32_t milliseconds, struct error *error);

/* NULL: the host reaches a kernel that is held; else why it does not. */
const char *held_refusal(const struct held *held);

/* Clears the words of all slots; no launch runs. */
int held_clear(struct held *held, struct error *error);

/* Enqueues and flushes it. */
int held_start(struct held *held, struct error *error);

/* A word of launches that have `svm`. */
_Atomic uint32_t *held_shared(const struct held *held, enum held_word word);

/* Reads a word while it runs, or after its end; 0 where that fails. */
uint32_t held_read(const struct held *held, enum held_word word);

int held_let_go(struct held *held, struct error *error);

/* It runs no longer, by its words; or by its event, if it is not seen to begin. */
bool held_has_ended(const struct held *held);

/*
 * Looks until a group of it has begun, it has ended, or a quarter of a second is over. True: it has begun, and had
 * not ended.
 */
bool held_begins(struct held *held);

/* Waits for its end; it may still be let go. */
int held_end(struct held *held, struct error *error);
