/*
 * kernel:  work_group_size
 * purpose: a copy of a box of values, for the time that each shape of work-group takes
 * needs:   nothing
 * fails:   never: no group waits for another
 * source:  Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, NVIDIA 2009 (what mappings cost); gridlock
 * option:  mapping = row | column
 * option:  barrier = no | yes
 * option:  attribute = none | hint | reqd
 * param:   width = 500 in 1..65536   extent of the box, in items
 * param:   height = 200 in 1..65536  likewise
 * param:   depth = 20 in 1..65536    likewise
 * range:   width height depth
 * data:    input uint width*height*depth index
 * data:    output uint width*height*depth ones
 * checks:  3
 * result:  output = input
 *
 * mapping: row has neighbours of the first dimension copy neighbouring items, column has them copy items that are as
 * far apart as the other dimensions together are long. barrier: one of the work-group between reading and writing;
 * work-items beyond the box, which a padded range has, take part in it. attribute: what the kernel is
 * declared with, work_group_size_hint or reqd_work_group_size.
 */
#include "group.h"

#if defined(ATTRIBUTE_NONE)
#define SHAPE
#elif GL_LOCAL_X == 0
#error unsupported: an attribute needs a shape, and here the driver chooses it
#elif defined(ATTRIBUTE_HINT)
#define SHAPE __attribute__((work_group_size_hint(GL_LOCAL_X, GL_LOCAL_Y, GL_LOCAL_Z)))
#elif defined(ATTRIBUTE_REQD)
#define SHAPE __attribute__((reqd_work_group_size(GL_LOCAL_X, GL_LOCAL_Y, GL_LOCAL_Z)))
#endif

/* The box as the launch sees it: dimensions that the launch does not have are folded into its last one. */
static uint extent(global const uint *board, uint dimension)
{
    uint extents[3] = {board[GL_OWN + PARAM_WIDTH], board[GL_OWN + PARAM_HEIGHT], board[GL_OWN + PARAM_DEPTH]};
    for (uint i = 2; i >= GL_DIMENSIONS; --i)
        extents[i - 1] *= extents[i];
    return dimension < GL_DIMENSIONS ? extents[dimension] : 1;
}

/* 0 in dimensions that the launch does not have. */
static uint position(uint dimension)
{
    return dimension < GL_DIMENSIONS ? (uint)get_global_id(dimension) : 0;
}

/* Where the item of this work-item is. A launch in one dimension goes along rows, or down columns. */
static uint place(global const uint *board)
{
    const uint x = position(0);
    const uint y = position(1);
    const uint z = position(2);
#if defined(MAPPING_ROW)
    return (z * extent(board, 1) + y) * extent(board, 0) + x;
#elif GL_DIMENSIONS == 1
    const uint columns = board[GL_OWN + PARAM_WIDTH];
    const uint rows = extent(board, 0) / columns;
    return x % rows * columns + x / rows;
#else
    return (x * extent(board, 1) + y) * extent(board, 2) + z;
#endif
}

SHAPE kernel void work_group_size(global uint *board, global const uint *input, global uint *output)
{
    const bool inside =
        position(0) < extent(board, 0) && position(1) < extent(board, 1) && position(2) < extent(board, 2);
    uint at = 0;
    uint item = 0;

    gl_enter_range(board);
    if (inside) {
        at = place(board);
        item = input[at];
    }
#if defined(BARRIER_YES)
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (inside)
        output[at] = item;
}
