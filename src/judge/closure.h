/*
 * Closed sets of waiting groups: no wait leads out of one to a group that may still go on, or that could still start.
 * Whatever the groups outside do, those inside stay where they are; so such a set is a stall, and nothing else is.
 */
#pragma once

#include "core/board.h"

/* What a group is to a set: a byte for each. */
enum closure_mark {
    CLOSURE_FREE,   /* it may still go on, or has ended, or has not started */
    CLOSURE_STUCK,  /* it waits for what is not there */
    CLOSURE_UNSEEN, /* it waits for what is there, and does not see it */
};

/*
 * Leaves the largest closed set of those that are marked. A group that has not started could do so as long as one that
 * has started may still end. A group that does not see what is there may wait for more than the board says, so its wait
 * leads out like any other. A wait leads
 * - to the group that it names, or that the lock's word names;
 * - GL_GROUP_HOLDER: to each group that says that it holds the lock, or may hold it; if none does, to all;
 * - GL_GROUP_ALL, GL_GROUP_ANY, and where a name is no group's: to all. A kernel may say its round before it arrives,
 *   or none at all, so rounds do not tell whom a barrier waits for while groups still run;
 * - GL_GROUP_HOST: to the host, which may always go on.
 * Returns how many groups are left. Time: a few passes over the groups.
 */
uint32_t closure_find(const struct board *board, unsigned char *marks);

/* The same of all groups that wait for what is not there, as one look at a board that stands still shows them. */
uint32_t closure_of_board(const struct board *board, unsigned char *marks);
