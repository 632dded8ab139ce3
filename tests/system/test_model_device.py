"""Model devices, chosen by name: what needs no driver, no loader and no luck."""
import contextlib
import re
import shutil
import sqlite3

import gridlock_test
from gridlock_test import EXIT_NO_DEVICE, EXIT_UNSUPPORTED, EXIT_USAGE, needs_driver


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "libOpenCL.so.1").touch()

    def alone(self, *arguments, **options):
        """Where no driver is registered, and the loader is none."""
        return self.run_gridlock(*arguments, OCL_ICD_VENDORS=self.folder, LD_LIBRARY_PATH=self.folder, **options)

    def devices(self, *selectors):
        words = [word for selector in selectors for word in ("-d", selector)]
        return self.alone("devices", *words, "--format", "json").json()["devices"]


class Names(Case):
    def test_devices_are_those_that_are_named(self):
        device, = self.devices("model:obe:4")
        self.assertEqual((device["name"], device["platform"], device["kind"], device["compute_units"]),
                         ("model:obe:4", "gridlock", "other", 4))
        self.assertEqual([device["name"] for device in self.devices("MODEL:OBE", "model:fair,seed=7,order=up")],
                         ["model:obe:8", "model:fair,order=up,seed=7"])

    def test_a_device_that_is_named_twice_is_one(self):
        self.assertEqual(len(self.devices("model:obe", "model:OBE:8", "model:obe:8:strong")), 1)

    def test_without_a_compiler(self):
        """One sentence, and nothing is begun. tests/clean_root has a Debian without clang."""
        for variables, said in (({"GRIDLOCK_CLANG": "/nonexistent"}, "GRIDLOCK_CLANG is no program: /nonexistent"),
                                ({"GRIDLOCK_CLANG": shutil.which("clang"), "PATH": "/nonexistent"},
                                 "model devices need a linker, ld (Debian: apt install binutils)")):
            for command in (["devices"], ["limits", "-o", "x.run"], ["run", "barrier_central", "-o", "x.run"],
                            ["demo", "-o", "x.run"]):
                result = self.alone(*command, "-d", "model:obe:4", code=EXIT_UNSUPPORTED, **variables)
                self.assertEqual((result.out, result.err), ("", f"gridlock: {said}\n"))
                self.assertFalse((self.folder / "x.run").exists())

    def test_text_has_no_position(self):
        out = self.alone("devices", "-d", "model:lobe:4224").out
        self.assertRegex(out, r"^model:lobe:4224\n  platform +gridlock\n")

    def test_what_is_no_name(self):
        """Nothing is begun for it, wherever it is given."""
        for name, expected in (("model:ob", "unknown model device"), ("model:obe:65537", "N from 1 to 65536"),
                               ("model:obe,order=side", "expected mixed, up, down, chunked, split or lot"),
                               ("model:obe,seed=-1", "expected a number from 0 to 4294967295")):
            for command in (["devices"], ["limits", "-o", "x.run"], ["run", "barrier_central", "-o", "x.run"],
                            ["demo", "-o", "x.run"], ["progress", "-o", "x.run"]):
                result = self.alone(*command, "-d", name, code=EXIT_USAGE)
                self.assertIn(expected, result.err)
                self.assertEqual((result.out, result.err.count("\n")), ("", 1), result)
                self.assertFalse((self.folder / "x.run").exists())

    def test_what_does_not_go_together(self):
        self.assertIn("drivers make promises", self.alone("audit", "-d", "model:obe:8", code=EXIT_USAGE).err)
        for name in ("model:obe,order=up", "model:obe,turns=lot", "model:obe,seed=1", "model:obe:65532"):
            self.assertIn("litmus tests", self.alone("progress", "-d", name, code=EXIT_USAGE).err)
        self.assertIn("schedules of sub-groups are not explored",
                      self.alone("prove", "barrier_central", "-d", "model:obe,sub-groups=4", code=EXIT_USAGE).err)
        out = self.alone("devices", "-d", "model:obe:8", "--channel", "shared").out
        self.assertIn("channel shared does not work", " ".join(out.split()))


class Together(Case):
    def test_drivers_are_looked_for_if_they_are_asked_for(self):
        result = self.alone("devices", "-d", "model:obe:8", "-d", "nosuch", code=EXIT_NO_DEVICE)
        self.assertIn("no OpenCL loader", result.err)

    @needs_driver("pocl")
    def test_with_a_driver(self):
        names = [device["name"] for device in
                 self.run_gridlock("devices", "-d", "model:obe:8", "-d", "pocl", "--format", "json").json()["devices"]]
        self.assertEqual(len(names), 2)
        self.assertEqual(names[1], "model:obe:8")

    @needs_driver("pocl")
    def test_nobody_gets_one_who_does_not_name_it(self):
        devices = self.run_gridlock("devices", "--format", "json").json()["devices"]
        self.assertNotIn("gridlock", [device["platform"] for device in devices])


