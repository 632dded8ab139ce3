/* What tests/bench/emitted.py times of gridlock.clh: barriers, locks and a scan. */
#include "gridlock.clh"

/* Every `rounds` barriers; with `checks` each work-item reads after each what one of another group wrote before it. */
kernel void barriers(global uint *gl_words, uint rounds, uint checks, global uint *cells, global uint *wrong)
{
    GL_BEGIN(grid, gl_words);
    const uint items = (uint)get_global_size(0), item = (uint)get_global_id(0);
    uint stale = 0;
    for (uint round = 1; round <= rounds; ++round) {
        if (checks)
            cells[round % 2 * items + item] = round;
        if (!gl_barrier(&grid))
            return;
        if (checks) {
            const uint other = (grid.group + round) % grid.groups * (uint)get_local_size(0) + (uint)get_local_id(0);
            stale += cells[round % 2 * items + other] != round;
        }
    }
    if (stale)
        gl_add(wrong, stale);
}

/* A step of a program that has one launch for each. */
kernel void one_step(global uint *gl_words, uint rounds, uint checks, global uint *cells, global uint *wrong)
{
    if (checks)
        cells[get_global_id(0)] = rounds;
}

/* Each group takes the lock so many times, and adds 1 to a word that it protects. */
kernel void tickets(global uint *gl_words, uint rounds, uint checks, global uint *cells, global uint *wrong)
{
    GL_BEGIN(grid, gl_words);
    for (uint round = 0; round < rounds; ++round) {
        if (!gl_lock_ticket(&grid, cells + GRIDLOCK_LINE))
            return;
        if (grid.leads)
            *cells += 1;
        gl_unlock_ticket(&grid, cells + GRIDLOCK_LINE);
    }
}

kernel void queued(global uint *gl_words, uint rounds, uint checks, global uint *cells, global uint *wrong)
{
    GL_BEGIN(grid, gl_words);
    for (uint round = 0; round < rounds; ++round) {
        if (!gl_lock_mcs(&grid, cells + GRIDLOCK_LINE))
            return;
        if (grid.leads)
            *cells += 1;
        if (!gl_unlock_mcs(&grid, cells + GRIDLOCK_LINE))
            return;
    }
}

/* Sums up to each of the words behind `cells`, into those behind them; a group has 16 words a work-item. */
kernel void scan(global uint *gl_words, uint rounds, uint checks, global uint *cells, global uint *tiles)
{
    local uint sums[256];
    GL_BEGIN(grid, gl_words);
    GL_SCAN(chain, grid, tiles);
    gl_scan_begin(&chain, &grid);
    const uint item = (uint)get_local_id(0), items = (uint)get_local_size(0);
    global const uint4 *const in = (global const uint4 *)cells + chain.tile * items * 4 + item;
    global uint4 *const out = (global uint4 *)cells + (grid.groups + chain.tile) * items * 4 + item;
    uint4 values[4];
    uint before[4], all = 0;
    for (uint part = 0; part < 4; ++part)
        values[part] = in[part * items];
    for (uint part = 0; part < 4; ++part) {
        values[part].y += values[part].x;
        values[part].z += values[part].y;
        values[part].w += values[part].z;
        sums[item] = values[part].w;
        for (uint step = 1; step < items; step *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const uint more = item >= step ? sums[item - step] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            sums[item] += more;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        before[part] = all + sums[item] - values[part].w;
        all += sums[items - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (gl_scan_step(&chain, &grid, all, 0) == 0) /* every group that has started goes on */
        return;
    for (uint part = 0; part < 4; ++part)
        out[part * items] = values[part] + (uint4)(chain.before + before[part]);
}
