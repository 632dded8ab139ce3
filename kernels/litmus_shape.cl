/*
 * kernel:  litmus_shape
 * purpose: which work-items of a group form which sub-groups, before litmus tests run in one of that shape
 * needs:   nothing: nobody waits
 * fails:   never
 * source:  gridlock
 */
#include "sync.h"

#include "litmus_level.h"

/*
 * told[0]: sub-groups of the group; told[1]: work-items of the first one, told[2] the sum of their places there, and
 * told[3] the size that they are told; told[4]: first work-items of sub-groups, and told[5] the sum of the numbers of
 * these. All but that is 0 before.
 */
kernel void litmus_shape(global uint *told)
{
    const uint sub_group = sub_group_place(), lane = sub_group_lane();

    if (sub_group == 0) {
        gl_add(told + 1, 1);
        gl_add(told + 2, lane);
        gl_store(told + 3, sub_group_lanes());
    }
    if (lane == 0) {
        gl_store(told + 0, sub_group_count());
        gl_add(told + 4, 1);
        gl_add(told + 5, sub_group);
    }
}
