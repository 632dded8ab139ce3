"""Kernels of others, in which a group computes: it is not stuck, and beside it others may be."""
import os
import subprocess
import sys

import gridlock_test
from gridlock_test import EXIT_OK, scenario_text

# Group 0 computes, by a loop of its own, for `turns` turns of that or, with `counts`, of the wait of group 1, or (0)
# until the stop word is set; group 1 waits for it, and with `circle` groups 2 and 3 wait for each other.
KERNEL = """\
/*
 * kernel:  toil
 * purpose: one group computes while others wait for it
 * needs:   time
 * fails:   it may compute for ever
 * source:  none
 * option:  circle = no | yes
 * option:  counts = no | yes
 * param:   turns = 0 in 0..2000000000  how long
 * words:   4*line
 * data:    sums uint groups zero
 */
#include "group.h"

static void work(struct gl_self *self, global uint *sums)
{
    const uint turns = gl_own(self, PARAM_TURNS);
    uint sum = self->group + 1;
#if defined(COUNTS_YES)
    while (gl_load(self->board + gl_sync(self, GL_LINE)) < turns && gl_load(self->board + GL_STOP) == 0)
        ;
#else
    for (uint i = 0; turns == 0 || i < turns; ++i) {
        sum = sum * 1664525u + 1013904223u;
        if (turns == 0 && i % 4096 == 0 && gl_load(self->board + GL_STOP) != 0)
            break;
    }
#endif
    sums[self->group] = sum;
    gl_release(self->board + gl_sync(self, 0), 1);
}

static void look(struct gl_self *self)
{
    struct gl_spin spin;
    uint seen, looks = 0;

    gl_spin_begin(self, &spin, gl_sync(self, 0), GL_UNTIL_REACHED, 1, 0);
    do {
        gl_spin_look(self, &spin);
#if defined(COUNTS_YES)
        gl_store(self->board + gl_sync(self, GL_LINE), ++looks);
#endif
        seen = gl_load(self->board + gl_sync(self, 0));
    } while (gl_spin_goes_on(self, &spin, seen));
    gl_spin_end(self, &spin);
}

GL_KERNEL void toil(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader) {
        if (self.group == 0)
            work(&self, sums);
        else if (self.group == 1)
            look(&self);
#if defined(CIRCLE_YES)
        else
            gl_wait(&self, gl_sync(&self, self.group * GL_LINE), 1, 5 - self.group);
#endif
    }
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
"""


class Machine(gridlock_test.Case):
    """Processes of others, which are told from the run's own."""

    def test_busy_machine_is_told(self):
        processors = len(os.sched_getaffinity(0))
        for _ in range(4 * processors):
            loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            self.addCleanup(loop.wait)
            self.addCleanup(loop.kill)
        (self.folder / "toil.cl").write_text(KERNEL)
        # Load is measured over at least 100 ms: so much work takes longer on any processor.
        (self.folder / "toil.ini").write_text(scenario_text(kernel="toil", groups="2", verdict="pass",
                                                            sweep="local-size = 1\nturns = 200000000\niterations = 5"))
        result = self.run_gridlock("run", "toil.ini", "-d", "pocl", "--timeout", "600", "--format", "json",
                                   POCL_MAX_PTHREAD_COUNT=processors)
        machine = result.json()["devices"][0]["machine"]
        self.assertEqual((machine["processors"], machine["busy"]), (processors, True), machine)
        self.assertLessEqual(machine["load"]["others_permille"], 1000 * processors)


class Busy(gridlock_test.Case):

    def run_toil(self, groups, sweep, verdict, cause="", timeout=60, more=()):
        (self.folder / "toil.cl").write_text(KERNEL)
        text = scenario_text(kernel="toil", groups=str(groups), verdict=verdict, sweep="local-size = 1\n" + sweep)
        (self.folder / "toil.ini").write_text(text + (f"cause = {cause}\n" if cause else ""))
        path = self.folder / "a.run"
        self.run_gridlock("run", str(self.folder / "toil.ini"), "-d", "pocl", "--timeout", str(timeout), "-o",
                          str(path), *more, POCL_MAX_PTHREAD_COUNT=4, code=EXIT_OK)
        return path

    def verdicts(self, path):
        rows = self.run_file(path).rows("SELECT v.verdict FROM trial t JOIN verdict v ON v.trial = t.id"
                                        " WHERE t.estimator = 'work'")
        return {row["verdict"] for row in rows}

    def explain(self, path):
        run = self.run_gridlock("report", str(path), "--format", "json").json()
        point = run["devices"][0]["scenarios"][0]["points"][0]
        return " ".join(self.run_gridlock("explain", f"{path}:{point['id']}").out.split())

    def test_group_that_computes_for_a_while_is_waited_for(self):
        self.run_toil(2, "turns = 200000000\niterations = 1", "pass")

    def test_group_that_computes_for_ever_is_named(self):
        told = self.explain(self.run_toil(2, "turns = 0\niterations = 1", "inconclusive", "busy",
                                           timeout=2))
        self.assertIn("group 0 was busy outside any wait", told)
        self.assertIn("Who waited for whom when the time limit was reached group 0 is running", told)

    def test_verdicts_while_no_host_watches(self):
        """The board is read at its end, when a group that slept is done: it would have left its place to others, which
        is no starvation. Nor is a wait for the host a stall."""
        for name, verdict in (("start_leaves", "pass"), ("barrier_starved", "starved"), ("hosts", "inconclusive")):
            with self.subTest(scenario=name):
                path = self.folder / f"{name}.run"
                scenario = str(gridlock_test.ROOT / "tests" / "truth" / f"{name}.ini")
                self.run_gridlock("run", scenario, "-d", "pocl", "--channel", "none", "--iterations", "2", "-o",
                                  str(path),
                                  code=None, POCL_MAX_PTHREAD_COUNT=4)
                found = self.verdicts(path)
                self.assertLessEqual(found, {verdict, "inconclusive"})
                self.assertIn(verdict, found)

    def test_wait_that_pauses_while_no_host_watches(self):
        """Its fuse counts polls, and blows before the time is up all the same."""
        path = self.folder / "a.run"
        self.run_gridlock("run", str(gridlock_test.ROOT / "tests" / "truth" / "idioms_backoff_kept.ini"), "-d", "pocl",
                          "--channel", "none", "-t", "work=nap,ms=0,fault=one/g2$", "--iterations", "2", "-o",
                          str(path), code=None, POCL_MAX_PTHREAD_COUNT=4)
        self.assertLessEqual(self.verdicts(path), {"stalled", "inconclusive"})

    def test_fuse_that_was_too_short_is_no_launch(self):
        """Nobody watches: the launch that passes waited for longer than the one before it was given. Group 0 computes
        until group 1 has looked so often, however fast each of them is."""
        path = self.run_toil(2, "counts = yes\nturns = 20000000\niterations = 2", "pass", timeout=600,
                             more=("--channel", "none"))
        self.assertEqual(self.verdicts(path), {"pass"})

    def test_circle_beside_a_group_that_computes_is_a_deadlock(self):
        told = self.explain(self.run_toil(4, "turns = 0\ncircle = yes\niterations = 2", "deadlock", "circular-wait"))
        self.assertIn("waits for itself through 1 other group", told)
        self.assertIn("Who waits for whom group", told)


if __name__ == "__main__":
    gridlock_test.main()
