/*
 * kernel:  promise_loop
 * purpose: whether a loop ends only where its code ends: how many turns each work-item has made
 * needs:   nothing
 * fails:   a loop that the driver ended says too few
 * source:  gridlock
 *
 * GL_LOOP is 0: a loop that counts; 1: one whose condition stays true until its bound; 2: two nested ones.
 */

/*
 * A xorshift generator (Marsaglia, Journal of Statistical Software 2003) never becomes 0, and no compiler knows that.
 */
static uint step(uint state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

kernel void promise_loop(global uint *out, uint bound)
{
    const uint id = (uint)get_global_id(0);
    uint state = out[2 * id] + 1;
    uint turns = 0;

#if GL_LOOP == 0
    for (uint i = 0; i < bound; ++i) {
        state = step(state);
        turns += state != 0;
    }
#elif GL_LOOP == 1
    while (state != 0 && turns < bound) {
        state = step(state);
        ++turns;
    }
#else
    for (uint i = 0; i < bound / 1000; ++i)
        for (uint j = 0; j < 1000; ++j) {
            state = step(state);
            turns += state != 0;
        }
#endif
    out[2 * id] = turns;
    out[2 * id + 1] = 1;
}
