"""Schedules of launches on model devices: kept of what failed, told, repeated turn by turn, and made shorter."""
import contextlib
import re
import sqlite3

import gridlock_test
from gridlock_test import EXIT_HARNESS, EXIT_USAGE

EXIT_SURPRISE = 1

KERNEL = """/*
 * kernel:  count
 * purpose: groups count up a word, and lock each other out, as the option says
 * needs:   nothing
 * fails:   wrong when how = plain, deadlock when how = circle
 * source:  this test
 * option:  how = plain | atomic | swap | circle | inside
 * words:   2*line
 * names:   lock {i} = i*line, i < 2
 * data:    count uint 1 zero
 * result:  each(count) = groups
 */
#include "group.h"

GL_KERNEL void count(global uint *board, volatile global uint *count)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader) {
#if defined(HOW_PLAIN)
        count[0] = count[0] + 1;
#elif defined(HOW_SWAP)
        uint seen = count[0];
        for (uint now; (now = atomic_cmpxchg(count, seen, seen + 1)) != seen; seen = now)
            ;
#elif defined(HOW_CIRCLE)
        const uint first = self.group % 2;
        while (atomic_cmpxchg(board + gl_sync(&self, first * GL_LINE), 0, 1) != 0)
            ;
        while (atomic_cmpxchg(board + gl_sync(&self, (1 - first) * GL_LINE), 0, 1) != 0)
            ;
        count[0] = count[0] + 1;
        atomic_xchg(board + gl_sync(&self, (1 - first) * GL_LINE), 0);
        atomic_xchg(board + gl_sync(&self, first * GL_LINE), 0);
#elif defined(HOW_INSIDE)
        count[0] == self.group ? atomic_inc(count) : atomic_inc(count + (count[0] << 24));
#else
        atomic_inc(count);
#endif
    }
    gl_leave(&self);
}
"""
SCENARIO = """[scenario]
kernel = count
purpose = what shows only in some orders of accesses
teaches = It depends.

[sweep]
groups = 4
local-size = 2
how = plain, atomic, swap, circle, inside
iterations = 40

[expect]
verdict = pass
"""
TURN = re.compile(r"(?m)^group \d+ item \d+ steps \d+")
# All that an observation has of a launch that does not depend on time.
SEEN = "outcome, started, waiting, done, polls, differing, bad_at, bad_wanted, bad_got, circle_at, seed"


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "count.cl").write_text(KERNEL)
        (self.folder / "count.ini").write_text(SCENARIO)

    def alone(self, *arguments, **options):
        return self.run_gridlock(*arguments, OCL_ICD_VENDORS=self.folder, **options)

    def sweep(self, how, *options, turns="lot", run="x.run", code=EXIT_SURPRISE):
        return self.alone("run", "count.ini", "-d", f"model:obe:4,turns={turns}", "-t", f"how={how}", "-o", run, "-q",
                          *options, code=code)

    def repeat(self, *options, run="y.run", schedule="schedule.txt", code=EXIT_SURPRISE):
        return self.alone("run", "count.ini", "--schedule", schedule, "-o", run, "-q", *options, code=code)

    def schedule(self, run="x.run"):
        """The schedule of the first failure, and as a file."""
        text = self.alone("explain", run, "--format", "schedule").out
        (self.folder / "schedule.txt").write_text(text)
        return text

    def rows(self, run, query):
        with contextlib.closing(sqlite3.connect(self.folder / run)) as database:
            return database.execute(query).fetchall()

    def failed(self, run):
        """What was seen of the launch whose schedule was kept, and how it was judged."""
        return self.rows(run, f"SELECT verdict, cause, {SEEN} FROM schedule JOIN observation USING (trial, launch)"
                              " JOIN verdict USING (trial, launch) ORDER BY trial LIMIT 1")[0]


