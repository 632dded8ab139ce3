/*
 * kernel:  dot_product
 * purpose: a dot product, whose products or whose groups' partial sums the host adds up
 * needs:   nothing
 * fails:   never: no group waits for another
 * source:  gridlock; the sums within a group as Harris, Optimizing Parallel Reduction in CUDA, NVIDIA 2007
 * option:  type = int | long | float
 * option:  finish = host | local
 * param:   items = 100003 in 1..262144  length of the vectors, in items
 * data:    a item items seeded
 * data:    b item items seeded
 * data:    sums item max(items,groups) zero
 * result:  reduce(sums) = dot(a,b)
 *
 * finish = host leaves all products to the host; with finish = local each group adds up its own in local memory,
 * and leaves one sum. What is not written of `sums` is 0.
 */
#include "reduce_local.h"

GL_KERNEL void dot_product(global uint *board, global const item *a, global const item *b, global item *sums)
{
#if defined(FINISH_LOCAL)
    local item scratch[GL_LOCAL_SIZE];
    item sum = 0;
#endif
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint items = gl_own(&self, PARAM_ITEMS);
    const uint stride = self.groups * GL_LOCAL_SIZE;
    gl_delay(&self, 1);
    for (uint i = self.group * GL_LOCAL_SIZE + (uint)get_local_id(0); i < items; i += stride) {
        const item product = item_multiply(a[i], b[i]);
#if defined(FINISH_LOCAL)
        sum = item_add(sum, product);
#else
        sums[i] = product;
#endif
    }
#if defined(FINISH_LOCAL)
    sum = reduce_local(scratch, sum);
    if (self.leader)
        sums[self.group] = sum;
#endif
    gl_leave(&self);
}
