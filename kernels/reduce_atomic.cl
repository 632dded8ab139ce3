/*
 * kernel:  reduce_atomic
 * purpose: a reduction in which each group adds its part to one word of the result
 * needs:   nothing; with type = long, that a group which holds the lock runs on (OBE)
 * fails:   with type = long, all others wait for a holder that is stopped for good; the rest never waits
 * source:  Harris, Optimizing Parallel Reduction in CUDA, NVIDIA 2007 (tree in local memory); gridlock
 * option:  type = int | long | float
 * option:  op = sum | product | min | max
 * param:   items = 100003 in 1..1073741824  length of the input, in items
 * words:   line
 * names:   lock = 0
 * data:    input item items seeded
 * data:    output item 1 ones
 * result:  output[0] = reduce(input)
 * launches: 2
 *
 * The first launch writes the identity of the operation, the second one reduces. A sum of int takes an atomic
 * addition. Other operations on 32 bits take a compare-and-exchange, tried again as often as another group was
 * faster: each group is so once, which bounds the tries. 64-bit atomics are rare, hence the lock.
 */
#include "reduce_local.h"

#if defined(TYPE_LONG)
/* One lock, which names its owner. */
static void add_part(struct gl_self *self, volatile global item *output, item part)
{
    const uint lock = gl_sync(self, 0);
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do {
        gl_spin_look(self, &spin);
        seen = gl_compare_exchange(self->board + lock, 0, self->group + 1);
    } while (gl_spin_goes_on(self, &spin, seen));
    if (!gl_spin_end(self, &spin))
        return;
    gl_takes(self, lock);
    *output = item_combine(*output, part);
    gl_drops(self, lock);
    gl_exchange(self->board + lock, 0);
}
#elif defined(TYPE_FLOAT) || defined(OP_PRODUCT) || defined(OP_MIN) || defined(OP_MAX)
static void add_part(struct gl_self *self, volatile global item *output, item part)
{
    global uint *word = (global uint *)output;
    uint expected = gl_load(word);

    for (uint tries = 0; tries < self->groups; ++tries) {
        const item whole = item_combine(item_from_words((uint2)(expected, 0)), part);
        const uint seen = gl_compare_exchange(word, expected, item_to_words(whole).x);
        if (seen == expected)
            return;
        expected = seen;
    }
}
#else
static void add_part(struct gl_self *self, volatile global item *output, item part)
{
    gl_add((global uint *)output, as_uint(part));
}
#endif

GL_KERNEL void reduce_atomic(global uint *board, global const item *input, global item *output)
{
    local item scratch[GL_LOCAL_SIZE];
    local uint leaving;
    struct gl_self self;
    struct reduce_reads ahead;
    const uint items = gl_parameter(board, GL_OWN + PARAM_ITEMS);

    reduce_read_ahead(&ahead, board, input, items);
    if (!gl_enter(&self, board, &leaving))
        return;
    if (gl_parameter(board, GL_PASS) == 0) {
        if (self.leader && self.group == 0)
            output[0] = ITEM_IDENTITY;
    } else {
        gl_delay(&self, 1);
        const item part = reduce_share(&self, &ahead, scratch, input, items);
        gl_gather(&self);
        if (self.leader)
            add_part(&self, output, part);
        if (!gl_proceed(&self))
            return;
    }
    gl_leave(&self);
}
