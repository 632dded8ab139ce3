/*
 * Explores all that a small launch can do: every work-item may have the next turn at every access that others could
 * notice. Accesses of bytes that only one work-item ever accesses, or that nobody ever writes, are left out: with
 * whatever others do in between they come to the same, so they belong to the step before them (a sound reduction for
 * all that follows from the graph of states: Holzmann, Peled: "An improvement in formal verification", FORTE 1994, for
 * such local steps). Which bytes these are is found on the way; if one turns out to be shared, it begins anew.
 *
 * Of more than PROOF_ITEMS work-items one schedule is taken, if they keep apart (explore/separate.h); so it is of fewer
 * where there are many states.
 *
 * All accesses take effect at once and in the order of the turns: orders of atomic operations change nothing here
 * (proof/reliance.h tells where they would).
 */
#pragma once

#include "base/error.h"
#include "model/machine.h"
#include "proof/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXPLORE_IGNORED = PROOF_GROUPS };

#define EXPLORE_VARIABLES UINT32_MAX /* instead of an argument: the program's */

struct explore_bounds {
    size_t bytes;      /* of all that is kept */
    uint64_t until_ns; /* of clock_ns() */
    uint64_t alone_ns; /* of a processor: a work-item that computes for so long without an access is taken to be in an
                          endless loop */
    /* Where one of these is reached there are launches by lot (explore/walks.h), for which there is so much more. */
    size_t walk_bytes;
    uint64_t walk_ns; /* 0: there are none */
    /*
     * These bytes of arguments, which are buffers, or of the program's variables, are no part of a state as long as no
     * work-item reads them: notes for the host.
     */
    struct explore_ignored {
        uint32_t argument;
        uint64_t offset, bytes; /* UINT64_MAX: all, of variables */
    } ignored[EXPLORE_IGNORED];
    uint32_t ignored_count;
    bool ignores_read; /* or even then: who reads them finds what was there in the beginning */
    bool has_notes;    /* its first argument is a buffer with notes for the host, which are no result */
};

enum { EXPLORE_ALONE_MOST = 1 << 24 }; /* accesses of a work-item that concern no other, one after the other */

/* What a work-item may access. */
struct explored_object {
    enum { OBJECT_ARGUMENT, OBJECT_VARIABLES, OBJECT_LOCAL } kind;
    uint32_t number; /* of the argument, or of the group whose local memory it is */
    uint64_t base, bytes;
};

/* A launch by lot: of each state the step that it took, in the order in which it came to them. */
struct explored_walk {
    struct proof_graph graph; /* without what is of the whole graph: started, ended and accesses */
    enum { WALK_ENDED, WALK_STALLED, WALK_FAULT } end;
    uint32_t circle; /* of one that stalled: the last steps, which come back to where they began */
    uint32_t item;   /* of one with a fault: whose step that was, in the last state */
    bool again;      /* another one ended with the same memory */
};

/* Two accesses of work-items that do not keep apart; no way to them is known. */
struct explored_conflict {
    bool is_race;                          /* there is one, and it is a race; all below is of that */
    uint32_t items[2], sites[2], kinds[2]; /* of the first and the second access: enum proof_kind */
    uint64_t at;                           /* of the second one */
    uint32_t bytes;
    bool is_local;
};

/* What memory holds in a state: what is not as it was when the launch began. */
struct explored_memory;

/* Bits of what work-items asked for. */
enum {
    ASKED_ITEM = 1u << GL_ID_GLOBAL,
    ASKED_AMONG_ALL = 1u << GL_ID_GLOBAL | 1u << GL_ID_GROUP,
    ASKED_IN_GROUP = 1u << GL_ID_LOCAL | 1u << GL_ID_LOCAL_LINEAR,
    ASKED_GROUP_SIZE = 1u << GL_ID_LOCAL_SIZE | 1u << GL_ID_ENQUEUED_LOCAL_SIZE,
    ASKED_GROUPS = 1u << GL_ID_GROUPS | 1u << GL_ID_GLOBAL_SIZE,
};