class Repeated(Case):
    def test_a_launch_comes_again(self):
        """Turn by turn, to what was seen before, whether it ended or stood still."""
        for how, turns, verdict in (("plain", "lot", "wrong"), ("plain", "pct", "wrong"), ("circle", "lot", "stalled")):
            with self.subTest(how=how, turns=turns):
                run, again = f"{how}-{turns}.run", f"{how}-{turns}-again.run"
                self.sweep(how, turns=turns, run=run)
                text = self.schedule(run)
                self.repeat(run=again)
                self.assertEqual(self.failed(run)[0], verdict)
                self.assertEqual(self.failed(run), self.failed(again))
                self.assertEqual(self.schedule(again), text)
                self.assertEqual(len(self.rows(again, "SELECT * FROM verdict JOIN trial ON trial = trial.id"
                                                      " WHERE estimator = 'work'")), 1)

    def reported(self, run):
        """The schedule of each point."""
        device, = self.alone("report", run, "--format", "json", code=None).json()["devices"]
        return [point["schedule"] for scenario in device["scenarios"] for point in scenario["points"]]

    def test_as_json(self):
        """All that the file has, unless it has too many turns."""
        self.sweep("plain")
        told = self.alone("explain", "x.run", "--format", "json").json()["schedule"]
        turns = [(f"group {turn['group']} item {turn['item']} steps {turn['steps']}", turn["cut"], turn["at"])
                 for turn in told["told"]]
        self.assertEqual([turn for turn, _, _ in turns], TURN.findall(self.schedule())[-len(turns):])
        self.assertEqual((told["turns"], told["cuts_before"]), (told["first"] + len(turns), None))
        self.assertTrue(any(at and at.startswith("count.cl:") for _, cut, at in turns if cut))
        self.assertEqual({at for _, cut, at in turns if not cut}, {None})
        told, = self.reported("x.run")
        self.assertIn(told, [self.alone("explain", "x.run", f"count/cl30/l2/how=plain/g4#{batch}", "--format",
                                        "json").json()["schedule"] for batch in range(3)])
        self.sweep("atomic", run="y.run", code=0)
        self.assertIsNone(self.alone("explain", "y.run", "count/cl30/l2/how=atomic/g4", "--format",
                                     "json").json()["schedule"])
        self.assertEqual(self.reported("y.run"), [None])

    def test_another_kernel_does_not_fit(self):
        """One more access, and the file is of no use: the message says so."""
        self.sweep("plain")
        self.schedule()
        changed = KERNEL.replace("count[0] = count[0] + 1;", "count[0] = count[0] + count[0] + 1 - count[0];")
        (self.folder / "count.cl").write_text(changed)
        err = self.repeat(code=EXIT_USAGE).err
        self.assertRegex(err, r"schedule\.txt does not fit: the launch went another way in turn \d+ of \d+\.")

    def test_what_is_no_schedule(self):
        self.sweep("plain")
        text = self.schedule()
        for changed, said in ((text.replace("group", "grup", 1), "is no line of a schedule"),
                              (text.replace("steps 1", "steps 0", 1), "is no line of a schedule"),
                              (text.replace("steps 1", "steps 4294967297", 1), "is no line of a schedule"),
                              ("\n".join(text.splitlines()[:6]), "is no schedule"), ("", "is no schedule"),
                              (text.replace("device model:obe:4,turns=lot", "device pocl"), "unknown model device")):
            (self.folder / "changed.txt").write_text(changed)
            self.assertIn(said, self.repeat(schedule="changed.txt", code=EXIT_USAGE).err)
        self.assertIn("nosuch.txt", self.repeat(schedule="nosuch.txt", code=EXIT_USAGE).err)
        self.assertIn("--iterations cannot be given", self.repeat("--iterations", "3", code=EXIT_USAGE).err)

    def test_what_passed_or_went_in_turn_has_none(self):
        self.sweep("atomic", code=0)
        self.assertEqual(self.rows("x.run", "SELECT count(*) FROM schedule"), [(0,)])
        err = self.alone("explain", "x.run", "count/cl30/l2/how=atomic/g4", "--format", "schedule", code=EXIT_USAGE).err
        self.assertIn("no schedule of this launch was kept", err)
        self.alone("run", "barrier_central", "-d", "model:obe:2", "-o", "y.run", "-q")
        self.assertEqual(self.rows("y.run", "SELECT count(*) FROM schedule"), [(0,)])


