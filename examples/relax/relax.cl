/* A rod whose ends are kept hot and cold: each step takes the mean of neighbours, and all groups meet after it. */
#include "gridlock.clh"

kernel void relax(global uint *gl_words, uint first, uint end, global float *even, global float *odd, uint cells)
{
    GL_BEGIN(grid, gl_words);
    for (uint step = first; step < end; ++step) {
        global float *const from = step % 2 == 0 ? even : odd, *const to = step % 2 == 0 ? odd : even;
        for (uint i = get_global_id(0) + 1; i + 1 < cells; i += get_global_size(0))
            to[i] = 0.5f * (from[i - 1] + from[i + 1]);
        if (step + 1 < end && !gl_barrier(&grid))
            return;
    }
}
