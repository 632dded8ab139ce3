"""Kernels of the user's that were not measured: each has a cause, and a program that asks the driver for the same
again."""
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import spoiling  # noqa: E402
from gridlock_test import EXIT_OK  # noqa: E402

EXIT_SURPRISE, EXIT_USAGE, EXIT_UNSUPPORTED = 1, 2, 77
WORKS, FAILED, NO_DEVICE, UNDECIDED = 0, 1, 2, 3
RUNS_MOST = 5
COMPILER = os.environ.get("CC") or shutil.which("cc")
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")

PLAIN = "kernel void drawn(global int *a) { a[0] = 1; }\n"
WHOLE = "#define KERNEL(name) kernel void name(global int *a) { a[0] = 1; }\nKERNEL(drawn)\n"
MANY = ('#include "part.h"\ntypedef struct { int a; float b[5]; } pair;\n'
        "kernel void drawn(read_only image2d_t image, write_only image1d_t line, sampler_t taken, global float4 *out, "
        "part value,\n"
        "                  pair other, local float *tile, constant int *b, float3 f, struct { int c; } unnamed)\n"
        "{ out[0] = read_imagef(image, taken, (int2)(value.a, other.a)); // caf\u00e9\n"
        '  write_imagef(line, 0, out[0]); out[1] = tile[b[0]]; out[2] = f.x; } // "%s" ??/ */ /* \n')
BUILDS, CRASHED = "wanted a build of program.cl, got ", "got a crash or an exit in "
LAUNCH = r"wanted a launch of kernel {} of it, of \d+ work-groups, got "
OURS, THEIRS = "gridlock_front_of_drawn", "drawn"

# What the file has, and what the driver fails of; the cause, and what the program says under that driver.
CASES = (
    ("crash of the file", PLAIN, {"SPOIL_DIES_OF": "kernel void drawn("}, "the driver crashes before the launch",
     "your file as it is", BUILDS.replace("got ", CRASHED) + r"clCreateProgramWithSource\("),
    ("refusal of the file", WHOLE, {"SPOIL_PARTS": "build:code=-11:KERNEL(drawn)"},
     "the driver's compiler refuses the file",
     "your file as it is", BUILDS + "OpenCL error -11: failed"),
    ("crash in the build", WHOLE, {"SPOIL_PARTS": "build:crash:KERNEL(drawn)"}, "the driver crashes before the launch",
     "your file as it is", BUILDS + CRASHED[4:] + r"clBuildProgram\(.*: failed"),
    ("refusal of both", PLAIN, {"SPOIL_PARTS": "build:code=-11:gridlock_front_"},
     "the driver's compiler refuses what measures the kernel", "that calls yours", BUILDS + "OpenCL error -11: failed"),
    ("crash of both", PLAIN, {"SPOIL_DIES_OF": "gridlock_front_"},
     "the driver's compiler refuses what measures the kernel",
     "that calls yours", BUILDS.replace("got ", CRASHED)),
    ("crash of the caller", WHOLE, {"SPOIL_PARTS": "launch:crash:gridlock_front_"}, "the driver crashes in the launch",
     "that calls yours", LAUNCH.format(OURS) + CRASHED[4:] + r"clEnqueueNDRangeKernel\(.*: failed"),
    ("exit of the launch", PLAIN, {"SPOIL_PARTS": "launch:leave:gridlock_front_"}, "the driver crashes in the launch",
     "with text of gridlock's put into it",
     LAUNCH.format(THEIRS) + CRASHED[4:] + r"clEnqueueNDRangeKernel\(.*: failed"),
    ("all arguments", MANY, {"SPOIL_PARTS": "launch:crash:gridlock_front_"}, "the driver crashes in the launch",
     "with text of gridlock's put into it",
     LAUNCH.format(THEIRS) + CRASHED[4:] + r"clEnqueueNDRangeKernel\(.*: failed"),
    ("no resources", PLAIN, {"SPOIL_PARTS": "launch:code=-5:gridlock_front_"}, "the driver refuses the launch",
     "with text of gridlock's put into it", LAUNCH.format(THEIRS) + "OpenCL error -5: failed"),
    ("no memory", PLAIN, {"SPOIL_PARTS": "launch:code=-6:gridlock_front_"}, "the driver refuses the launch",
     "with text of gridlock's put into it", LAUNCH.format(THEIRS) + "OpenCL error -6: failed"),
)
HANGS = (
    ("build", WHOLE, {"SPOIL_PARTS": "build:hang:KERNEL(drawn)"}, "the driver does not return before the launch",
     BUILDS + r"no end in clBuildProgram\(.*: undecided"),
)


