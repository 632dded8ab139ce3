/*
 * kernel:  scan_chained
 * purpose: a scan of the whole array in one launch: each block waits for the sum of all blocks before it
 * needs:   order = id: lower ids run first (HSA); order = ticket: groups that have started run on (OBE); order =
 *          reverse: all groups resident together, or fair scheduling
 * fails:   if the group of an earlier block has not started, its successors wait for it and keep its place
 * source:  Yan, Long and Zhang, PPoPP 2013 (StreamScan)
 * option:  type = int | long | float
 * option:  order = id | ticket | reverse
 * option:  fault = none | publish-early
 * param:   items = 100003 in 1..1048576  length of the arrays, in items
 * words:   (groups+1)*line
 * names:   next block = 0
 * names:   state of block {i} = (i+1)*line, i < groups
 * data:    input item items seeded
 * data:    output item items zero
 * checks:  groups-1
 * result:  output = scan(input)
 *
 * With order = ticket a group takes the next block when it starts, so all earlier blocks belong to groups that
 * have started. order = reverse shows on any device what order = id is in for on one that starts high ids first.
 *
 * Fault: publish-early raises the flag first, and writes the sum after the launch's delay.
 */
#include "scan_blocks.h"

/* Words behind a block's state. */
#define SUM 2u
#define MARK 4u

/* Publishes the sum of all items up to the end of the block. */
static void publish(struct gl_self *self, uint block, item sum)
{
    global uint *words = self->board + scan_state(self, block);

#if defined(FAULT_PUBLISH_EARLY)
    gl_release(words, SCAN_READY);
    gl_delay(self, 2);
#endif
    item_put(words + SUM, sum);
    gl_store(words + MARK, item_mark(sum, block));
#if !defined(FAULT_PUBLISH_EARLY)
    gl_release(words, SCAN_READY);
#endif
}

/* The leader adds the sum of its block to that of all blocks before it, which goes to `prefix`. */
GL_INLINE void join_chain(struct gl_self *self, uint block, item sum, local item *prefix)
{
    *prefix = 0;
    if (block != 0) {
        const uint before = scan_state(self, block - 1);
        if (!gl_wait(self, before, SCAN_READY, scan_owner(self, block - 1)))
            return;
        *prefix = item_get(self->board + before + SUM);
        gl_check(self, block, gl_load(self->board + before + MARK), item_mark(*prefix, block - 1), 0);
    }
    publish(self, block, item_add(*prefix, sum));
}

GL_KERNEL void scan_chained(global uint *board, global const item *input, global item *output)
{
    local item scratch[SCAN_LOCAL_ITEMS];
    local item prefix;
    local uint drawn;
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_delay(&self, 1);
    const struct scan_block block = scan_take(&self, &drawn, gl_own(&self, PARAM_ITEMS));
    const item sum = scan_sum(scratch, input, block);
    gl_gather(&self);
    if (self.leader) {
        gl_round(&self, block.number + 1);
        join_chain(&self, block.number, sum, &prefix);
    }
    if (!gl_proceed(&self))
        return;
    scan_write(scratch, input, output, block, prefix);
    gl_leave(&self);
}
