/* Mistakes of whoever uses gridlock.clh, of which tests/system/test_emit.py knows what is said. */
#include "gridlock.clh"

kernel void right(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    for (uint round = 0; round < 100; ++round)
        if (!gl_barrier(&grid))
            return;
    if (!gl_lock_mcs(&grid, words))
        return;
    gl_unlock_mcs(&grid, words);
}

kernel void returns_early(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    if (grid.group > 0)
        gl_barrier(&grid);
}

kernel void keeps_the_lock(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    if (!gl_lock_mcs(&grid, words))
        return;
}

kernel void waits_for_itself(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    gl_await(&grid, words, 1, grid.group);
}
