"""limits --source on a driver that fails in the calls that read and build the user's file."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import spoiling  # noqa: E402
from gridlock_test import EXIT_OK  # noqa: E402

EXIT_SURPRISE, EXIT_USAGE, THREADS = 1, 2, 2

SOURCE = """\
typedef struct { int a; float b; } pair;
kernel void drawn(read_only image2d_t image, sampler_t taken, global float4 *out, pair value)
{
    out[0] = read_imagef(image, taken, (int2)(value.a, 0));
}
"""

FUNCTIONS = ("clCreateKernelsInProgram", "clGetKernelInfo", "clGetKernelArgInfo", "clCreateImage", "clCreateSampler")
FAULTS = ("crash", "exit", "socket", "code=-5", "code=-6", "slow", "flood", "state", "hang")


@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Sources(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))
        self.path = self.folder / "drawn.cl"
        self.path.write_text(SOURCE)

    def measure(self, **plan):
        return self.run_gridlock("limits", "--source", str(self.path), "--local-size", "4", "--iterations", "1",
                                 *spoiling.deadlines(plan.get("SPOIL_CALL")), "--stall-budget", "300", "--format",
                                 "json",
                                 code=None, **self.spoiling.environment(**plan))

    def row(self, result):
        (row,) = result.json()["devices"][0]["limits"]
        return row

    def assert_right(self, row):
        self.assertEqual((row["barrier"]["passes_at"], row["barrier"]["stalls_at"]), (THREADS, THREADS + 1), row)

    def test_driver_that_keeps_its_word(self):
        result = self.measure()
        self.assertEqual(result.code, EXIT_OK, str(result))
        self.assert_right(self.row(result))
        for function in FUNCTIONS:
            self.assertGreater(self.spoiling.counts()[function], 0, function)

    def test_first_call_of_each_function(self):
        """The kernel is measured, and its limit is right, or its row says why it was not; the run comes to its end."""
        for function in FUNCTIONS:
            for fault in FAULTS:
                with self.subTest(call=function, fault=fault):
                    result = self.measure(SPOIL_CALL=f"{function}:1:{fault}")
                    self.assertEqual(len(self.spoiling.spoiled()), 1)
                    self.assertIn(result.code, (EXIT_OK, EXIT_SURPRISE, 77), str(result))
                    row = self.row(result)
                    if row["measured"]:
                        self.assert_right(row)
                    else:
                        self.assertTrue(row["note"], row)
                    self.assert_nothing_left()

    def test_compiler_that_dies_of_a_program(self):
        """It is built without what it dies of: the other kernels with text put into them as before, the one by a
        call."""
        self.path.write_text("".join(f"kernel void {name}(global int *a) {{ a[0] = 1; }}\n"
                                     for name in ("first", "second", "sick", "fourth", "fifth")))
        for text, way in (("sick(global int *a, ", "call"), ("nobody(global int *a, ", "insert")):
            with self.subTest(dies_of=text):
                result = self.measure(SPOIL_DIES_OF=text)
                self.assertEqual(result.code, EXIT_OK, str(result))
                rows = result.json()["devices"][0]["limits"]
                self.assertEqual({row["kernel"]["name"]: row["kernel"]["entry"] for row in rows},
                                 {"first": "insert", "second": "insert", "sick": way, "fourth": "insert",
                                  "fifth": "insert"})
                for row in rows:
                    self.assert_right(row)
                self.assertEqual("going on without this program" in result.err, way == "call", result.err)

    def test_files_that_a_gpu_has_built_ahead(self):
        """Several files at once, of one of which the compiler dies: each limit is right, and nothing is lost."""
        names = [f"file{number}" for number in range(5)]
        for name in names:
            (self.folder / f"{name}.cl").write_text(f"kernel void first_{name}(global int *a) {{ a[0] = 1; }}\n"
                                                    f"kernel void other_{name}(global int *a) {{ a[0] = 2; }}\n")
        late = {"SPOIL_DIES_LATE": "1"}  # when a later file has been read
        for text, way, when in (("nobody(global int *a, ", "insert", {}), ("first_file3(global int *a, ", "call", {}),
                                ("first_file3(global int *a, ", "call", late)):
            with self.subTest(dies_of=text, **when):
                plan = self.spoiling.environment(SPOIL_DIES_OF=text, SPOIL_TYPE="gpu", **when)
                result = self.run_gridlock("limits", "--source", *[str(self.folder / f"{name}.cl") for name in names],
                                           "--local-size", "4", "--iterations", "1", "--stall-budget", "300",
                                           "--format",
                                           "json", code=None, **plan)
                self.assertEqual(result.code, EXIT_OK, str(result))
                rows = result.json()["devices"][0]["limits"]
                self.assertEqual([row["kernel"]["name"] for row in rows],
                                 [f"{which}_{name}" for name in names for which in ("first", "other")])
                for row in rows:
                    self.assert_right(row)
                    self.assertEqual(row["kernel"]["entry"], way if row["kernel"]["name"] == "first_file3"
                                     else "insert")
                self.assertEqual("going on without this program" in result.err, way == "call", result.err)
                self.assert_nothing_left()

    def test_worker_that_builds_ahead(self):
        """Whatever becomes of it, what the other measures is right, and nothing is left."""
        for fault in ("crash", "exit", "socket", "code=-6", "hang"):
            with self.subTest(fault=fault):
                result = self.run_gridlock("limits", "--local-size", "1,2,4", "--private", "0,64", "--iterations", "2",
                                           "--stall-budget", "300", "--format", "json", code=None,
                                           **self.spoiling.environment(SPOIL_TYPE="gpu",
                                                                       SPOIL_CALL=f"clCreateContext:2:{fault}"))
                self.assertEqual(result.code, EXIT_OK, str(result))
                rows = result.json()["devices"][0]["limits"]
                self.assertEqual(len(rows), 6)
                for row in rows:
                    self.assert_right(row)
                (spoiled,) = self.spoiling.spoiled()
                self.assertNotIn(spoiled.pid,
                                 {line.pid for line in self.spoiling.lines() if line.fault == spoiling.LAUNCH})
                self.assert_nothing_left()

    def test_compiler_that_dies_of_all_programs(self):
        """Which is the failure of each kernel, as it says, and ends the run in time."""
        result = self.measure(SPOIL_DIES_OF="gridlock_front_")
        self.assertEqual(result.code, EXIT_SURPRISE, str(result))
        self.assertFalse(self.row(result)["measured"])
        self.assertEqual(self.row(result)["note"], "the file builds as it is, but not what measures this kernel: "
                         "with text of gridlock's put into it, the driver's compiler crashed; "
                         "with a kernel of gridlock's that calls it, the driver's compiler crashed")

    def test_who_fails_of_what_in_which_step(self):
        """The note names the step and the text, which is the user's own or one that gridlock made of it."""
        macro = "#define KERNEL(name) kernel void name(global int *a) { a[0] = 1; }\nKERNEL(drawn)\n"
        whole = "kernel void drawn(global int *a) { a[0] = 1; }\n"
        began = "; no group is known to have started, so it may have been the driver's compiler"
        as_it_is = r"while building a kernel \(your file as it is\)"
        calls = "your file and a kernel of gridlock's that calls yours"
        inserted = "your file with text of gridlock's put into it"
        fails = "the driver's compiler fails: CL_"
        for name, text, plan, note in (
                ("as it is", whole, {"SPOIL_DIES_OF": "kernel void drawn("}, f"^the driver crashed {as_it_is}: signal"),
                ("as it is, refused", macro, {"SPOIL_PARTS": "build:code=-11:KERNEL(drawn)"},
                 "as it is does not build: the driver's compiler says CL_"),
                ("both refused", whole, {"SPOIL_PARTS": "build:code=-11:gridlock_front_"},
                 f"^the file builds as it is, .*: with text .* put into it, {fails}.*; with a kernel .* that calls it, "
                 f"{fails}"),
                ("macro, refused", macro, {"SPOIL_PARTS": "build:code=-11:gridlock_front_"},
                 f"no text was put into it, because .*; with a kernel .* that calls it, {fails}"),
                ("caller, launched", macro, {"SPOIL_PARTS": "launch:crash:gridlock_front_"},
                 rf"^the driver crashed while running a kernel \({calls}\): signal .*{began}"),
                ("inserted, launched", whole, {"SPOIL_PARTS": "launch:crash:gridlock_front_"},
                 rf"^the driver crashed while running a kernel \({inserted}\): signal .*{began}")):
            with self.subTest(case=name):
                self.path.write_text(text)
                result = self.measure(**plan)
                self.assertEqual(result.code, EXIT_SURPRISE, str(result))
                row = self.row(result)
                self.assertFalse(row["measured"])
                self.assertIsNone(row["kernel"]["bound"])
                self.assertRegex(row["note"], note)
                self.assert_explained(name, row)

    def assert_explained(self, name, row):
        """By whose fault it is, and a command that repeats it in the way that was chosen."""
        (run,) = (self.folder / "state" / "gridlock").glob("*.gridlock")
        story = " ".join(self.run_gridlock("explain", str(run)).out.split())
        run.unlink()
        launched, made = "launched" in name, not name.startswith("as it is")
        self.assertEqual("This says nothing of the kernel" in story, launched, story)
        self.assertEqual("so this says nothing of the kernel" in story, made and not launched, story)
        self.assertEqual("without a line of gridlock's" in story, not made, story)
        way = {"caller, launched": "call", "inserted, launched": "insert"}.get(name)
        self.assertEqual(row["kernel"]["entry"], way)
        self.assertNotIn("superseded", story)
        self.assertIn("gridlock limits ", story)
        self.assertIn(f"--kernel drawn --local-size 4 --entry {way}" if launched else "--source", story)

    def test_types_whose_size_the_driver_dies_of(self):
        """That is a text of gridlock's: the kernel is measured all the same."""
        result = self.measure(SPOIL_DIES_OF="gridlock_sizes")
        self.assertEqual(result.code, EXIT_OK, str(result))
        self.assert_right(self.row(result))
        self.assertIn("(your file and a kernel of gridlock's that asks for the sizes of its types)", result.err)

    def test_what_the_driver_said_of_another_text(self):
        """It is not quoted as the last words of a driver that dies later."""
        for chatters, quoted in (("gridlock_sizes", False), ("(launch)", True)):
            with self.subTest(chatters=chatters):
                result = self.measure(SPOIL_PARTS="launch:crash:gridlock_front_,drawn", SPOIL_CHATTERS=chatters)
                note = self.row(result)["note"]
                self.assertIn("the driver crashed while running a kernel", note)
                self.assertEqual("2 errors generated" in note, quoted, note)

    def test_upper_bound_meets_the_lower_one(self):
        """What is launched in place of a kernel occupies more, but no kernel holds more groups: the number is exact."""
        self.path.write_text("kernel void one(global int *a, int b) { a[0] = b; }\n"
                             "kernel void other(global int *a, local int *b, local int *c) { a[0] = b[0] + c[0]; }\n"
                             "kernel void least(void) { }\n")
        header, run = str(self.folder / "limits.h"), str(self.folder / "a.run")
        plan = self.spoiling.environment(SPOIL_PRIVATE="8")
        result = self.run_gridlock("limits", "--source", str(self.path), "--local-size", "4", "--iterations", "2",
                                   "--format",
                                   "json", "-o", run, "--emit-header", header, code=EXIT_OK, **plan)
        rows = {row["kernel"]["name"]: row for row in result.json()["devices"][0]["limits"]}
        self.assertEqual(set(rows), {"least", "empty", "one", "other", "empty_local"})
        for name in ("one", "other"):
            kernel = rows[name]["kernel"]
            self.assertLess(kernel["original"]["private_memory_bytes"], kernel["launched"]["private_memory_bytes"])
            self.assertEqual((kernel["bound"], kernel["at_most"], rows[name]["resident"]), ("exact", THREADS, THREADS))
        # Ours occupies more than this one: it bounds nothing.
        self.assertEqual((rows["least"]["kernel"]["bound"], rows["least"]["kernel"]["at_most"]), ("at-least", None))
        self.assertEqual(rows["empty_local"]["kernel"]["local_arguments"], "0=32")
        report = self.run_gridlock("report", run, "--format", "json", **plan)
        self.assertEqual(report.json(), result.json())
        text = self.run_gridlock("report", run, **plan).out
        self.assertRegex(text, r": one\n.*\n.*\n +4 +2 +2 2/2 +3 2/2")
        self.assertRegex(text, r": least\n.*\n.*\n +4 +at least 2 ")
        for form in ("csv", "junit", "tap", "markdown", "prometheus", "jsonl"):
            self.assertIn("(gridlock)", self.run_gridlock("report", run, "--format", form, **plan).out, form)
        numbers = pathlib.Path(header).read_text()
        self.assertIn("_ONE_4 2\n", numbers)
        self.assertRegex(numbers, r'"one", \{4, 1, 1\}, [^}]*, 2\},')
        self.assertRegex(numbers, r'"least", \{4, 1, 1\}, [^}]*, 2\},')
        self.assertNotIn("EMPTY", numbers)

    def test_groups_that_are_larger_than_the_driver_says(self):
        """They are measured, and their rows say so; those of up to that size say nothing."""
        self.path.write_text("kernel void one(global int *a, local float *tile) { a[0] = (int)tile[0]; }\n")
        for says, remarked in (("4:says", False), ("3:says", True)):
            with self.subTest(says=says):
                plan, run = self.spoiling.environment(SPOIL_GROUPS=says), str(self.folder / f"{remarked}.run")
                result = self.run_gridlock("limits", "--source", str(self.path), "--local-size", "2,4", "--iterations",
                                           "1",
                                           "--format", "json", "-o", run, code=EXIT_OK, **plan)
                rows = result.json()["devices"][0]["limits"]
                for row in rows:
                    self.assert_right(row)
                remark = "the driver says that this kernel can have at most 3 work-items in a group; 4 ran"
                self.assertEqual([row["kernel"]["remark"] for row in rows], [None, remark if remarked else None])
                text = self.run_gridlock("report", run, **plan).out
                self.assertEqual(text.count("the driver says that"), remarked)
                self.assertRegex(text, r"\n +2 +2 .*\n +taken, because --arg does not say: argument 1 .tile.: 8 bytes\n"
                                       r" +4 +2 .*\n +taken, because --arg does not say: argument 1 .tile.: 16 bytes\n")

    def test_resumed_bounds(self):
        """Each kernel of ours is measured once, also by a run that goes on."""
        self.path.write_text("".join(f"kernel void k{i}(global int *a, int b) {{ a[0] = b; }}\n" for i in range(3)))
        run = str(self.folder / "a.run")
        plan = self.spoiling.environment(SPOIL_PRIVATE="8")
        result = self.run_gridlock("limits", "--source", str(self.path), "--local-size", "4", "--iterations", "2",
                                   "--format",
                                   "json", "-o", run, code=EXIT_OK, **plan)
        resumed = self.run_gridlock("resume", run, code=EXIT_OK, **plan)
        self.assertEqual(resumed.json(), result.json())
        self.assertEqual([row["kernel"]["bound"] for row in resumed.json()["devices"][0]["limits"]], ["exact"] * 4)

    def test_driver_that_always_fails(self):
        for function in FUNCTIONS:
            for fault in ("crash", "code=-5"):
                with self.subTest(call=function, fault=fault):
                    result = self.measure(SPOIL_CALL=f"{function}:1+:{fault}")
                    self.assertNotEqual(result.code, EXIT_OK, str(result))
                    row = self.row(result)
                    self.assertFalse(row["measured"])
                    self.assertTrue(row["note"], row)


if __name__ == "__main__":
    gridlock_test.main()
