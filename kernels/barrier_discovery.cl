/*
 * kernel:  barrier_discovery
 * purpose: a barrier among those groups only that were found to be resident, safe for any number of groups
 * needs:   a group that has started runs on (OBE)
 * fails:   a group that was discovered and is then kept off its processor for good stops all the others
 * source:  Sorensen, Donaldson, Batty, Gopalakrishnan and Rakamaric, OOPSLA 2016
 * option:  access = plain | volatile | atomic
 * option:  fault = none | open-poll
 * words:   (3+groups)*line
 * names:   next ticket = 0
 * names:   now serving = line
 * names:   poll = 2*line
 * names:   arrival flag of participant {i} = (3+i)*line, i < groups
 * names:   release flag of participant {i} = (3+i)*line+1, i < groups
 * names:   id of participant {i} = (3+i)*line+2, i < groups
 * data:    cells uint 2*groups*local-size zero
 * data:    made uint groups*local-size zero
 * data:    due uint 1 zero
 * result:  reduce(made) = reduce(due)
 *
 * A group that finds the poll open is a participant: it gets the next number, then takes the lock again and closes
 * the poll. From then on the number of participants stands. The lock is fair, so groups that already wait for
 * it come in first. Whoever finds the poll closed leaves at once. The barrier is that of barrier_flags, with
 * the first participant as master. How many take part is chance: `due` is the checks that the master counts
 * on, `made` those that each work-item made. Where groups start slowly (CPU drivers wake threads) the first one
 * may have closed the poll before any other one starts; jitter keeps the poll open for longer.
 *
 * Fault open-poll: nobody closes the poll, and each participant takes for granted that it is the last. The first
 * one then is a master over nobody; all others wait for it, when it has long left.
 */
#include "group.h"
#include "publish.h"

#define LOCK_NEXT 0
#define LOCK_NOW GL_LINE
#define POLL (2 * GL_LINE) /* participants, and GL_CLOSED */
#define MEMBERS (3 * GL_LINE)

/* Words of a participant, from its line on. */
#define MEMBER_IN 0
#define MEMBER_OUT 1
#define MEMBER_ID 2

struct party {
    uint member; /* number of this group among the participants, or GL_GROUP_NOBODY */
    uint count;  /* participants */
};

static uint member_word(const struct gl_self *self, uint member, uint word)
{
    return gl_sync(self, MEMBERS + member * GL_LINE + word);
}

static bool lock_poll(struct gl_self *self, uint *ticket)
{
    const uint lock = gl_sync(self, LOCK_NOW);

    *ticket = gl_add(self->board + gl_sync(self, LOCK_NEXT), 1);
    if (!gl_wait_lock(self, lock, GL_UNTIL_REACHED, *ticket, lock))
        return false;
    gl_takes(self, lock);
    return true;
}

static void unlock_poll(struct gl_self *self, uint ticket)
{
    const uint lock = gl_sync(self, LOCK_NOW);

    gl_drops(self, lock);
    gl_release(self->board + lock, ticket + 1);
}

/* Finds out whether this group takes part, and with how many. The leader calls it. */
GL_INLINE void discover(struct gl_self *self, local struct party *party)
{
    global uint *poll = self->board + gl_sync(self, POLL);
    uint ticket;

    party->member = GL_GROUP_NOBODY;
    party->count = 0;
    /* Once the poll is closed it stays so: who comes later need not queue for the lock. */
    if ((gl_load(poll) & GL_CLOSED) || !lock_poll(self, &ticket))
        return;
    const uint found = gl_load(poll);
    const bool joins = !(found & GL_CLOSED);
    if (joins) {
        gl_store(self->board + member_word(self, found, MEMBER_ID), self->group);
        gl_store(poll, found + 1);
        party->member = found;
        party->count = found + 1;
    }
    unlock_poll(self, ticket);
#if !defined(FAULT_OPEN_POLL)
    gl_delay(self, 0);
    if (joins && lock_poll(self, &ticket)) {
        party->count = gl_load(poll) & ~GL_CLOSED;
        gl_store(poll, party->count | GL_CLOSED);
        unlock_poll(self, ticket);
    }
#endif
}

static uint member_id(const struct gl_self *self, uint member)
{
    return gl_load(self->board + member_word(self, member, MEMBER_ID));
}

static void arrive_and_wait(struct gl_self *self, struct party party, uint round)
{
    gl_round(self, round);
    if (party.member != 0) {
        gl_release(self->board + member_word(self, party.member, MEMBER_IN), round);
        gl_wait(self, member_word(self, party.member, MEMBER_OUT), round, member_id(self, 0));
        return;
    }
    for (uint member = 1; member < party.count; ++member)
        if (!gl_wait(self, member_word(self, member, MEMBER_IN), round, member_id(self, member)))
            return;
    for (uint member = 1; member < party.count; ++member)
        gl_release(self->board + member_word(self, member, MEMBER_OUT), round);
}

/* False: a wait did not come true. */
static bool take_part(struct gl_self *self, struct party party, global uint *cells)
{
    const uint rounds = gl_parameter(self->board, GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        publish_write_as(self, cells, round, party.member);
        gl_gather(self);
        if (self->leader)
            arrive_and_wait(self, party, round);
        if (!gl_proceed(self))
            return false;
        publish_check_of(self, cells, round, publish_next(party.member, 0, party.count));
    }
    return true;
}

GL_KERNEL void barrier_discovery(global uint *board, global uint *cells, global uint *made, global uint *due)
{
    local struct party found;
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    if (self.leader)
        discover(&self, &found);
    if (!gl_proceed(&self))
        return;
    const struct party party = found;
    if (party.member != GL_GROUP_NOBODY) {
        if (!take_part(&self, party, cells))
            return;
        made[get_global_id(0)] = self.checked;
        if (self.leader && party.member == 0)
            due[0] = party.count * GL_LOCAL_SIZE * gl_parameter(board, GL_ROUNDS);
    }
    gl_leave(&self);
}
