/*
 * kernel:  scan_group
 * purpose: a scan within each group: by doubling distances, by a tree, or by the built-in function
 * needs:   nothing
 * fails:   never: no group waits for another
 * source:  Hillis and Steele, CACM 1986 (naive); Blelloch, CMU-CS-90-190, 1990; bank offsets: Harris, Sengupta
 *          and Owens, GPU Gems 3, 2007, chapter 39
 * option:  type = int | long | float
 * option:  algorithm = naive | blelloch | builtin
 * data:    input item groups*local-size seeded
 * data:    output item groups*local-size zero
 * result:  output = group-scan(input)
 *
 * Blelloch's tree goes up, adding pairs, and down again, handing each half the sum of what stands before it.
 * It is for powers of two: the group's values are padded with zeros. Since its steps touch places 2, 4, 8 ...
 * apart, which lie in the same banks of local memory, each 32 places are followed by an empty one.
 */
#if defined(ALGORITHM_BUILTIN)
#include "group_offered.h"
#endif
#include "scan_local.h"

#if defined(ALGORITHM_BLELLOCH)

/* TREE is the least power of two not below the group's size: that minus 1 has each bit below its highest set. */
enum {
    BITS_1 = GL_LOCAL_SIZE - 1,
    BITS_2 = BITS_1 | BITS_1 >> 1,
    BITS_4 = BITS_2 | BITS_2 >> 2,
    BITS_8 = BITS_4 | BITS_4 >> 4,
    TREE = (BITS_8 | BITS_8 >> 8) + 1,
    TREE_ITEMS = TREE + TREE / 32
};

static uint place(uint i)
{
    return i + i / 32;
}

/* Adds pairs whose right ends are 2, 4, 8 ... apart: the last place gets the sum of all. */
GL_INLINE void tree_up(local item *tree, uint me)
{
    for (uint half_span = 1; half_span < TREE; half_span *= 2) {
        const uint right = (me + 1) * 2 * half_span - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < TREE)
            tree[place(right)] = item_add(tree[place(right - half_span)], tree[place(right)]);
    }
}

/* Hands down: the left half gets what its pair got, the right half that and the sum of the left. */
GL_INLINE void tree_down(local item *tree, uint me)
{
    for (uint half_span = TREE / 2; half_span > 0; half_span /= 2) {
        const uint right = (me + 1) * 2 * half_span - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < TREE) {
            const item left = tree[place(right - half_span)];
            tree[place(right - half_span)] = tree[place(right)];
            tree[place(right)] = item_add(tree[place(right)], left);
        }
    }
}

GL_INLINE item scan_by_tree(local item *tree, item value)
{
    const uint me = (uint)get_local_id(0);

    for (uint i = me; i < TREE; i += GL_LOCAL_SIZE)
        tree[place(i)] = i < GL_LOCAL_SIZE ? value : 0;
    tree_up(tree, me);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        tree[place(TREE - 1)] = 0;
    tree_down(tree, me);
    barrier(CLK_LOCAL_MEM_FENCE);
    return item_add(tree[place(me)], value); /* the tree's scan leaves out the value itself */
}

#define SCRATCH_ITEMS TREE_ITEMS
#else
#define SCRATCH_ITEMS SCAN_LOCAL_ITEMS
#endif

GL_KERNEL void scan_group(global uint *board, global const item *input, global item *output)
{
#if !defined(ALGORITHM_BUILTIN)
    local item scratch[SCRATCH_ITEMS];
#endif
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint i = self.group * GL_LOCAL_SIZE + (uint)get_local_id(0);
#if defined(ALGORITHM_BLELLOCH)
    output[i] = scan_by_tree(scratch, input[i]);
#elif defined(ALGORITHM_BUILTIN)
    output[i] = work_group_scan_inclusive_add(input[i]);
#else
    item total;
    output[i] = scan_local(scratch, input[i], &total);
#endif
    gl_leave(&self);
}
