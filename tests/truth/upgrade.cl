/*
 * kernel:  upgrade
 * purpose: readers of a lock who want to write wait until they are the only ones
 * needs:   all other readers leave
 * fails:   two who want to write wait for each other, for ever
 * source:  Courtois, Heymans and Parnas, CACM 1971 (readers and writers)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  writers = one | two
 * param:   ms = 100 in 0..60000  how long the last group reads
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   2*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * All read, which they find out by a barrier. Group 0 wants to write; with two writers the last group does so, too.
 */
#include "busy.h"

static bool all_read(struct gl_self *self)
{
    const uint readers = gl_sync(self, 0);
    const uint came = gl_sync(self, GL_LINE);
    gl_round(self, 1);
    gl_add(self->board + readers, 1);
    gl_holds(self, 1);
    gl_add(self->board + came, 1);
    return gl_wait(self, came, self->groups, GL_GROUP_ALL);
}

static void read_and_write(struct gl_self *self, global uint *sum)
{
    const uint readers = gl_sync(self, 0);
    const uint last = self->groups - 1;

    if (!all_read(self))
        return;
    if (self->group == last)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(WRITERS_TWO)
    const bool writes = self->group == 0 || self->group == last;
#else
    const bool writes = self->group == 0;
#endif
    if (writes && !gl_wait_until(self, readers, GL_UNTIL_EQUAL, 1, GL_GROUP_HOLDER))
        return;
    gl_holds(self, 0);
    gl_add(self->board + readers, 0u - 1u);
}

GL_KERNEL void upgrade(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        read_and_write(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
