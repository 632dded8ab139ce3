/*
 * kernel:  cohort
 * purpose: a lock for all and one for each pair of groups: the pair hands both over before it gives them back
 * needs:   a group that holds a lock runs on (OBE)
 * fails:   with a fault a pair hands over a lock that it then keeps
 * source:  Dice, Marathe and Shavit, PPoPP 2012 (lock cohorting)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = ticket | named
 * option:  fault = none | kept
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (4*groups+8)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The lock for all may be given back by another group than took it: the word HANDED has its number for the mate.
 * Fault kept: group 1, which gets both from group 0, ends with them, and the others want them only then.
 */
#include "leader.h"
#include "locks.h"

#define HANDED(pair) word_at(self, 2 * self->groups + 4 + (pair))
#define OVER word_at(self, 2 * self->groups + 3)

static bool take_global(struct gl_self *self, struct lock *global_lock, uint pair)
{
    global uint *handed = self->board + HANDED(pair);

    if (gl_load(handed) == 0)
        return lock_take(self, global_lock, 2);
    global_lock->number = gl_load(handed) - 1;
    gl_store(handed, 0);
    lock_note(self, global_lock, 2);
    return true;
}

/* The mate has drawn a number, too. */
static bool mate_waits(struct gl_self *self, const struct lock *mine)
{
    return gl_load(self->board + mine->word + GL_LINE) != mine->number + 1;
}

static void hand_over(struct gl_self *self, const struct lock *global_lock, uint pair)
{
    gl_store(self->board + HANDED(pair), global_lock->number + 1);
#if defined(LOCK_NAMED)
    gl_drops(self, global_lock->word);
#else
    gl_holds(self, 1);
#endif
}

static void act(struct gl_self *self, global uint *sum)
{
    const uint pair = self->group / 2;
    struct lock all = lock_at(self, 0), mine = lock_at(self, 1 + pair);

#if defined(FAULT_KEPT)
    if (self->group > 1 && !gl_wait(self, OVER, 1, 1))
        return;
    if (self->group == 1 && !gl_wait_until(self, mine.word + GL_LINE, GL_UNTIL_DIFFERENT, 0, 0))
        return;
#endif
    if (!lock_take(self, &mine, 1) || !take_global(self, &all, pair))
        return;
#if defined(FAULT_KEPT)
    if (self->group == 1) {
        gl_release(self->board + OVER, 1);
        return;
    }
    if (self->group == 0 && self->groups > 1)
        while (!mate_waits(self, &mine) && gl_load(self->board + GL_STOP) == 0)
            ;
#endif
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    if (mate_waits(self, &mine))
        hand_over(self, &all, pair);
    else
        lock_drop(self, &all, 1);
    lock_drop(self, &mine, 0);
}

GL_KERNEL void cohort(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
