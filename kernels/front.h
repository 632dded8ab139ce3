/*
 * What runs in front of the body of a kernel of the user's, so that its limit is measured: a census, or rounds of a
 * global barrier. The body does not run. Groups may have up to three dimensions; those of a launch lie along the first.
 *
 * It is put in front of the user's text, with other names (device/subject.c): no name of theirs means anything here,
 * and none of these anything there. The decision is in global memory, because a word of local memory would make the
 * footprint larger.
 */
#define GL_SHAPED
#include "rounds.h"

/* Of the argument that is appended: this name is a macro nowhere. */
typedef global uint *gl_words;

/* True, for all work-items: the body is to run; it never is. */
GL_INLINE bool gl_in_front(global uint *board)
{
    struct gl_self self;

    if (gl_enter(&self, board, 0)) {
        gl_barriers(&self);
        /* The whole group keeps its place until its leader is done. */
        gl_gather(&self);
    }
    return gl_load(board + GL_SALT) != 0;
}