class Shortened(Case):
    def cuts(self, text):
        return len(re.findall(r"(?m)^group .* cut\b", text))

    def test_few_cuts_are_left(self):
        """A lost update needs one turn that is cut, between the read and the write; two locks in a circle, another."""
        line = 1 + next(i for i, text in enumerate(KERNEL.splitlines()) if "count[0] = count[0] + 1" in text)
        for how in ("plain", "circle"):
            with self.subTest(how=how):
                self.sweep(how, run=f"{how}.run")
                long = self.schedule(f"{how}.run")
                self.repeat("--shorten", run=f"{how}-short.run")
                short = self.schedule(f"{how}-short.run")
                self.assertGreater(self.cuts(long), 10)
                self.assertLessEqual(self.cuts(short), 2)
                self.assertEqual(self.failed(f"{how}.run")[:2], self.failed(f"{how}-short.run")[:2])
                self.repeat(run=f"{how}-again.run")
                self.assertEqual(self.schedule(f"{how}-again.run"), short)
                shown = " ".join(self.alone("explain", f"{how}-short.run").out.split())
                self.assertRegex(shown, rf"ended where .* \({self.cuts(long)} before the schedule was shortened\)")
                if how == "plain":
                    self.assertIn(f"and is cut at count.cl:{line}", shown)

    def test_of_a_whole_run(self):
        self.sweep("plain|how=circle", "--shorten")
        cuts = self.rows("x.run", "SELECT cuts FROM schedule")
        self.assertGreaterEqual(len(cuts), 2)
        self.assertTrue(all(before > 10 for before, in cuts), cuts)


class Right(Case):
    def test_right_kernels_never_fail(self):
        """Under 200 seeds each, by lot and by priorities."""
        for turns in ("lot", "pct"):
            self.sweep("atomic|how=swap", "--iterations", "200", turns=turns, run=f"{turns}.run", code=0)
            self.assertEqual(self.rows(f"{turns}.run", "SELECT DISTINCT verdict FROM verdict JOIN trial"
                                                       " ON trial = trial.id WHERE estimator = 'work'"), [("pass",)])

    def test_what_priorities_find_is_said(self):
        """Of four groups of two work-items, at a time, in 256 + 16 * 8 accesses: 1/(8 * 384^2)."""
        self.sweep("atomic", turns="pct", code=0)
        shown = " ".join(self.alone("explain", "x.run", "count/cl30/l2/how=atomic/g4").out.split())
        self.assertIn("1/(8 * 384^2) = 8.5e-07 a launch", shown)
        self.sweep("atomic", run="y.run", code=0)
        self.assertNotIn("probability", self.alone("explain", "y.run", "count/cl30/l2/how=atomic/g4").out)


class Kept(Case):
    def test_merge_keeps_them(self):
        self.sweep("plain", run="a.run")
        self.sweep("circle", run="b.run")
        self.alone("merge", "-o", "m.run", "a.run", "b.run")
        self.assertEqual(len(self.rows("m.run", "SELECT * FROM schedule")),
                         len(self.rows("a.run", "SELECT * FROM schedule")) +
                         len(self.rows("b.run", "SELECT * FROM schedule")))
        trial = self.rows("a.run", "SELECT name FROM trial JOIN schedule ON trial = trial.id")[0][0]
        self.assertEqual(self.alone("explain", "m.run", trial, "--format", "schedule").out,
                         self.alone("explain", "a.run", trial, "--format", "schedule").out)

    def test_damage_is_found(self):
        self.sweep("plain", run="a.run")
        with contextlib.closing(sqlite3.connect(self.folder / "a.run")) as database:
            database.execute("UPDATE schedule SET turns = x'0100008012'")
            database.commit()
        self.assertIn("table schedule", self.alone("explain", "a.run", code=EXIT_HARNESS).err)

    def test_files_of_before(self):
        """They lack the table, and are read, merged and gone on with all the same."""
        self.sweep("plain", run="a.run")
        with contextlib.closing(sqlite3.connect(self.folder / "a.run")) as database:
            database.execute("DROP TABLE schedule")
            database.commit()
        self.assertNotIn("Who had the next turn", self.alone("explain", "a.run").out)
        self.alone("merge", "-o", "m.run", "a.run")
        self.alone("resume", "a.run", code=EXIT_SURPRISE)


if __name__ == "__main__":
    gridlock_test.main()
