/* A mistake that no launch can tell: some work-items of a group skip the barrier. */
#include "gridlock.clh"

kernel void skips(global uint *gl_words, global uint *words)
{
    GL_BEGIN(grid, gl_words);
    if (get_local_id(0) != 1 && !gl_barrier(&grid))
        return;
    words[get_global_id(0)] = 1;
}
