/*
 * kernel:  limits
 * purpose: how many work-groups are resident together, by census, by a global barrier, and by discovery
 * needs:   nothing for the census; OBE for discovery; for the barrier all its groups resident
 * fails:   a barrier over more groups than are resident starves: those inside wait for one that cannot start
 * source:  census and barrier: gridlock; discovery: Sorensen et al., OOPSLA 2016, with its ticket lock
 *
 * All three are modes of one kernel, so that they have the same footprint. In each of them the
 * work-group's leader (work-item 0) acts, and the others wait for it at a work-group barrier.
 */
#include "sync.h"

/*
 * Census. Arrivals and the closing are one word. A group counts only if its own increment found
 * the word open, and it stays until it has seen the word closed: all counted groups are resident
 * together. Who closes: the first group that sees the host ask for it, or, without a channel, the
 * first that polled GL_CLOSE_POLLS times without an arrival; a fuse and the stop word close, too.
 */
static void census(global uint *board, global uint *entry)
{
    const uint close_polls = gl_load(board + GL_CLOSE_POLLS);
    const uint fuse_total = gl_load(board + GL_FUSE_TOTAL);
    uint ended = GL_ENDED_CUT;
    uint polls = 0;
    uint idle = 0;
    uint last = 0;
    uint seen = 0;

    if (gl_add(board + GL_CENSUS, 1) & GL_CLOSED) {
        gl_done(entry);
        return;
    }
    gl_store(entry + GL_WAIT_WORD, GL_CENSUS);
    gl_store(entry + GL_WAIT_VALUE, GL_CLOSED);
    gl_store(entry + GL_WAIT_GROUP, GL_GROUP_HOST);
    gl_store(entry + GL_PHASE, GL_PHASE_WAITING);
    for (;;) {
        seen = gl_load(board + GL_CENSUS);
        if (seen & GL_CLOSED) {
            ended = GL_ENDED_HELD;
            break;
        }
        ++polls;
        if (polls % GL_YIELD_POLLS == 0)
            gl_yield();
        idle = seen != last ? 0 : idle + 1;
        last = seen;
        if (gl_load(board + GL_CLOSE) != 0 || gl_load(board + GL_STOP) != 0 ||
            (close_polls != 0 && idle >= close_polls) || polls >= fuse_total)
            gl_or(board + GL_CENSUS, GL_CLOSED);
    }
    gl_fence();
    gl_store(entry + GL_SEEN, seen);
    gl_store(entry + GL_POLLS, polls);
    gl_store(entry + GL_IDLE, idle);
    gl_store(entry + GL_ENDED, ended);
    gl_store(entry + GL_COUNTED, ended == GL_ENDED_HELD);
    gl_done(entry);
}

/* One round of a central-counter barrier. The counter only grows, so no round can meet another's reset. */
static void barrier_round(global uint *board, global uint *entry, uint round)
{
    const uint target = round * gl_load(board + GL_GROUPS);
    gl_store(entry + GL_ROUND, round);
    gl_add(board + GL_ARRIVALS, 1);
    gl_wait(board, entry, GL_ARRIVALS, target, GL_GROUP_ALL);
}

/*
 * Discovery. A group that finds the poll open is discovered; it then takes the lock again and
 * closes the poll. The ticket lock is fair, so groups that are already waiting come first.
 */
static void discovery(global uint *board, global uint *entry)
{
    uint ended = GL_ENDED_HELD;
    bool discovered = false;

    /* Once the poll is closed it stays so: a group that comes later need not queue for the lock. */
    bool again = !(gl_load(board + GL_DISCOVERED) & GL_CLOSED);
    while (again && ended == GL_ENDED_HELD) {
        const uint ticket = gl_add(board + GL_LOCK_NEXT, 1);
        ended = gl_wait(board, entry, GL_LOCK_NOW, ticket, GL_GROUP_HOLDER);
        if (ended == GL_ENDED_HELD) {
            gl_store(entry + GL_LOCKS_HELD, 1);
            const uint found = gl_load(board + GL_DISCOVERED);
            again = !discovered && !(found & GL_CLOSED);
            if (discovered)
                gl_store(board + GL_DISCOVERED, found | GL_CLOSED);
            else if (again)
                gl_store(board + GL_DISCOVERED, found + 1);
            discovered = discovered || again;
            gl_store(entry + GL_COUNTED, discovered);
            gl_store(entry + GL_LOCKS_HELD, 0);
            gl_fence();
            gl_store(board + GL_LOCK_NOW, ticket + 1);
        }
    }
    if (ended == GL_ENDED_HELD)
        gl_done(entry);
}

/* A global barrier of all work-items: of each group, then of the leaders, then of each group again. */
static void barriers(global uint *board, global uint *entry, bool leader)
{
    const uint rounds = gl_load(board + GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (leader)
            barrier_round(board, entry, round);
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (gl_load(entry + GL_ENDED) != GL_ENDED_HELD)
            return;
    }
    if (leader)
        gl_done(entry);
}

static void limits_body(global uint *board)
{
    global uint *entry = gl_entry(board);
    const bool leader = get_local_id(0) == 0;
    const uint mode = gl_load(board + GL_MODE);

#if GL_PRIVATE_WORDS > 0
    /* Values that the compiler cannot compute again, live from here to the end of the kernel. */
    uint weight[GL_PRIVATE_WORDS];
    __attribute__((opencl_unroll_hint(GL_PRIVATE_WORDS)))
    for (uint i = 0; i < GL_PRIVATE_WORDS; ++i)
        weight[i] = gl_load(board + GL_SALT) + (uint)get_local_id(0);
#endif
    if (leader)
        gl_start(board, entry);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (gl_load(entry + GL_TICKET) != 0) {
        if (mode == GL_MODE_BARRIER) {
            barriers(board, entry, leader);
        } else if (leader) {
            if (mode == GL_MODE_CENSUS)
                census(board, entry);
            else
                discovery(board, entry);
        }
        /* The whole group keeps its place until its leader is done. */
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
#if GL_PRIVATE_WORDS > 0
    uint sum = 0;
    __attribute__((opencl_unroll_hint(GL_PRIVATE_WORDS)))
    for (uint i = 0; i < GL_PRIVATE_WORDS; ++i)
        sum = sum * 3 + weight[i];
    if (gl_load(board + GL_SALT) != 0)
        gl_store(entry + GL_SEEN, sum);
#endif
}

#if defined(GL_REQUIRED_SIZE)
__attribute__((reqd_work_group_size(GL_REQUIRED_SIZE, 1, 1)))
#endif
#if defined(GL_LOCAL)
kernel void limits(global uint *board, local uint *scratch)
{
    /* Local memory of a size that the host chooses. */
    if (get_local_id(0) == 0)
        scratch[0] = gl_load(board + GL_SALT);
    limits_body(board);
    if (get_local_id(0) == 0 && scratch[0] != 0)
        gl_store(gl_entry(board) + GL_SEEN, scratch[0]);
}
#else
kernel void limits(global uint *board)
{
    limits_body(board);
}
#endif
