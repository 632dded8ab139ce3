/*
 * kernel:  limits
 * purpose: how many work-groups are resident together, by census, by a global barrier, and by discovery
 * needs:   nothing for the census; OBE for discovery; for the barrier all its groups resident
 * fails:   a barrier over more groups than are resident starves: those inside wait for one that cannot start
 * source:  census and barrier: gridlock; discovery: Sorensen et al., OOPSLA 2016, with its ticket lock
 *
 * All three are modes of one kernel, so that they have the same footprint; the census is in group.h. In
 * each of them the work-group's leader (work-item 0) acts, and the others wait for it at a work-group
 * barrier.
 */
#include "rounds.h"

/*
 * Discovery. A group that finds the poll open is discovered; it then takes the lock again and
 * closes the poll. The ticket lock is fair, so groups that are already waiting come first.
 */
static void discovery(struct gl_self *self)
{
    global uint *board = self->board;
    bool held = true;
    bool discovered = false;

    /* Once the poll is closed it stays so: a group that comes later need not queue for the lock. */
    bool again = !(gl_load(board + GL_DISCOVERED) & GL_CLOSED);
    while (again && held) {
        const uint ticket = gl_add(board + GL_LOCK_NEXT, 1);
        held = gl_wait(self, GL_LOCK_NOW, ticket, GL_GROUP_HOLDER);
        if (held) {
            gl_holds(self, 1); /* there is no other lock, and a name would cost registers */
            const uint found = gl_load(board + GL_DISCOVERED);
            again = !discovered && !(found & GL_CLOSED);
            if (discovered)
                gl_store(board + GL_DISCOVERED, found | GL_CLOSED);
            else if (again)
                gl_store(board + GL_DISCOVERED, found + 1);
            discovered = discovered || again;
            gl_store(self->entry + GL_COUNTED, discovered);
            gl_holds(self, 0);
            gl_release(board + GL_LOCK_NOW, ticket + 1);
        }
    }
    if (held)
        gl_done(self);
}

/* No hint that could be left out: in a loop, the values would be in memory. */
#define UNROLL __attribute__((opencl_unroll_hint(GL_PRIVATE_WORDS)))

static void limits_body(global uint *board)
{
    struct gl_self self;
    const uint mode = gl_load(board + GL_MODE);

#if GL_PRIVATE_WORDS > 0
    /* Values that the compiler cannot compute again, live from here to the end of the kernel. */
    uint weight[GL_PRIVATE_WORDS];
    UNROLL
    for (uint i = 0; i < GL_PRIVATE_WORDS; ++i)
        weight[i] = gl_load(board + GL_SALT) + (uint)get_local_id(0);
#endif
    if (gl_enter(&self, board, 0)) {
        if (mode == GL_MODE_BARRIER)
            gl_barriers(&self);
        else if (self.leader)
            discovery(&self);
        /* The whole group keeps its place until its leader is done. */
        gl_gather(&self);
    }
#if GL_PRIVATE_WORDS > 0
    uint sum = 0;
    UNROLL
    for (uint i = 0; i < GL_PRIVATE_WORDS; ++i)
        sum = sum * 3 + weight[i];
    if (gl_load(board + GL_SALT) != 0)
        gl_store(self.entry + GL_SEEN, sum);
#endif
}

#if defined(GL_REQUIRED_SIZE)
__attribute__((reqd_work_group_size(GL_REQUIRED_SIZE, 1, 1)))
#endif
#if defined(GL_LOCAL)
kernel void
limits(global uint *board, local uint *scratch)
{
    /* Local memory of a size that the host chooses. */
    if (get_local_id(0) == 0)
        scratch[0] = gl_load(board + GL_SALT);
    limits_body(board);
    if (get_local_id(0) == 0 && scratch[0] != 0)
        gl_store(board + GL_CONTROL_WORDS + gl_group() * GL_ENTRY_WORDS + GL_SEEN, scratch[0]);
}
#else
kernel void limits(global uint *board)
{
    limits_body(board);
}
#endif
