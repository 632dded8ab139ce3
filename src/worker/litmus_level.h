/* What threads of litmus tests are on a device: groups, or sub-groups or work-items of one group. */
#pragma once

#include "core/block.h"
#include "device/session.h"

/* A group, and what is in it. */
struct litmus_shape {
    size_t local[2];            /* work-items */
    uint32_t threads;           /* that a launch can have, at most; of groups it says nothing */
    uint32_t sub_groups, lanes; /* as a kernel found them: how many, and work-items of the first; 0: nobody asked */
};

/*
 * Finds the shape of a block's groups: of sub-groups by launching some. On failure returns -1, and *outcome is
 * OUTCOME_UNSUPPORTED if the device has no such threads.
 */
int litmus_shape_find(struct session *session, const struct block *block, struct litmus_shape *shape,
                      enum outcome *outcome, struct error *error);

/* Appends the option by which kernels know what threads are. */
void litmus_level_option(enum block_level level, char options[BUILD_OPTIONS]);
