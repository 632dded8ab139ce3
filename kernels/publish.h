/*
 * What a barrier or a lock must publish: in each round every work-item writes a cell, and after the barrier it reads a
 * cell that another group wrote in this round. The kernel's option `access` says how cells are read and written:
 *
 *   ACCESS_PLAIN     as ordinary variables; the barrier's fences alone must make them visible
 *   ACCESS_VOLATILE  as volatile variables
 *   ACCESS_ATOMIC    by gl_load and gl_store
 *
 * There are 2 * groups * GL_LOCAL_SIZE cells, of a word each: rounds alternate, so that no group can write a cell that
 * another group still reads. One barrier a round is enough for that.
 */
#ifndef GRIDLOCK_PUBLISH_H
#define GRIDLOCK_PUBLISH_H

#include "group.h"

static void publish_store(global uint *cell, uint value)
{
#if defined(ACCESS_VOLATILE)
    *(volatile global uint *)cell = value;
#elif defined(ACCESS_ATOMIC)
    gl_store(cell, value);
#else
    *cell = value;
#endif
}

static uint publish_load(global uint *cell)
{
#if defined(ACCESS_VOLATILE)
    return *(volatile global uint *)cell;
#elif defined(ACCESS_ATOMIC)
    return gl_load(cell);
#else
    return *cell;
#endif
}

/* What work-item `item` of the launch writes in a round; before the first round cells are 0. */
static uint publish_value(uint item, uint round)
{
    return round == 0 ? 0 : gl_hash(item) + round;
}

static global uint *publish_cell(const struct gl_self *self, global uint *cells, uint item, uint round)
{
    return cells + (round % 2) * self->groups * GL_LOCAL_SIZE + item;
}

/* This work-item's write of the round, as a member of group number `member`; rounds count from 1. */
static void publish_write_as(const struct gl_self *self, global uint *cells, uint round, uint member)
{
    const uint item = member * GL_LOCAL_SIZE + (uint)get_local_id(0);
    publish_store(publish_cell(self, cells, item, round), publish_value(item, round));
}

static void publish_write(const struct gl_self *self, global uint *cells, uint round)
{
    publish_write_as(self, cells, round, self->group);
}

/*
 * Reads what the work-item of group number `member` with the same local id wrote in this round. The value of any
 * earlier round is stale, not only that of the previous one: a cache may keep a line for many rounds.
 */
static void publish_check_of(struct gl_self *self, global uint *cells, uint round, uint member)
{
    const uint item = member * GL_LOCAL_SIZE + (uint)get_local_id(0);
    const uint wanted = publish_value(item, round);
    const uint got = publish_load(publish_cell(self, cells, item, round));
    gl_check(self, item, got, wanted, wanted - got < round ? got : 0);
}

/* The number after `member` of those from `first` on, in a circle of `count`. */
static uint publish_next(uint member, uint first, uint count)
{
    return member + 1 < first + count ? member + 1 : first;
}

static void publish_check(struct gl_self *self, global uint *cells, uint round)
{
    publish_check_of(self, cells, round, publish_next(self->group, 0, self->groups));
}

#endif
