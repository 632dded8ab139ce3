/* Takes single steps of the launch that runs (model/run.h), from one state to the next. */
#pragma once

#include "explore/alone.h"
#include "explore/explore.h"
#include "explore/futures.h"
#include "explore/interned.h"
#include "explore/memory.h"
#include "explore/own.h"
#include "explore/separate.h"
#include "model/run.h"

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
    struct own now;            /* of the work-item that runs: fences and barriers so far */
    uint64_t alone;            /* accesses so far that concerned nobody, in all steps, */
    uint64_t until_ns;         /* and until when there may be more */
    struct alone loop;         /* that it may be in */
    uint64_t calls;            /* that work-items made so far */
    bool exchanges;            /* nothing was accessed since the access that it began with, */
    bool failed;               /* and that was a compare-exchange that failed */
    enum stop stop;            /* why it stopped, */
    uint32_t quiet;            /* accesses since the step began that concerned nobody */
    uint32_t due;              /* after how many of them it is looked whether it goes round, */
    uint32_t most;             /* and how many it may make at most; */
    struct separate *separate; /* not NULL: accesses are points only where work-items do not keep apart */
    uint64_t alone_ns;         /* as in struct explore_bounds; */
    bool hurries;              /* and one that takes long is left before that */
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

/* Lets each work-item go to where its first step begins, with at most so many accesses of each. */
enum stop stepping_first(uint32_t most);

/*
 * Takes the step of a work-item that has one, in the state whose memory is loaded, and whose own states these are.
 * Returns STOP_ACCESS, or STOP_FAULT, STOP_LATE or STOP_FAR: it cannot go on.
 */
enum stop stepping_take(const uint32_t *selves, uint32_t item);
