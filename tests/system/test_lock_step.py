"""Work-items that wait by themselves, and those of their group that come only behind them, in lock-step or in order."""
import gridlock_test
from gridlock_test import EXIT_OK, scenario_text

# Each work-item of all groups arrives, and waits for all.
ALL = """\
/*
 * kernel:  items
 * purpose: a barrier of all work-items
 * needs:   work-items that make progress by themselves
 * fails:   the first of a group waits for those that come behind it
 * source:  none
 * words:   1
 */
#define GL_EVERY_ITEM
#include "group.h"

GL_KERNEL void items(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_add(board + gl_sync(&self, 0), 1);
    gl_wait(&self, gl_sync(&self, 0), self.groups * GL_LOCAL_SIZE, GL_GROUP_ALL);
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
"""

# Each work-item plays the lanes of a sub-group: with the lock taken it makes the turns of the others, which are not
# over before the lock is free, and only then leaves the loop.
KERNEL = """\
/*
 * kernel:  lanes
 * purpose: a lock for each work-item, in a sub-group that runs in lock-step
 * needs:   work-items that make progress by themselves
 * fails:   the one that has the lock waits for those that wait for it
 * source:  none
 * words:   line
 * names:   lock = 0
 * data:    cells uint 1 zero
 * checks:  groups
 */
#define GL_EVERY_ITEM
#include "group.h"

static uint lock_try(struct gl_self *self, uint lock)
{
    return gl_compare_exchange(self->board + lock, 0, self->group + 1);
}

static void take_and_use(struct gl_self *self, uint lock, global uint *cell)
{
    struct gl_spin spin, others;

    gl_spin_begin(self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do
        gl_spin_look(self, &spin);
    while (gl_spin_goes_on(self, &spin, lock_try(self, lock)));
    gl_spin_begin(self, &others, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do
        gl_spin_look(self, &others);
    while (gl_spin_goes_on(self, &others, lock_try(self, lock)));
    gl_spin_end(self, &others);
    if (!gl_spin_end(self, &spin))
        return;
    gl_holds(self, 1);
    gl_check(self, 0, *cell, 0, 0);
    gl_holds(self, 0);
    gl_release(self->board + lock, 0);
}

GL_KERNEL void lanes(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_round(&self, 1);
    gl_gather(&self);
    take_and_use(&self, gl_sync(&self, 0), cells);
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
"""


@gridlock_test.needs_driver("pocl")
class LockStep(gridlock_test.Case):

    def test_one_that_is_let_go_by_the_stop_does_not_hide_the_deadlock(self):
        (self.folder / "lanes.cl").write_text(KERNEL)
        (self.folder / "lanes.ini").write_text(
            scenario_text(kernel="lanes", groups="1, 2", verdict="deadlock") + "cause = work-items\n")
        self.run_gridlock("run", str(self.folder / "lanes.ini"), "-d", "pocl", "-o", "a.run", POCL_MAX_PTHREAD_COUNT=2,
                          code=EXIT_OK)
        told = " ".join(self.run_gridlock("explain", "a.run:lanes/cl30/l1/g1").out.split())
        self.assertIn("A work-item of group 0 waits for another one of its group", told)

    def test_what_stands_is_told_as_it_stood(self):
        """Work-items that come behind a stopped one arrive after all: by then the word is what it should have been."""
        (self.folder / "items.cl").write_text(ALL)
        (self.folder / "items.ini").write_text(
            scenario_text(kernel="items", groups="1", verdict="stalled", sweep="local-size = 4") + "cause = unknown\n")
        self.run_gridlock("run", str(self.folder / "items.ini"), "-d", "pocl", "-o", "a.run", code=EXIT_OK)
        told = " ".join(self.run_gridlock("explain", "a.run").out.split())
        self.assertIn("reaches 4; it is 1; waiting for all", told)
        self.assertNotIn("not seen", told)
        self.assertIn("Others of its group may come only after it", told)


if __name__ == "__main__":
    gridlock_test.main()