class Runs(Case):
    def test_a_run(self):
        """Its places are found as its limit, and what its model keeps is expected of it."""
        self.alone("run", "barrier_central", "-d", "model:obe:3", "-o", "x.run", "-q")
        shown = self.alone("report", "x.run").out
        self.assertRegex(shown, r"barrier_central +3 +1 +1  4 starved +10 of 10")

    def test_where_any_number_of_groups_has_places(self):
        """64 are launched at most: all are resident, and all points pass."""
        out = self.alone("run", "barrier_central", "-d", "model:fair", "-o", "x.run", "-q").out
        self.assertRegex(out, r"barrier_central +all to 64 +1 +32  - ")
        self.assertIn("0 surprises", out)
        out = self.alone("limits", "-d", "model:fair", "--local-size", "4", "-o", "y.run", "-q").out
        self.assertRegex(out, r"(?m)^ +4 +0 +0 +64 +64 20/20 +- ")

    def test_limits_of_a_kernel_of_the_users(self):
        """One group too many is proved to stand."""
        (self.folder / "own.cl").write_text("kernel void own(global uint *a) { a[get_global_id(0)] = 1; }\n")
        shown = self.alone("limits", "-d", "model:obe:3", "--source", "own.cl", "--local-size", "4", "-o", "x.run").out
        self.assertRegex(shown, r"own\.cl: own\n(.*\n)+ +4 +3 +3 20/20 +4 20/20")

    def test_a_kernel_that_does_not_build(self):
        (self.folder / "bad.cl").write_text("kernel void bad(global uint *a) { a[0] = nothing; }\n")
        result = self.alone("limits", "-d", "model:obe:3", "--source", "bad.cl", "-o", "x.run", code=None)
        self.assertIn("undeclared identifier 'nothing'", result.err)
        self.assertIn("build-failed", result.out)

    def test_a_pipe_is_called_so(self):
        (self.folder / "pipe.cl").write_text("kernel void k(read_only pipe int p, global int *a) { a[0] = 1; }\n")
        for command in (["limits", "--source", "pipe.cl"], ["try", "pipe.cl"]):
            result = self.alone(*command, "-d", "model:obe:3", "--build-options=-cl-std=CL2.0", "--local-size", "4",
                                "-o", f"{command[0]}.run", "-q", code=EXIT_UNSUPPORTED)
            self.assertRegex(result.out, r" unsupported:? argument 0 \(p\) is a pipe, which cannot be made up\n")

    def test_options_that_were_abbreviated_are_repeated(self):
        kernels, path = str(gridlock_test.ROOT / "kernels"), str(self.folder / "run")
        self.alone("run", "-d", "model:obe:2", "--iter", "2", "--kernel-d", kernels, "-o", path, "barrier_central")
        told = " ".join(self.alone("explain", path).out.split())
        self.assertIn(f"gridlock run --iterations 2 --kernel-dir {kernels} barrier_central", told)

    def test_runs_are_asked_by_the_same_name(self):
        self.alone("run", "barrier_central", "-d", "model:obe:3", "-d", "model:obe:5", "-o", "x.run", "-q")
        shown = self.alone("explain", "x.run", "-d", "model:obe:5").out
        self.assertIn("model:obe:5", shown)
        self.assertNotIn("model:obe:3", shown)


KERNEL = """/*
 * kernel:  own
 * purpose: what a kernel of somebody else's may do
 * needs:   nothing
 * fails:   as its option says
 * source:  this test
 * option:  does = toil | deaf | undo | outside | skip | leave
 * words:   1
 * names:   flag = 0
 * data:    cells uint groups*local-size zero
 */
#include "group.h"

GL_KERNEL void own(global uint *board, volatile global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
#if defined(DOES_TOIL)
    if (self.leader && self.group == 0) {
        for (uint i = 0; i < 20000000; ++i)
            cells[0] = i;
        gl_release(board + gl_sync(&self, 0), 1);
    } else if (self.leader) {
        gl_wait(&self, gl_sync(&self, 0), 1, 0);
    }
#elif defined(DOES_DEAF)
    if (self.leader && self.group != 2)
        while (cells[2] == 0)
            ;
    cells[self.group] = 1;
#elif defined(DOES_UNDO)
    while (self.leader && gl_load(board + GL_STOP) == 0)
        cells[0] = self.group;
#elif defined(DOES_OUTSIDE)
    cells[get_global_id(0) + 100000000] = 1;
#elif defined(DOES_SKIP)
    for (uint turn = 0; turn < 2; turn++) {
        if (turn == self.leader)
            continue;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    if (!self.leader)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
"""
SCENARIO = """[scenario]
kernel = own
purpose = what a device says of a kernel that gridlock does not have
teaches = It depends.

[sweep]
groups = 3
local-size = 2
does = toil, deaf, undo, outside, skip, leave

[expect]
verdict = pass when does = toil; stalled when does = deaf; livelock when does = undo;
    device-lost otherwise
"""


