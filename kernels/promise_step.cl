/*
 * kernel:  promise_step
 * purpose: one launch of a chain: each work-item checks what another one left in the launch before
 * needs:   nothing
 * fails:   a word that was not yet, or no longer, of the launch before makes all that come after it wrong
 * source:  gridlock
 */
#define STEP_WRONG 0xdead0000u

kernel void promise_step(global uint *from, global uint *to, uint step, uint turns)
{
    const uint id = (uint)get_global_id(0);
    const uint count = (uint)get_global_size(0);
    const uint seen = from[(id + count / 2 + 1) % count];
    uint turn = 0;

    while (turn < turns && *(volatile global uint *)(from + id) != 0xffffffffu)
        ++turn;
    to[id] = seen == step && turn == turns ? step + 1 : STEP_WRONG;
}
