/*
 * kernel:  group_functions
 * purpose: the built-in work-group functions broadcast, all and any, against what each work-item works out
 * needs:   nothing
 * fails:   never: no group waits for another
 * source:  Khronos, The OpenCL C Specification, work-group collective functions
 * checks:  5*rounds*groups*local-size
 *
 * In each round one work-item, drawn by lot, differs from the others: its value is broadcast, and `all` and `any`
 * are asked with a predicate that it alone fails, or alone fulfils. They must also tell all from none.
 */
#include "group.h"
#include "group_offered.h"

GL_KERNEL void group_functions(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint me = (uint)get_local_id(0);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    const uint seed = gl_hash(gl_parameter(board, GL_SEED) + self.group);
    for (uint round = 1; round <= rounds; ++round) {
        const uint chosen = gl_hash(seed + round) % GL_LOCAL_SIZE;
        gl_check(&self, chosen, work_group_broadcast(gl_hash(seed + me), chosen), gl_hash(seed + chosen), seed);
        gl_check(&self, 1, work_group_all(me != chosen) != 0, 0, 0);
        gl_check(&self, 2, work_group_any(me == chosen) != 0, 1, 1);
        gl_check(&self, 3, work_group_all(me < GL_LOCAL_SIZE) != 0, 1, 1);
        gl_check(&self, 4, work_group_any(me >= GL_LOCAL_SIZE) != 0, 0, 0);
    }
    gl_leave(&self);
}
