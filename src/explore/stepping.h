/* Takes single steps of the launch that runs (model/run.h), from one state to the next. */
#pragma once

#include "explore/explore.h"
#include "explore/futures.h"
#include "explore/interned.h"
#include "explore/memory.h"
#include "model/run.h"

/* Where a work-item is: what is kept of its own state is this, and its stack from where it goes on. */
struct own {
    uint64_t at;
    uint32_t bytes, how; /* of the access that it is about to make */
    uint32_t item;
    uint8_t stop; /* enum stop */
    uint8_t fence_order, fence_scope;
    uint8_t meets;
};

enum stop {
    STOP_ACCESS, /* before an access that concerns others */
    STOP_MEETS,  /* at a barrier of its group */
    STOP_ROUND,  /* it goes round for ever, and concerns nobody */
    STOP_ENDED,  /* has no own state */
    STOP_FAULT,
    STOP_LATE, /* no time is left */
    STOP_FAR,  /* it was left alone for EXPLORE_ALONE_MOST accesses */
};

struct stepping {
    struct explored *explored;
    struct memory memory;
    struct interned sites;  /* where work-items are in the program: frames, as in struct explored */
    struct interned owns;   /* own states: their numbers are those of graph.accesses */
    struct futures futures; /* steps from one of them to the next */
    unsigned char *buffer;  /* room for one */
    size_t access_room;
    uint32_t *selves; /* after a step: of each work-item, as in struct proof_graph */
    /* Of the step that is taken: */
    struct own now;    /* of the work-item that runs: fences and barriers so far */
    uint64_t alone;    /* accesses so far that concerned nobody, in all steps, */
    uint64_t until_ns; /* and until when there may be more */
    enum stop stop;    /* why it stopped, */
    uint32_t quiet;    /* accesses since the step began that concerned nobody */
    uint32_t due;      /* after how many of them it is looked whether it goes round, */
    uint32_t most;     /* and how many it may make at most */
    struct circle *circle;
    uint64_t touched_hash;         /* of what had changed when that began */
    const volatile void *changing; /* what the last of these may have changed; or NULL */
    size_t changing_bytes;
    unsigned char before[RUN_KEPT_BYTES];
    uint64_t changes;
};

extern struct stepping stepping;

/*
 * As memory_begin. All places have their groups; `selves` is made. stepping_fini frees what this makes, but not what is
 * in `explored`.
 */
void stepping_begin(struct explored *explored, const struct machine_region *ignored, size_t ignored_count);
void stepping_fini(void);

/* Sets memory and work-items back to where the launch begins, and forgets all states of work-items. */
void stepping_restart(void);

/* Lets each work-item go some way by itself, only to see what is shared; to be followed by stepping_restart. */
void stepping_scout(void);

/* Lets each work-item go to where its first step begins. */
enum stop stepping_first(void);

/*
 * Takes the step of a work-item that has one, in the state whose memory is loaded, and whose own states these are.
 * Returns STOP_ACCESS, or STOP_FAULT, STOP_LATE or STOP_FAR: it cannot go on.
 */
enum stop stepping_take(const uint32_t *selves, uint32_t item);