@unittest.skipIf(COMPILER is None, "there is no C compiler")
@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Unmeasured(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))
        self.path, self.program = self.folder / "drawn.cl", self.folder / "reproducer" / "program"
        (self.folder / "part.h").write_text("typedef struct { int a; } part;\n")

    def measure(self, text, plan, *options, code=EXIT_SURPRISE):
        """The run file, of one row."""
        run = self.folder / "a.gridlock"
        run.unlink(missing_ok=True)
        self.path.write_text(text)
        hangs = "hang" in plan.get("SPOIL_PARTS", "")
        limits = ("--timeout", "5", "--build-timeout", "10") if hangs else spoiling.deadlines(None)
        result = self.run_gridlock("limits", "--source", str(self.path), "--local-size", "4x2", "--iterations", "1",
                                   *options,
                                   *limits, "--stall-budget", "300", "--format",
                                   "json", "-o", str(run), code=None, **self.spoiling.environment(**plan))
        self.assertEqual(result.code, code, str(result))
        (row,) = result.json()["devices"][0]["limits"]
        self.assertEqual(row["measured"], code == EXIT_OK)
        return str(run)

    def make_program(self, run, patience=120):
        shutil.rmtree(self.program.parent, ignore_errors=True)
        self.path.unlink()  # what failed is in the run file
        out = self.run_gridlock("explain", run, "--reproducer", str(self.program.parent)).out
        self.assertIn("cc program.c -lOpenCL -o program && ./program", out)
        text = self.program.with_suffix(".c").read_text()
        self.assertIsNone(re.search(r'#include "|\b(GL|GRIDLOCK)_|\bOF_(?!KERNEL)', text))
        self.assertIn("PATIENCE_S = 120,", text)
        self.program.with_suffix(".c").write_text(text.replace("PATIENCE_S = 120,", f"PATIENCE_S = {patience},"))
        subprocess.run([COMPILER, *WARNINGS, "-o", "program", "program.c", "-lOpenCL"], cwd=self.program.parent,
                       check=True)
        return text

    def run_program(self, **plan):
        done = subprocess.run([self.program], cwd=self.program.parent, capture_output=True, text=True, check=False,
                              env=self.environment(**self.spoiling.environment(**plan)))
        return done.returncode, done.stdout, done.stderr

    def test_each_is_explained_and_repeated(self):
        """Under the driver that failed the program fails in the same call; under one that does not, it works."""
        for name, text, plan, cause, what, said in CASES:
            with self.subTest(case=name):
                run = self.measure(text, plan, code=EXIT_UNSUPPORTED if name == "no resources" else EXIT_SURPRISE)
                story = " ".join(self.run_gridlock("explain", run).out.split())
                self.assertIn(f" cause: {cause}", story)
                self.assertIn("explain --reproducer FOLDER", story)
                self.assertEqual("Mend the file" in story, name == "refusal of the file", story)
                head = " ".join(self.make_program(run).partition("*/")[0].replace("\n *", "").split())
                self.assertRegex(head, f"program.cl is what the driver was given: your file .*{what}|given: {what}")
                code, out, err = self.run_program(**plan)
                self.assertEqual(code, FAILED, out + err)
                self.assertRegex(out, said)
                code, out, err = self.run_program()
                self.assertEqual(code, WORKS, out + err)
                self.assertTrue(out.endswith(", got it: works\n"), out)

    def test_what_does_not_return(self):
        for name, text, plan, cause, said in HANGS:
            with self.subTest(call=name):
                run = self.measure(text, plan)
                self.assertIn(f"cause: {cause}", " ".join(self.run_gridlock("explain", run).out.split()))
                self.make_program(run, patience=20)
                for _ in range(RUNS_MOST):  # on a busy machine another call may not return in time
                    code, out, err = self.run_program(**plan)
                    self.assertEqual(code, UNDECIDED, out + err)
                    if re.search(said, out):
                        break
                self.assertRegex(out, said)
                self.assertEqual(self.run_program()[0], WORKS)

    def test_text_that_does_not_compile(self):
        """That is said by the compiler, which the program shows; the file comes before the driver."""
        run = self.measure("kernel void drawn(global int *a) { a[0] = nobody; }\n", {})
        story = " ".join(self.run_gridlock("explain", run).out.split())
        for words in ("cause: the driver's compiler refuses the file", "Mend the file or its --build-options",
                      "If both are right, show it to the driver's makers"):
            self.assertIn(words, story)
        self.assertNotIn("--local-size", story)  # of no kernel
        self.make_program(run)
        code, out, err = self.run_program()
        self.assertEqual((code, "OpenCL error -11: failed" in out), (FAILED, True), out + err)
        self.assertIn("nobody", err)

    def test_options_are_those_of_the_run(self):
        run = self.measure('kernel void drawn(global int *a) { a[0] = NUMBER; }\n',
                           {"SPOIL_PARTS": "launch:crash:gridlock_front_"},
                           "--build-options", '-DNUMBER=7 -D TEXT="a"', "--entry", "call")
        self.assertIn('#define BUILD_OPTIONS "-DNUMBER=7 -D TEXT=\\042a\\042 ', self.make_program(run))
        self.assertEqual(self.run_program()[0], WORKS)

    def test_environment_is_that_of_the_run(self):
        """Where nothing else is set; and a program that cannot read the text says so."""
        run = self.measure(PLAIN, {"SPOIL_PARTS": "launch:crash:gridlock_front_", "POCL_DEVICES": "basic"})
        self.make_program(run)
        self.assertRegex(self.run_program()[1], "^(basic|cpu-minimal)")
        self.program.with_suffix(".cl").unlink()
        code, _, err = self.run_program()
        self.assertEqual((code, err.startswith("cannot read program.cl")), (NO_DEVICE, True))

    def test_where_the_driver_failed_of_nothing(self):
        """A kernel that was measured, and one that gridlock refuses: there is no program, and the reason."""
        for text, options, code, cause, why in (
                (PLAIN, (), EXIT_OK, None, "the driver failed of nothing"),
                ("kernel void drawn(local int *a) { a[0] = 1; }\n", ("--arg", "a=local:1000000000"), EXIT_UNSUPPORTED,
                 "gridlock cannot measure this kernel here", "no text is known that the driver failed of")):
            with self.subTest(why=why):
                run = self.measure(text, {}, *options, code=code)
                trial = next(name for name in self.trials(run))
                story = self.run_gridlock("explain", f"{run}:{trial}").out
                self.assertEqual(re.findall("cause: (.*)", story), [cause] if cause else [], story)
                result = self.run_gridlock("explain", f"{run}:{trial}", "--reproducer", str(self.program.parent),
                                           code=EXIT_USAGE)
                self.assertIn(why, result.err)

    @staticmethod
    def trials(run):
        with sqlite3.connect(run) as database:
            return [name for (name,) in database.execute("SELECT name FROM trial ORDER BY id")]


if __name__ == "__main__":
    gridlock_test.main()
