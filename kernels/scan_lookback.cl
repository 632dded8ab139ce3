/*
 * kernel:  scan_lookback
 * purpose: a scan of the whole array in one launch, whose blocks look back for what earlier ones have published
 * needs:   fallback = yes: nothing; else order = id: lower ids run first (HSA); order = ticket: groups that have
 *          started run on (OBE); order = reverse: all groups resident together, or fair scheduling
 * fails:   without fallback, if the group of an earlier block has not started, later ones wait and keep its place
 * source:  Merrill and Garland, NVIDIA NVR-2016-002, 2016; fallback: Smith, Levien and Owens, SPAA 2025
 * option:  type = int | long | float
 * option:  order = id | ticket | reverse
 * option:  fallback = no | yes
 * param:   items = 100003 in 1..1048576  length of the arrays, in items
 * param:   patience = 100 in 1..1000000  polls for an earlier block's state before the fallback
 * words:   (groups+1)*line
 * names:   next block = 0
 * names:   state of block {i} = (i+1)*line, i < groups
 * data:    input item items seeded
 * data:    output item items zero
 * result:  output = scan(input)
 *
 * A block first publishes its own sum (the aggregate), and, once it knows the sum of all items before it, that of
 * all items up to its end (the prefix). Looking back, it adds aggregates until it meets a prefix. With fallback
 * it does not insist that an earlier block has published anything: after some polls it adds up that
 * block's items itself, and publishes the aggregate for it. Groups that do so at the same time write the same.
 */
#include "scan_blocks.h"

/* States, and words behind a block's state. */
#define AGGREGATE (SCAN_READY + 1u)
#define PREFIX (SCAN_READY + 2u)
#define AGGREGATE_SUM 2u
#define PREFIX_SUM 4u

/* Publishes a block's aggregate, unless somebody has. */
static void publish_aggregate(const struct gl_self *self, uint block, item sum)
{
    global uint *words = self->board + scan_state(self, block);
    const uint state = gl_load(words);

    if (state >= SCAN_READY)
        return;
    item_put(words + AGGREGATE_SUM, sum);
    /* It fails where the owner wrote its name meanwhile, too: then others go on without this help. */
    gl_compare_exchange(words, state, AGGREGATE);
}

static void publish_prefix(const struct gl_self *self, uint block, item sum)
{
    global uint *words = self->board + scan_state(self, block);

    item_put(words + PREFIX_SUM, sum);
    gl_release(words, PREFIX);
}

/* The state of an earlier block once it is ready; with fallback perhaps before. */
static uint look(struct gl_self *self, uint block)
{
    const uint word = scan_state(self, block);
#if defined(FALLBACK_YES)
    uint state = gl_poll(self->board + word);
    for (uint polls = gl_own(self, PARAM_PATIENCE); polls > 0 && state < SCAN_READY; --polls)
        state = gl_poll(self->board + word);
    gl_fence();
    return state;
#else
    return gl_wait(self, word, SCAN_READY, scan_owner(self, block)) ? gl_acquire(self->board + word) : 0;
#endif
}

/* What a block adds to the sum, given its state; all work-items call it. */
GL_INLINE item contribution(const struct gl_self *self, local item *scratch, global const item *input, uint number,
                            uint state)
{
    global uint *words = self->board + scan_state(self, number);

    if (state >= SCAN_READY)
        return item_get(words + (state == PREFIX ? PREFIX_SUM : AGGREGATE_SUM));
    const struct scan_block block = scan_bounds(self, number, gl_own(self, PARAM_ITEMS));
    const item sum = scan_sum(scratch, input, block);
    if (self->leader)
        publish_aggregate(self, number, sum);
    return sum;
}

GL_KERNEL void scan_lookback(global uint *board, global const item *input, global item *output)
{
    local item scratch[SCAN_LOCAL_ITEMS];
    local uint drawn;
    local uint state;
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_delay(&self, 1);
    const struct scan_block block = scan_take(&self, &drawn, gl_own(&self, PARAM_ITEMS));
    const item sum = scan_sum(scratch, input, block);
    item prefix = 0;
    bool found = false;
    if (self.leader)
        publish_aggregate(&self, block.number, sum);
    for (uint before = block.number; before > 0 && !found; --before) {
        gl_gather(&self);
        if (self.leader) {
            gl_round(&self, block.number - before + 1);
            state = look(&self, before - 1);
        }
        if (!gl_proceed(&self))
            return;
        found = state == PREFIX;
        prefix = item_add(contribution(&self, scratch, input, before - 1, state), prefix);
    }
    if (self.leader)
        publish_prefix(&self, block.number, item_add(prefix, sum));
    scan_write(scratch, input, output, block, prefix);
    gl_leave(&self);
}