class Kernels(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "own.cl").write_text(KERNEL)
        (self.folder / "own.ini").write_text(SCENARIO)

    def test_who_computes_has_not_stalled(self):
        """20 million accesses of one group, for which the others wait, are no livelock."""
        self.alone("run", "own.ini", "-d", "model:obe:4", "-t", "does=toil", "-o", "x.run", "-q")

    def test_what_comes_back_is_a_livelock(self):
        """Each group undoes what the others did: memory changes for ever, and is proved to come back."""
        self.alone("run", "own.ini", "-d", "model:obe:4", "-t", "does=undo", "-o", "x.run", "-q")
        self.alone("run", "cause_livelock", "-d", "model:obe:4", "-o", "y.run", "-q")
        for run in ("x.run", "y.run"):
            self.assertIn("come back to what they were before, each having had turns: this is proved",
                          self.explained(run))

    def explained(self, run):
        return " ".join(self.alone("explain", run).out.split())

    def test_a_loop_that_does_not_listen(self):
        """Two places, and the group that they wait for has none: it is proved, though the stop word does not help."""
        self.alone("run", "own.ini", "-d", "model:obe:2", "-t", "does=deaf", "-o", "x.run", "-q")
        self.assertIn("this is proved", self.explained("x.run"))

    def test_what_no_kernel_may(self):
        """The text says which line did it, and nothing of another launch's."""
        lines = KERNEL.splitlines()
        outside = 1 + next(i for i, line in enumerate(lines) if "100000000" in line)
        skipped, left = (1 + i for i, line in enumerate(lines) if "barrier(" in line)
        for does, line, said in (("outside", outside, "writes outside of what the kernel was given"),
                                 ("skip", skipped, "there, too, in another turn of a loop around it"),
                                 ("leave", left, "wait for it at a barrier")):
            run = f"{does}.run"
            self.alone("run", "own.ini", "-d", "model:obe:4", "-t", f"does={does}", "-o", run, "-q")
            shown = self.explained(run)
            self.assertIn(f"own.cl:{line}: work-item", shown)
            self.assertIn(said, shown)


class SubGroups(Case):
    def test_only_where_the_device_has_them(self):
        (self.folder / "own.cl").write_text("kernel void k(global uint *o) { o[0] = get_sub_group_id(); }\n")
        command = ["limits", "--source", "own.cl", "--local-size", "24", "--build-options=-cl-std=CL3.0"]
        result = self.alone(*command, "-d", "model:obe:2", "-o", "x.run", code=None)
        self.assertIn('sub-groups are needed: a model device has them if ",sub-groups=N" is behind its name',
                      result.err)
        self.assertIn("gridlock prove explores no launches with them", result.err)
        self.assertRegex(self.alone(*command, "-d", "model:obe:2,sub-groups=16", "-o", "y.run").out, r"\n +24 +2 ")


class Models(Case):
    """Scenarios alone tell models apart, each as its rule predicts."""

    def safe_counts(self, model):
        """Up to how many groups each row of three scenarios is safe."""
        out = self.alone("run", "scan_chained", "spin_late_second", "barrier_central", "-d", f"model:{model}", "-o",
                         f"{model}.run", "-q").out
        self.assertIn("0 surprises, 0 not predicted" if model != "unfair" else "0 surprises", out)
        rows = dict(re.findall(r"(?m)^ *(order=\S+|scan_chained|spin_late_second|barrier_central) +(all to \d+|\d+) ",
                               out))
        chains = [rows.get(row) or rows["scan_chained"] for row in ("order=id", "order=ticket", "order=reverse")]
        return (*chains, rows["spin_late_second"], rows["barrier_central"])

    def test_each_model(self):
        told = {model: self.safe_counts(model) for model in ("unfair", "hsa", "obe:4", "hsa_obe:4", "lobe:4", "fair")}
        self.assertEqual(told, {
            # a chain up, by tickets and down the ids; all wait for the second group; a barrier
            "unfair": ("2", "all to 4", "1", "1", "1"),
            "hsa": ("all to 4", "all to 4", "1", "1", "1"),
            "obe:4": ("5", "all to 16", "5", "5", "4"),
            "hsa_obe:4": ("all to 16", "all to 16", "5", "5", "4"),
            "lobe:4": ("all to 16", "all to 16", "4", "all to 16", "4"),
            "fair": ("all to 64", "all to 64", "all to 64", "all to 64", "all to 64")})
        self.assertEqual(len(set(told.values())), len(told))
        locks = self.alone("run", "lock_tas", "-d", "model:obe:4", "-o", "lock.run", "-q").out
        self.assertIn("0 surprises, 0 not predicted", locks)

    def test_a_seed_is_a_schedule(self):
        """Two runs of one seed see the same, but for times."""
        columns = "launch, outcome, started, waiting, done, late, polls, checked, never_started, circle_at"
        seen = []
        for name in ("a.run", "b.run"):
            self.alone("run", "barrier_central", "lock_tas", "-d", "model:obe:3,turns=lot,seed=7", "-o", name, "-q")
            with contextlib.closing(sqlite3.connect(self.folder / name)) as database:
                seen.append(database.execute(f"SELECT {columns} FROM observation ORDER BY trial, launch").fetchall())
        self.assertGreater(len(seen[0]), 20)
        self.assertEqual(seen[0], seen[1])


if __name__ == "__main__":
    gridlock_test.main()
