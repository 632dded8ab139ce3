/* Each function of gridlock.clh in a small kernel, whose needs tests/system/test_emit.py knows. */

/* What the scan adds up: maps of x to (1 + more) * x + plus, one after the other. Their order counts. */
typedef struct {
    float more, plus;
} map;
#define GL_SCAN_TYPE map
#define GL_SCAN_PLUS(f, g) ((map){((f).more + 1) * ((g).more + 1) - 1, ((g).more + 1) * (f).plus + (g).plus})
#include "gridlock.clh"

kernel void bar(global uint *gl_words, global uint *data, global uint *out)
{
    GL_BEGIN(grid, gl_words);
    for (uint r = 1; r <= 2; ++r) {
        data[get_global_id(0)] = r;
        if (!gl_barrier(&grid))
            return;
        uint n = (uint)((get_global_id(0) + get_local_size(0)) % get_global_size(0));
        out[get_global_id(0)] += data[n];
        if (!gl_barrier(&grid))
            return;
    }
}
kernel void levels(global uint *gl_words, global uint *data, global uint *out)
{
    GL_BEGIN(grid, gl_words);
    data[get_global_id(0)] = 1;
    if (!gl_barrier_levels(&grid))
        return;
    uint n = (uint)((get_global_id(0) + get_local_size(0)) % get_global_size(0));
    out[get_global_id(0)] += data[n];
}
kernel void ticket(global uint *gl_words, global uint *lock, global uint *count)
{
    GL_BEGIN(grid, gl_words);
    if (!gl_lock_ticket(&grid, lock))
        return;
    if (grid.leads)
        *count += 1;
    gl_unlock_ticket(&grid, lock);
}
kernel void mcs(global uint *gl_words, global uint *lock, global uint *count)
{
    GL_BEGIN(grid, gl_words);
    if (!gl_lock_mcs(&grid, lock))
        return;
    if (grid.leads)
        *count += 1;
    gl_unlock_mcs(&grid, lock);
}
kernel void chain(global uint *gl_words, global uint *flags, global uint *data)
{
    GL_BEGIN(grid, gl_words);
    uint before = 0;
    if (grid.group > 0) {
        if (!gl_await(&grid, flags + grid.group - 1, 1, grid.group - 1))
            return;
        before = data[grid.group - 1];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (grid.leads)
        data[grid.group] = before + grid.group + 1;
    gl_signal(&grid, flags + grid.group, 1);
}
kernel void once(global uint *gl_words, global uint *word, global uint *data, global uint *out)
{
    GL_BEGIN(grid, gl_words);
    uint t = gl_once(&grid, word);
    if (!t)
        return;
    if (t == GL_ONCE_DO && grid.leads)
        *data = 7;
    gl_once_done(&grid, word);
    out[get_global_id(0)] = *data;
}
kernel void queue_all(global uint *gl_words, global uint *queue, global uint *count)
{
    GL_BEGIN(grid, gl_words);
    uint value, t;
    while ((t = gl_take(&grid, queue, &value)) == GL_TAKEN) {
        if (value < 2 && !gl_push(&grid, queue, 8, value + 1))
            return;
        if (grid.leads)
            gl_add(count + value, 1);
        gl_done(&grid, queue);
    }
}
kernel void scan(global uint *gl_words, global uint *words, global uint *out)
{
    GL_BEGIN(grid, gl_words);
    GL_SCAN(s, grid, words);
    uint end;
    gl_scan_begin(&s, &grid);
    do
        end = gl_scan_step(&s, &grid, (map){s.asked + 1, s.asked + 2}, PATIENCE);
    while (end == GL_SCAN_ASKS);
    if (!end)
        return;
    if (grid.leads)
        out[s.tile] = (uint)s.before.plus;
}
