/*
 * kernel:  ping_pong
 * purpose: pairs of groups take turns, each waiting for the other one
 * needs:   both groups of a pair resident together, or fair scheduling
 * fails:   a group waits for its partner, which cannot start before some group leaves
 * source:  gridlock
 * option:  pairing = adjacent | chunked | random
 * option:  access = plain | volatile | atomic
 * words:   groups*line
 * names:   turn counter of group {i} = i*line, i < groups
 * data:    cells uint groups*local-size zero
 * checks:  groups/2*2*rounds*local-size
 *
 * A pair has one word, that of its lower id, which counts the turns taken, and a row of cells, to which each turn adds
 * 1. The lower id has the even turns.
 */
#include "group.h"
#include "handover_pairs.h"
#include "publish.h"

/* Two turns before, this group left `turn - 1` in the cell: what it may still see of it is old. */
static void play(struct gl_self *self, global uint *cell, uint turn)
{
    const uint got = publish_load(cell);

    gl_check(self, turn, got, turn, turn == 0 ? 0 : turn - 1);
    gl_delay(self, turn);
    publish_store(cell, turn + 1);
}

GL_KERNEL void ping_pong(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint partner = pairs_partner(&self);
    const uint rounds = partner != GL_GROUP_NOBODY ? gl_parameter(board, GL_ROUNDS) : 0;
    const uint lower = min(self.group, partner);
    const uint ball = gl_sync(&self, lower * GL_LINE);
    for (uint round = 1; round <= rounds; ++round) {
        const uint turn = 2 * (round - 1) + (self.group > partner);
        gl_gather(&self);
        if (self.leader) {
            gl_round(&self, round);
            gl_wait(&self, ball, turn, partner);
        }
        if (!gl_proceed(&self))
            return;
        play(&self, cells + lower * GL_LOCAL_SIZE + get_local_id(0), turn);
        gl_gather(&self);
        if (self.leader)
            gl_release(board + ball, turn + 1);
    }
    gl_leave(&self);
}
