/*
 * kernel:  meets
 * purpose: barriers of several kinds, and two that are crossed
 * needs:   all groups resident together
 * fails:   crossed: each barrier lacks those that are at the other one
 * source:  Hensgen, Finkel and Manber, IJPP 1988 (dissemination); Mellor-Crummey and Scott, ACM TOCS 1991 (sense)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = sense | dissemination | cluster | crossed
 * option:  said = yes | no
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (groups+4)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The last group computes before it arrives. Groups say their rounds, or do not. cluster: the second of each two groups
 * tells the first one, and these tell group 0. crossed: group 0 comes to one barrier first, and all others to the
 * other.
 */
#include "leader.h"

#define COUNT word_at(self, 0)
#define OTHER word_at(self, 1)
#define SENSE word_at(self, 2)
#define MINE(group) word_at(self, 4 + (group))
#define ROUNDS 3u

static void say(struct gl_self *self, uint round)
{
#if defined(SAID_YES)
    gl_round(self, round);
#endif
}

#if defined(WAY_SENSE)

/* The last one to arrive sets the counter back and turns the sense around. */
static bool meet(struct gl_self *self, uint round)
{
    const uint sense = round % 2;

    say(self, round);
    if (gl_add(self->board + COUNT, 1) + 1 < self->groups)
        return gl_wait_until(self, SENSE, GL_UNTIL_EQUAL, sense, GL_GROUP_ALL);
    gl_store(self->board + COUNT, 0);
    gl_release(self->board + SENSE, sense);
    return true;
}

#elif defined(WAY_DISSEMINATION)

/* In step k each group tells the one 2^k further, and waits for the one 2^k before; steps are counted through. */
static bool meet(struct gl_self *self, uint round)
{
    uint steps = 0, step = 0;

    say(self, round);
    for (uint apart = 1; apart < self->groups; apart *= 2)
        ++steps;
    for (uint apart = 1; apart < self->groups; apart *= 2) {
        const uint before = (self->group + self->groups - apart) % self->groups;
        const uint value = (round - 1) * steps + ++step;
        gl_release(self->board + MINE(self->group), value);
        if (!gl_wait(self, MINE(before), value, before))
            return false;
    }
    return true;
}

#elif defined(WAY_CLUSTER)

static bool meet(struct gl_self *self, uint round)
{
    const uint first = self->group / 2 * 2;
    const bool has_second = first + 1 < self->groups;

    say(self, round);
    if (self->group != first) {
        gl_release(self->board + MINE(self->group), round);
        return gl_wait(self, MINE(first), round, first);
    }
    if (has_second && !gl_wait(self, MINE(first + 1), round, first + 1))
        return false;
    if (gl_add(self->board + COUNT, 1) + 1 == round * ((self->groups + 1) / 2))
        gl_release(self->board + SENSE, round);
    if (!gl_wait(self, SENSE, round, GL_GROUP_ANY))
        return false;
    gl_release(self->board + MINE(first), round);
    return true;
}

#else

static bool meet_at(struct gl_self *self, uint word, uint round)
{
    say(self, round);
    gl_add(self->board + word, 1);
    return gl_wait(self, word, self->groups, GL_GROUP_ALL);
}

static bool meet(struct gl_self *self, uint round)
{
    const bool first = self->group == 0;

    return round > 1 || (meet_at(self, first ? COUNT : OTHER, 1) && meet_at(self, first ? OTHER : COUNT, 2));
}

#endif

static void act(struct gl_self *self, global uint *sum)
{
    for (uint round = 1; round <= ROUNDS; ++round) {
        if (self->group == self->groups - 1)
            busy_ms(self, sum, gl_own(self, PARAM_MS));
        if (!meet(self, round))
            return;
    }
}

GL_KERNEL void meets(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
