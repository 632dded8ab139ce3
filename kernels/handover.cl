/*
 * kernel:  handover
 * purpose: in pairs of groups one writes data and raises a flag, the other one waits for it
 * needs:   direction = up: lower ids first (HSA); down: all groups resident together, or fair scheduling
 * fails:   waiting groups keep the places that the groups need that they wait for
 * source:  Sorensen, Evrard and Donaldson, CONCUR 2018 (producer and consumer)
 * option:  direction = up | down
 * option:  pairing = adjacent | chunked | random
 * option:  access = plain | volatile | atomic
 * words:   groups*line
 * names:   flag of group {i} = i*line, i < groups
 * data:    cells uint groups*rounds*local-size zero
 * checks:  groups/2*rounds*local-size
 *
 * Data go from the lower to the higher id (up), so the higher one waits, or the other way (down). Only one of the
 * two ever waits: the producer has other cells for each round, and never looks whether they were read.
 */
#include "group.h"
#include "handover_pairs.h"
#include "publish.h"

/* The producer tells, or its partner waits to be told, that the data of the round are there. */
static void hand_over(struct gl_self *self, bool produces, uint producer, uint round)
{
    const uint flag = gl_sync(self, producer * GL_LINE);

    gl_round(self, round);
    if (produces)
        gl_release(self->board + flag, round);
    else
        gl_wait(self, flag, round, producer);
}

GL_KERNEL void handover(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint partner = pairs_partner(&self);
    const uint rounds = partner != GL_GROUP_NOBODY ? gl_parameter(board, GL_ROUNDS) : 0;
#if defined(DIRECTION_DOWN)
    const bool produces = self.group > partner;
#else
    const bool produces = self.group < partner;
#endif
    const uint producer = produces ? self.group : partner;
    const uint item = producer * GL_LOCAL_SIZE + (uint)get_local_id(0);
    for (uint round = 1; round <= rounds; ++round) {
        global uint *cell = cells + item * rounds + round - 1;
        if (produces) {
            gl_delay(&self, round);
            publish_store(cell, publish_value(item, round));
        }
        gl_gather(&self);
        if (self.leader)
            hand_over(&self, produces, producer, round);
        if (!gl_proceed(&self))
            return;
        if (!produces)
            gl_check(&self, item, publish_load(cell), publish_value(item, round), 0);
    }
    gl_leave(&self);
}
