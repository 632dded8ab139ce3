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

kernel void waits_for_the_mistaken(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    if (!gl_barrier(&grid))
        return;
    if (grid.group > 0)
        gl_barrier(&grid);
    else if (gl_lock_mcs(&grid, words))
        gl_unlock_mcs(&grid, words);
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

kernel void scans(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    GL_SCAN(sums, grid, words);
    gl_scan_begin(&sums, &grid);
    while (gl_scan_step(&sums, &grid, 1, 100) == GL_SCAN_ASKS)
        ;
}

kernel void does_not_begin(global uint *gl_words, global uint *words)
{
    if (get_local_id(0) == 0)
        atomic_inc(&words[1]);
}

kernel void has_another_argument(global uint *gl_words, global uint *words, uint more)
{
    GL_BEGIN(grid, gl_words);
}

kernel void has_no_words(ulong4 first, global uint *words)
{
}

kernel __attribute__((reqd_work_group_size(8, 1, 1))) void is_of_8(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
}
