/*
 * kernel:  barrier_units
 * purpose: a barrier in two levels, by compute unit: the last group on a unit arrives for it, and releases it
 * needs:   all groups resident together, or fair scheduling
 * fails:   above the resident limit the groups of a unit wait for one that cannot start, and all units for that unit
 * source:  gridlock; levels as in Xiao and Feng, IPDPS 2010 (GPU tree-based synchronization)
 * option:  access = plain | volatile | atomic
 * option:  board = on | off
 * param:   units = compute-units in 1..65536  units; a group is on unit %smid modulo this in dialect ptx, else on its
 *          id modulo this
 * param:   silent = 0 in 0..1  1: work-items neither write nor read cells, so that only the barrier takes time
 * words:   line*(3+3*units)
 * names:   counter of units = 0
 * names:   counter of groups = line
 * names:   units in use = 2*line
 * names:   members of unit {i} = (3+3*i)*line, i < units
 * names:   counter of unit {i} = (4+3*i)*line, i < units
 * names:   release flag of unit {i} = (5+3*i)*line, i < units
 * data:    cells uint 2*groups*local-size zero
 * checks:  (1-silent)*rounds*groups*local-size
 *
 * Thousands of groups that add to one word, and poll it, get into each other's way. Here those of a unit
 * meet at a word of their own; a unit's last one goes on to the word of all, and then raises the unit's flag.
 * How many groups are on each unit is not known before they are there: they count themselves, and meet
 * once at a central barrier.
 */
#include "group.h"
#include "publish.h"
#include "unit.h"

/* What a group knows of its unit. */
struct unit {
    uint arrivals; /* words on the board */
    uint flag;
    uint members; /* groups on it */
    uint units;   /* with groups on them */
};

static bool join_unit(struct gl_self *self, struct unit *unit)
{
    const uint all = gl_sync(self, GL_LINE);
    const uint units = gl_sync(self, 2 * GL_LINE);
    const uint own = gl_sync(self, (3 + 3 * unit_of(self, gl_own(self, PARAM_UNITS))) * GL_LINE);

    unit->arrivals = own + GL_LINE;
    unit->flag = own + 2 * GL_LINE;
    if (gl_add(self->board + own, 1) == 0)
        gl_add(self->board + units, 1);
    const uint before = gl_add(self->board + all, 1);
    if (!gl_wait_after(self, all, before, self->groups, GL_GROUP_ALL))
        return false;
    unit->members = gl_load(self->board + own);
    unit->units = gl_load(self->board + units);
    return true;
}

static void arrive_and_wait(struct gl_self *self, const struct unit *unit, uint round)
{
    const uint all = gl_sync(self, 0);

    if (gl_add(self->board + unit->arrivals, 1) + 1 != round * unit->members) {
        gl_round(self, round);
        gl_wait(self, unit->flag, round, GL_GROUP_ALL);
        return;
    }
    const uint before = gl_add(self->board + all, 1);
    gl_round(self, round);
    if (gl_wait_after(self, all, before, round * unit->units, GL_GROUP_ALL) && unit->members > 1)
        gl_release(self->board + unit->flag, round);
}

GL_KERNEL void barrier_units(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;
    struct unit unit;

    if (!gl_enter(&self, board, &leaving))
        return;
    const bool silent = gl_own(&self, PARAM_SILENT) != 0;
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    gl_gather(&self);
    if (self.leader)
        join_unit(&self, &unit);
    if (!gl_proceed(&self))
        return;
    for (uint round = 1; round <= rounds; ++round) {
        if (!silent) {
            gl_delay(&self, round);
            publish_write(&self, cells, round);
        }
        gl_gather(&self);
        if (self.leader)
            arrive_and_wait(&self, &unit, round);
        if (!gl_proceed(&self))
            return;
        if (!silent)
            publish_check(&self, cells, round);
    }
    gl_leave(&self);
}