struct explored {
    enum proof_extent extent; /* PROOF_TO_FAULT, too, if a launch by lot went wrong */
    /* States from `known` on were found, but no step of theirs is known: they count as ended. */
    struct proof_graph graph; /* its arrays are owned: explored_fini */
    uint32_t known, site_count, object_count;
    uint32_t items; /* of each group; of those that keep apart the graph may have one for all of them */
    /*
     * In some states one step alone is known, because it comes to the same whenever it is taken (explore/futures.h):
     * 1 + its work-item, or 0. Whoever asks what each work-item may do at each moment takes `whole` for the graph's
     * steps, which pass over these states, so that no state has any others. Owned.
     */
    uint8_t *confluent;
    bool settled;      /* by all that was seen they are confluent; else ways are ways, but there may be others */
    bool ignored_read; /* bytes that are no part of a state, nevertheless */
    uint32_t asked[3], asked_any; /* ASKED_ numbers that a work-item asked for: in each dimension; in any of them */
    bool accessed;                /* any work-item accessed memory that it may share */
    bool updates;                 /* work-items that keep apart made atomic ones (explore/separate.h) */
    uint32_t *whole;
    struct explored_conflict conflict;
    const void *(*frames)[MACHINE_FRAMES]; /* of each site of an access, as in struct machine_report; owned */
    struct explored_object *objects;       /* owned, too */
    char fault[256];                       /* one sentence, and where; and in which state */
    const void *fault_frames[MACHINE_FRAMES];
    uint32_t fault_state; /* PROOF_NOWHERE: in that of a launch by lot */
    enum { FAULT_ANY, FAULT_OUTSIDE /* it leaves what the kernel was given */, FAULT_ENDLESS /* a loop */ } fault_kind;
    /* The first read of local memory that nobody has written: a sentence, or "", its site and its state. */
    char unwritten[256];
    uint32_t unwritten_site, unwritten_state; /* PROOF_NOWHERE: by lot */
    uint64_t steps;                           /* of work-items, that were taken */
    uint64_t bytes;                           /* of all states that were found */
    /* The first ones, and then those with different ends; only the last one stalled or has a fault. Owned. */
    struct explored_walk *walks;
    uint32_t walk_count;
    uint32_t walked; /* launches by lot, in all */
    uint64_t walk_steps;
    struct explored_memory *memory;
};

/*
 * Explores the launch, whose device only says which orders there are not: all. STATUS_UNSUPPORTED if it has more than
 * PROOF_ITEMS work-items, unless they keep apart, or PROOF_GROUPS groups, or there is not the memory for them. Call
 * explored_fini even then.
 */
int explore(const struct machine_launch *launch, const struct explore_bounds *bounds, struct explored *explored,
            struct error *error);
void explored_fini(struct explored *explored);

/* Whether a work-item made an atomic access, be it of a word that no other one accesses, as a lock of its own. */
bool explored_has_atomics(const struct explored *explored);

/* Whether each byte that a work-item accessed, and that others may, was accessed by several. */
bool explored_is_alike(const struct explored *explored);

/*
 * Returns another such number: of the memory as the host sees it afterwards, without what is the groups' own, and
 * notes.
 */
uint32_t explored_visible(const struct explored *explored, uint32_t memory);

/* Restores these contents, as long as what the launch was given is there. Number 0 is how memory began. */
void explored_load(const struct explored *explored, uint32_t memory);

/* Finds the address of a byte in which two memories (numbers of the graph's) differ; false if they are equal. */
bool explored_differ(const struct explored *explored, uint32_t a, uint32_t b, uint64_t *at);

/*
 * Finds the word that grew most over the states that were found, and in no step became less: a counter, which may make
 * states that never repeat. False: none grew much.
 */
bool explored_grows(const struct explored *explored, uint64_t *at);

/* Copies what the memory holds there; up to `bytes`, as far as one line of it goes. Returns how many. */
size_t explored_read(const struct explored *explored, uint32_t memory, uint64_t at, void *copy, size_t bytes);
