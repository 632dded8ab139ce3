"""Drivers that fail of what kernels can do without: it costs the part, and not the answer.

SPOIL_ICD_LIBRARY names the driver that is built from spoil_icd.c, in front of PoCL with two threads.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import schemas  # noqa: E402
import spoiling  # noqa: E402
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, scenario_text  # noqa: E402

EXIT_SURPRISE = 1
THREADS = 2
LOOPS = "!$POCL_WORK_GROUP_METHOD=cbs"
YIELD, HINTS, CL30 = "-DGL_YIELD", "!-DGL_NO_HINTS", "-DGL_DIALECT_CL30"
SIZE = 8  # of the groups that are measured; those by which a device is probed have 1 and 64
BUILT = "-DGL_PRIVATE_WORDS=16"  # an option of the kernel that is measured with 64 bytes, and of no other
# What the driver fails of, and what is left out in consequence.
PARTS = {
    f"build:crash:{LOOPS},{BUILT}": ["pocl-loops"],
    f"launch={SIZE}:abort:{LOOPS}": ["pocl-loops"],
    f"build:crash:{YIELD},{BUILT}": ["pocl-loops", "yield"],
    f"build:code=-11:{YIELD},{BUILT}": ["pocl-loops", "yield"],
    f"launch={SIZE}:abort:{YIELD}": ["pocl-loops", "yield"],
    f"launch={SIZE}:code=-45:{YIELD}": ["pocl-loops", "yield"],
    f"build:crash:{HINTS},{BUILT}": ["pocl-loops", "yield", "hints"],
    f"launch={SIZE}:crash:{CL30}": ["pocl-loops", "yield", "hints", "dialect"],
    f"launch={SIZE}:crash:{YIELD},{HINTS}": ["pocl-loops", "yield"],
}
HANGS = {
    f"build:hang:{YIELD},{BUILT}": ["pocl-loops", "yield"],
    f"launch={SIZE}:hang:{YIELD}": ["pocl-loops", "yield"],
}
# What readers are told of that.
WORDS = {"pocl-loops": "PoCL's own choice of loops over work-items", "yield": "calls of sched_yield",
         "hints": "hints on inlining", "dialect": "the best atomics"}


def said(parts):
    return ", ".join(f"{WORDS[part]} ({part})" for part in parts)


@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))

    def run_spoiled(self, parts, *arguments, code=EXIT_OK, **variables):
        plan = {"SPOIL_PARTS": parts} if parts else {}
        return self.run_gridlock(*arguments, code=code, **self.spoiling.environment(**plan, **variables))

    def limits(self, parts, *arguments, code=EXIT_OK):
        result = self.run_spoiled(parts, "limits", "--iterations", "2", *spoiling.deadlines(parts), "--format", "json",
                                  *arguments, code=code)
        (device,) = result.json()["devices"]
        return result, device, {row["local_size"]: row for row in device["limits"]}

    def assert_right(self, row):
        self.assertEqual((row["barrier"]["passes_at"], row["barrier"]["stalls_at"]), (THREADS, THREADS + 1), row)


class Limits(Case):
    def assert_left_out(self, plans):
        for parts, left_out in plans.items():
            with self.subTest(parts=parts):
                result, device, rows = self.limits(parts, "--local-size", str(SIZE), "--private", "64")
                self.assert_right(rows[SIZE])
                if schemas.jsonschema is not None:
                    schemas.validator("limits").validate(result.json())
                self.assertEqual(rows[SIZE]["left_out"], left_out)
                self.assertEqual(device["left_out"], [{"local_size": SIZE, "parts": left_out}])
                self.assertEqual(result.err.count("going on without"), 1, result.err)
                self.assertIn(f"going on without {said(left_out)} in groups of {SIZE} work-items", result.err)

    def test_nothing_is_left_out_without_need(self):
        result, device, rows = self.limits(None, "--local-size", str(SIZE))
        self.assert_right(rows[SIZE])
        self.assertEqual((rows[SIZE]["left_out"], device["left_out"], device["yield"]), ([], [], True))
        self.assertNotIn("going on without", result.err)

    def test_the_limit_is_right_without_the_part(self):
        self.assert_left_out(PARTS)

    def test_compiler_that_never_ends(self):
        """Be it when it builds, or when it is to launch."""
        self.assert_left_out(HANGS)

    def test_sizes_are_apart(self):
        """What was tried in one shape is no evidence for another, and what failed once in a shape is not tried
        again."""
        result, device, rows = self.limits("launch=4:crash:" + YIELD, "--local-size", "1,4,8", "--local-memory", "0,64")
        self.assertEqual(len(device["limits"]), 6)
        for row in device["limits"]:
            self.assert_right(row)
            self.assertEqual(row["left_out"], ["pocl-loops", "yield"] if row["local_size"] >= 4 else [], row)
        self.assertEqual(device["left_out"],
                         [{"local_size": size, "parts": ["pocl-loops", "yield"]} for size in (4, 8)])
        self.assertEqual(result.err.count("going on without"), 2, result.err)

    def test_what_fails_without_them_is_the_drivers_failure(self):
        left_out = said(("pocl-loops", "yield", "hints", "dialect"))
        for fault, verdict, words in (("crash", "crash", f"so it does without {left_out}"),
                                      ("code=-11", "build-failed", "")):
            with self.subTest(fault=fault):
                result, device, rows = self.limits(f"build:{fault}:{BUILT}", "--local-size", str(SIZE), "--private",
                                                   "64",
                                                   code=EXIT_SURPRISE)
                self.assertFalse(rows[SIZE]["measured"])
                self.assertEqual((rows[SIZE]["not_measured_verdict"], rows[SIZE]["left_out"]), (verdict, []))
                self.assertEqual(device["left_out"], [])
                self.assertIn(words, rows[SIZE]["note"])
                self.assertNotIn("going on without", result.err)

    def test_source(self):
        path = self.folder / "kernel.cl"
        path.write_text("kernel void mine(global int *a) { a[0] = 1; }\n")
        define = "#define gridlock_front_GL_YIELD\n"
        for where in ("launch", "build"):
            with self.subTest(where=where):
                result, device, rows = self.limits(f"{where}:crash:{define}", "--source", str(path), "--local-size",
                                                   "8")
                self.assert_right(rows[8])
                self.assertEqual(rows[8]["left_out"], ["pocl-loops", "yield"], result.err)
        result, device, rows = self.limits("build:crash:-cl-kernel-arg-info", "--source", str(path), "--local-size",
                                           "8",
                                           code=EXIT_UNSUPPORTED)
        self.assertEqual(rows[8]["left_out"], ["arguments"], result.err)
        self.assertIn("does not tell the type of argument 0", rows[8]["note"])


class Others(Case):
    def test_devices_tell_it(self):
        result = self.run_spoiled("launch=4:crash:" + YIELD, "devices")
        self.assertIn(said(("pocl-loops", "yield")) + " in groups of 64 work-items", " ".join(result.out.split()))
        result = self.run_spoiled("launch=4:crash:" + YIELD, "devices", "--format", "json")
        (device,) = result.json()["devices"]
        self.assertEqual((device["yield"], device["left_out"]),
                         (True, [{"local_size": 64, "parts": ["pocl-loops", "yield"]}]))

    def test_all_that_is_probed_does_without_hints(self):
        result = self.run_spoiled("build:crash:" + HINTS, "devices", "--format", "json")
        (device,) = result.json()["devices"]
        self.assertTrue(device["dialects"]["cl30"]["works"])
        self.assertIn({"local_size": 1, "parts": ["pocl-loops", "hints"]}, device["left_out"])

    def test_run(self):
        """Points are predicted and come as predicted; reports and a run that goes on know what was left out."""
        scenario = self.folder / "point.ini"
        scenario.write_text(scenario_text(groups="2", sweep="local-size = 8\niterations = 2"))
        self.run_spoiled("launch=4:crash:" + YIELD, "run", str(scenario))
        report = self.run_gridlock("report", str(self.run_file_paths()[0]), "--format", "json", "--all", code=None)
        if report.code == 2:
            report = self.run_gridlock("report", str(self.run_file_paths()[0]), "--format", "json")
        (device,) = report.json()["devices"]
        self.assertIn({"local_size": 8, "parts": ["pocl-loops", "yield"]}, device["left_out"])
        rows = self.run_file().rows("SELECT DISTINCT left_out FROM trial")
        self.assertEqual(rows, [{"left_out": "pocl-loops, yield"}])

    def test_what_comes_once_is_not_of_a_part(self):
        """The launch that crashed stays one, and nothing is left out."""
        scenario = self.folder / "point.ini"
        scenario.write_text(scenario_text(groups="2", sweep="local-size = 8\niterations = 2"))
        plan = {"SPOIL_CALL": "clEnqueueNDRangeKernel:1:crash", "SPOIL_WORK": "1"}
        result = self.run_gridlock("run", str(scenario), code=EXIT_SURPRISE, **self.spoiling.environment(**plan))
        self.assertEqual(len(self.spoiling.spoiled()), 1)
        self.assertNotIn("going on without", result.err)
        run = self.run_file()
        self.assertEqual(run.rows("SELECT DISTINCT left_out FROM trial"), [{"left_out": None}])
        self.assertEqual(run.one("SELECT count(*) AS crashes FROM verdict WHERE verdict = 'crash'"), {"crashes": 1})

    def test_progress(self):
        tests = self.folder / "tests.txt"
        tests.write_text(self.run_gridlock("litmus", "choose", "--count", "3", "--seed", "1", "--guaranteed",
                                           "lobe").out)
        result = self.run_spoiled(f"launch:crash:{YIELD},kernel void litmus", "progress", "--tests", str(tests),
                                  "--mapping",
                                  "plain", "--no-limit")
        self.assertEqual(self.run_file().one("SELECT count(DISTINCT program) AS tests FROM litmus WHERE ran = 20"),
                         {"tests": 3}, str(result))

    def test_audit(self):
        """A promise is not broken by what is ours."""
        result = self.run_spoiled("build:crash:" + YIELD + ",-DGL_ROUNDS", "audit", "--promise", "atomics-*",
                                  "--format", "json",
                                  code=None)
        self.assertNotEqual(result.code, EXIT_UNSUPPORTED, str(result))


if __name__ == "__main__":
    gridlock_test.main()
