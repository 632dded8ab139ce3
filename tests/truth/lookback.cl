/*
 * kernel:  lookback
 * purpose: a scan in which a group adds up what those before it have, back to one that knows its whole sum
 * needs:   groups that come before have started
 * fails:   by descending ids groups wait for some that never start
 * source:  Merrill and Garland, NVR-2016-002, 2016
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  order = ticket | id | descending
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (2*groups+2)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * A group's place is its id, its number in the order of starts, or the id counted from the end. That in the middle
 * computes before it tells its own part.
 */
#include "leader.h"

#define TICKET word_at(self, 0)
#define STATE(place) word_at(self, 2 + 2 * (place))
#define SUM(place) word_at(self, 3 + 2 * (place))
#define PART 1u
#define WHOLE 2u

static void tell(struct gl_self *self, uint place, uint state, uint sum)
{
    gl_store(self->board + SUM(place), sum);
    gl_release(self->board + STATE(place), state);
}

static uint owner_of(struct gl_self *self, uint place)
{
#if defined(ORDER_TICKET)
    return GL_GROUP_ANY; /* nobody says who drew this number */
#elif defined(ORDER_ID)
    return place;
#else
    return self->groups - 1 - place;
#endif
}

static void act(struct gl_self *self, global uint *sum)
{
    uint total = 1, place = self->group;

#if defined(ORDER_TICKET)
    place = gl_add(self->board + TICKET, 1);
#elif defined(ORDER_DESCENDING)
    place = self->groups - 1 - self->group;
#endif
    if (place == self->groups / 2)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    if (place > 0)
        tell(self, place, PART, 1);
    for (uint other = place; other-- > 0;) {
        if (!gl_wait(self, STATE(other), PART, owner_of(self, other)))
            return;
        const uint state = gl_load(self->board + STATE(other));
        gl_fence();
        total += gl_load(self->board + SUM(other));
        if (state == WHOLE)
            break;
    }
    tell(self, place, WHOLE, total);
}

GL_KERNEL void lookback(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
