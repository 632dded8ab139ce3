/* Where a work-item is between two steps, and what it is about to do. */
#pragma once

#include "proof/graph.h"

#include <stdint.h>

/* Where a work-item is: what is kept of its own state is this, and its stack from where it goes on. */
struct own {
    uint64_t at;
    uint32_t bytes, how; /* of the access that it is about to make; of a barrier, its flags */
    uint32_t item;
    uint8_t stop; /* enum stop */
    uint8_t meets;
    uint16_t fences; /* as in struct proof_access, and so is */
    uint8_t spaces;
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

/* Of an access: GL_HOW_SCOPE. */
enum proof_scope own_scope(uint32_t how);

/* A fence was passed since the last access. */
void own_join_fence(struct own *now, uint32_t how);

/* The kinds of memory that a barrier or a fence orders, by its flags (GL_MEET_*). */
uint8_t own_spaces(uint32_t flags);

/* The operation of an atomic update of which nobody uses what was there, as in GL_HOW_UNUSED; 0: it is none. */
uint32_t own_unused(uint32_t how);

/* The access that it is about to make, but for where in the program that is. */
struct proof_access own_access(const struct own *own);
