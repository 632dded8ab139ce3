/*
 * Where functions of gridlock.clh may stand: behind a condition, and in loops that all of a group leave together. Each
 * kernel is right if one work-item of a group does what the leader does; work-items part at the end, by `differs`.
 */
#include "gridlock.clh"

kernel void takes(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    global uint *const queue = words + 256;
    const uint differs = words[128 + get_local_id(0)] != get_local_id(0) % 3;
    const uint more = gl_push(&grid, queue, 8, 0);
    for (uint value; more && gl_take(&grid, queue, &value) == GL_TAKEN; gl_done(&grid, queue)) {
        if (value < 2 && !gl_push(&grid, queue, 8, value + 1))
            return;
        if (grid.leads)
            gl_add(words + 1, 1);
    }
    if (differs)
        gl_add(words + 2, 1);
}

kernel void scans(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    const uint differs = words[128 + get_local_id(0)] != get_local_id(0) % 3;
    GL_SCAN(sums, grid, words + 256);
    gl_scan_begin(&sums, &grid);
    while (gl_scan_step(&sums, &grid, 3, 100) == GL_SCAN_ASKS)
        ;
    if (grid.leads)
        gl_add(words + 1, sums.before + 3);
    if (differs)
        gl_add(words + 2, 1);
}

kernel void meets(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    const uint differs = words[128 + get_local_id(0)] != get_local_id(0) % 3;
    uint rounds = 0;
    while (rounds < words[0] + 2 && gl_barrier(&grid))
        if (++rounds < 9 && grid.leads)
            gl_add(words + 1, 1);
    if (words[0] == 0 && !gl_lock_ticket(&grid, words + 256))
        return;
    if (grid.leads)
        gl_add(words + 1, 1);
    gl_unlock_ticket(&grid, words + 256);
    if (differs)
        gl_add(words + 2, 1);
}

kernel void does_once(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    const uint differs = words[128 + get_local_id(0)] != get_local_id(0) % 3;
    const uint turn = gl_once(&grid, words + 256);
    if (turn == 0)
        return;
    if (turn == GL_ONCE_DO && grid.leads)
        gl_add(words + 1, 3);
    gl_once_done(&grid, words + 256);
    if (differs)
        gl_add(words + 2, 1);
}
