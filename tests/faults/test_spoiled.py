"""Drivers that work, but for one call: it costs one trial at most, and its verdict says what happened.

SPOIL_ICD_LIBRARY names the driver that is built from spoil_icd.c. What it logs is the truth.
"""
import ctypes
import itertools
import os
import pathlib
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import spoiling  # noqa: E402
from gridlock_test import EXIT_NO_DEVICE, EXIT_OK, EXIT_UNSUPPORTED, scenario_text  # noqa: E402

EXIT_SURPRISE, EXIT_WEDGED = 1, 5
OTHER = os.environ.get("FAKE_ICD_LIBRARY", "")
LAUNCHES = 20
MIDDLE = LAUNCHES // 2  # a launch in the middle of the batch, where calls count from its first one on
KILLED = "not by gridlock"
STOPPED_S = 7  # longer than a launch may take
# A call of each step on the way to a launch.
STEPS = ("clGetPlatformInfo", "clCreateContext", "clBuildProgram", "clEnqueueNDRangeKernel")
WALL = 0x40000000  # of waitpid: threads as well
SEIZE, DETACH, TRACE_EXIT = 0x4206, 17, 0x40  # of ptrace

# Of one call in the middle of the batch: the verdicts of its launches besides pass, and what its note says.
IN_A_BATCH = {
    ("clEnqueueNDRangeKernel", "crash"): ("crash", "signal 11"),
    ("clEnqueueNDRangeKernel", "abort"): ("crash", "signal 6"),
    ("clEnqueueNDRangeKernel", "exit"): ("crash", "exit status 0"),
    ("clEnqueueNDRangeKernel", "kill"): ("crash", KILLED),
    ("clEnqueueNDRangeKernel", "hang"): ("hang", "exceeded its time"),
    ("clWaitForEvents", "spin"): ("hang", "exceeded its time"),
    ("clEnqueueNDRangeKernel", "code=-5"): ("error", "CL_OUT_OF_RESOURCES"),
    ("clEnqueueNDRangeKernel", "code=-6"): ("error", "CL_OUT_OF_HOST_MEMORY"),
    ("clWaitForEvents", "code=-36"): ("device-lost", "CL_INVALID_COMMAND_QUEUE"),
    ("clEnqueueNDRangeKernel", "skip"): ("wrong", ""),
    ("clEnqueueNDRangeKernel", "half"): ("wrong", ""),
    ("clFlush", "socket"): ("crash", "wrote to the worker's socket"),
    ("clFlush", "slow"): (None, ""),
    ("clFlush", "flood"): (None, ""),
    ("clFlush", "orphans"): (None, ""),
    ("clFlush", "state"): (None, ""),
    ("clWaitForEvents", "skip"): (None, ""),
    ("clGetEventInfo", "lie"): (None, ""),
    ("clGetEventInfo", "code=-5"): (None, ""),
}


@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))
        self.scenario = self.folder / "point.ini"
        self.scenario.write_text(scenario_text(groups="2", sweep=f"local-size = 1\niterations = {LAUNCHES}"))

    def run_spoiled(self, plan, *arguments, code=EXIT_OK, **variables):
        """Leaves the run file of this run alone."""
        for path in self.run_file_paths():
            path.unlink()
        deadlines = spoiling.deadlines(f"{plan}:{variables.get('SPOIL_END')}")
        arguments = arguments or ("run", str(self.scenario), *deadlines)
        plan = {"SPOIL_CALL": plan} if plan else {}
        return self.run_gridlock(*arguments, code=code, **self.spoiling.environment(**plan, **variables))

    def run_spoiled_batch(self, plan, **arguments):
        """Calls count from the first launch of the batch on: how many come before varies."""
        return self.run_spoiled(plan, SPOIL_WORK="1", **arguments)

    def counts(self):
        self.run_spoiled(None)
        return self.spoiling.counts()

    def verdicts(self):
        """{verdict: launches} and the notes of the point's trials."""
        run = self.run_file()
        rows = run.rows("SELECT verdict, count(*) AS launches FROM verdict JOIN trial ON trial.id = verdict.trial"
                        " WHERE estimator = 'work' GROUP BY verdict")
        notes = run.rows("SELECT note FROM trial WHERE note <> ''")
        return {row["verdict"]: row["launches"] for row in rows}, " ".join(row["note"] for row in notes)


class Unspoiled(Case):
    def test_nothing_is_spoiled_that_was_not_asked_for(self):
        counts = self.counts()
        self.assertEqual(self.spoiling.spoiled(), [])
        self.assertGreater(counts["clEnqueueNDRangeKernel"], LAUNCHES)

    def test_launches_are_known_wherever_their_boards_are(self):
        self.scenario.write_text(scenario_text(groups="2", sweep="local-size = 1\niterations = 1\nseed = 7, 8, 9"))
        for memory, plan, options in (("svm", None, ()), ("mapped", "clSVMAlloc:1+:skip", ()),
                                      ("device", None, ("--channel", "none"))):
            with self.subTest(memory=memory):
                self.run_spoiled(plan, "run", str(self.scenario), *options)
                seeds = [line.seed for line in self.spoiling.lines() if line.fault == spoiling.LAUNCH]
                if memory == "device":  # without a channel fuses begin short, and a launch may be made again
                    seeds = [seed for seed, _ in itertools.groupby(seeds)]
                self.assertEqual(seeds, [7, 8, 9])
                self.assertEqual(self.run_file().rows("SELECT memory FROM device")[0]["memory"], memory)


class Batches(Case):
    def test_fault_in_a_batch_is_that_of_its_launch(self):
        for (call, fault), (verdict, words) in IN_A_BATCH.items():
            with self.subTest(call=call, fault=fault):
                result = self.run_spoiled_batch(f"{call}:{MIDDLE}:{fault}",
                                                code=EXIT_OK if verdict is None else EXIT_SURPRISE)
                self.assertEqual([(line.call, line.number) for line in self.spoiling.spoiled()], [(call, MIDDLE)])
                found, notes = self.verdicts()
                self.assertEqual([name for name in found if name != "pass"], [verdict] if verdict else [], str(result))
                self.assertEqual(found.get(verdict, 1), 1, found)
                self.assertIn(words, notes)
                print(f"{call:24} {fault:8} {verdict or 'pass':12} exit {result.code}, nothing left", file=sys.stderr)

    def test_fault_where_the_driver_copies_boards(self):
        for fault, verdict in (("crash", "crash"), ("hang", "hang"), ("code=-5", "error")):
            with self.subTest(fault=fault):
                plan = f"clEnqueueFillBuffer:{MIDDLE}:{fault}"
                self.run_spoiled(plan, "run", str(self.scenario), "--channel", "none", *spoiling.deadlines(plan),
                                 SPOIL_WORK="1", code=EXIT_SURPRISE)
                self.assertEqual(len(self.spoiling.spoiled()), 1)
                self.assertEqual(self.verdicts()[0].get(verdict), 1)

    def test_fault_where_the_driver_copies_pages_of_litmus_tests(self):
        """A worker that dies of one is replaced, and nothing is lost."""
        tests = self.folder / "tests.txt"
        tests.write_text(self.run_gridlock("litmus", "choose", "--count", "3", "--seed", "1", "--guaranteed",
                                           "lobe").out)
        for call in ("clEnqueueWriteBufferRect", "clEnqueueReadBufferRect"):
            with self.subTest(call=call):
                self.run_spoiled(f"{call}:2:crash", "progress", "--tests", str(tests), "--mapping", "plain",
                                 "--no-limit",
                                 "--channel", "none", code=EXIT_SURPRISE)
                self.assertEqual(len(self.spoiling.spoiled()), 1)
                self.assertEqual(self.run_file().one("SELECT count(DISTINCT program) AS tests FROM litmus WHERE ran = "
                                                     "20"),
                                 {"tests": 3})

    def test_refusal_of_each_launch_is_unsupported(self):
        """A driver that always refuses the shape lacks it; one that does so once does not."""
        self.run_spoiled_batch("clEnqueueNDRangeKernel:1+:code=-5", code=gridlock_test.EXIT_UNSUPPORTED)
        self.assertEqual(self.verdicts()[0], {"unsupported": 1})

    def test_compiler_that_dies_of_a_kernel(self):
        """Its limit cannot be counted, so nothing is predicted of it; a driver that fails is a surprise all the
        same."""
        plan = self.spoiling.environment(SPOIL_DIES_OF='"barrier_central.cl"')
        result = self.run_gridlock("run", "barrier_central", "-o", "run", code=EXIT_SURPRISE, **plan)
        self.assertRegex(result.out, r"(?m)^    crash, not predicted, allowed pass or starved; in 1 of 1 batches$")
        found = self.run_gridlock("report", "run", "--format", "json",
                                  code=EXIT_SURPRISE).json()["devices"][0]["scenarios"]
        points = found[0]["points"]
        self.assertEqual([(point["verdict"], point["expected"], point["surprise"]) for point in points],
                         [("crash", None, True)] * len(points))
        known = self.run_gridlock("report", "run", "--format", "baseline", "--exit-zero").out
        (self.folder / "known").write_text(known)
        self.run_gridlock("run", "barrier_central", "--baseline", "known", **plan)

    def start_spoiled(self, fault, *arguments):
        """A run whose worker is in a call in the middle of the batch."""
        plan = self.spoiling.environment(SPOIL_CALL=f"clEnqueueNDRangeKernel:{MIDDLE}:{fault}", SPOIL_WORK="1")
        process = self.start("run", str(self.scenario), *spoiling.deadlines(fault), *arguments, **plan)
        self.wait_until(lambda: self.spoiling.spoiled() or process.poll() is not None, "a call that is spoiled")
        self.assertEqual(len(self.spoiling.spoiled()), 1, "no call was spoiled")
        return process

    def test_worker_that_is_killed_from_outside(self):
        process = self.start_spoiled("slow")
        os.kill(self.workers()[0], signal.SIGKILL)
        self.assertEqual(self.finish(process).code, EXIT_SURPRISE)
        found, notes = self.verdicts()
        self.assertEqual(found.get("crash"), 1, found)
        self.assertIn(KILLED, notes)

    def test_all_are_stopped_for_a_while(self):
        """As when the machine is suspended: that is no time of the launch."""
        process = self.start_spoiled("slow", "--timeout", "5")
        found = list(self.processes())
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in found:
                os.kill(pid, number)
            time.sleep(STOPPED_S if number == signal.SIGSTOP else 0)
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_OK, str(result))
        self.assertEqual(self.verdicts()[0], {"pass": LAUNCHES})

    def test_end_of_the_worker_that_would_never_come(self):
        """The worker leaves without the ends of libraries; it is killed where a driver calls them behind its back."""
        self.run_spoiled(None, SPOIL_END="hang")
        self.assertEqual(self.verdicts()[0], {"pass": LAUNCHES})
        self.assertEqual(self.run_file().rows("SELECT rungs FROM trial WHERE rungs <> ''"), [])
        self.run_spoiled_batch(f"clEnqueueNDRangeKernel:{MIDDLE}:leave", SPOIL_END="hang", code=EXIT_SURPRISE)
        self.assertEqual(self.verdicts()[0].get("hang"), 1)

    def hold(self, pid):
        """The ids of the threads of a process, which from now on stay when they are killed."""
        library = ctypes.CDLL(None, use_errno=True)
        threads = [int(name) for name in os.listdir(f"/proc/{pid}/task")]
        for thread in threads:
            if library.ptrace(SEIZE, thread, None, ctypes.c_void_p(TRACE_EXIT)) != 0:
                self.skipTest("processes may not be traced here")
        return threads

    @staticmethod
    def let_go(threads):
        for thread in threads:
            os.waitpid(thread, WALL)
            ctypes.CDLL(None).ptrace(DETACH, thread, None, None)

    def test_worker_that_cannot_be_killed(self):
        process = self.start_spoiled("hang")
        worker, = self.workers()
        threads = self.hold(worker)
        result = self.finish(process)
        self.assertTrue(os.path.exists(f"/proc/{worker}"), "it could be killed")
        self.let_go(threads)
        self.wait_until(lambda: not self.processes(), "the end of the worker")
        self.assertEqual(result.code, EXIT_WEDGED, str(result))
        self.assertIn("stopped working", result.out)
        self.assertEqual(self.verdicts()[0].get("hang"), 1)
        self.assertIn("unkillable", self.run_file().one("SELECT rungs FROM trial WHERE rungs <> ''")["rungs"])


class Probing(Case):
    """What fails once while the device is listed, opened or probed costs nothing."""

    def test_first_call_of_each_function(self):
        for call in self.counts():
            for fault in ("crash", "kill", "socket", "orphans") if call in STEPS else ("crash",):
                with self.subTest(call=call, fault=fault):
                    self.run_spoiled(f"{call}:1:{fault}")
                    self.assertEqual(len(self.spoiling.spoiled()), 1)
                    self.assertEqual(self.verdicts()[0], {"pass": LAUNCHES})

    def test_what_a_second_worker_leaves_behind_is_ended(self):
        """It builds what is measured next."""
        variables = self.spoiling.environment(SPOIL_CALL="clBuildProgram:1+:orphans", SPOIL_TYPE="gpu")
        process = self.start("limits", "--local-size", "1,2,4,8,16", "--stall-budget", "5000", **variables)
        self.wait_until(lambda: len({line.pid for line in self.spoiling.spoiled()} & set(self.workers())) == 2 or
                        process.poll() is not None, "two workers that left processes behind")
        self.assertIsNone(process.poll(), "it ended before it could be interrupted")
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 128 + signal.SIGINT)
        self.assert_nothing_left()

    def test_error_while_devices_are_listed(self):
        """Once, in any query of the listing: it is tried again. Never again: the platform is named with the error."""
        calls = {"clGetPlatformInfo": (1, 2, 3), "clGetDeviceIDs": (1,), "clGetDeviceInfo": (1, 2, 9, 17, 25)}
        for call, number, code in ((call, number, code) for call, numbers in calls.items() for number in numbers
                                   for code in ("code=-5", "code=-6")):
            with self.subTest(call=call, number=number, code=code):
                self.run_spoiled(f"{call}:{number}:{code}")
                self.assertEqual(len(self.spoiling.spoiled()), 1)
                self.assertEqual(self.verdicts()[0], {"pass": LAUNCHES})
        for call in ("clGetDeviceIDs", "clGetDeviceInfo"):
            with self.subTest(call=call):
                result = self.run_spoiled(f"{call}:1+:code=-6", code=EXIT_NO_DEVICE)
                self.assert_sentence(result.err, "Portable Computing Language", f"{call}: CL_OUT_OF_HOST_MEMORY")
                self.assertEqual(result.err.count("\n"), 1, result.err)

    def test_device_that_does_not_say_its_name(self):
        result = self.run_spoiled("clGetDeviceInfo:1+:skip", code=EXIT_NO_DEVICE)
        self.assert_sentence(result.err, "device 0:0 of Portable Computing Language", "no CL_DEVICE_NAME")

    def test_answer_that_only_one_worker_misses(self):
        """All workers go by what the driver said when devices were listed."""
        counts = self.counts()
        listing = counts["clGetDeviceInfo"] // counts["clGetDeviceIDs"]
        self.scenario.write_text(scenario_text(groups="2", sweep="local-size = 1\niterations = 1"))
        for number in range(listing + 1, 2 * listing + 1):
            with self.subTest(number=number):
                self.run_spoiled(f"clGetDeviceInfo:{number}:skip")
                self.assertEqual(self.verdicts()[0], {"pass": 1})

    @unittest.skipIf(OTHER == "", "FAKE_ICD_LIBRARY names no library")
    def test_platform_that_cannot_be_listed_beside_another(self):
        (self.spoiling.vendors / "1.icd").write_text(f"{OTHER}\n")
        for call in ("clGetDeviceIDs", "clGetDeviceInfo"):
            with self.subTest(call=call):
                plan = self.spoiling.environment(SPOIL_CALL=f"{call}:1+:code=-6", FAKE_ICD="open-fails")
                result = self.run_gridlock("devices", "--format", "json", **plan)
                self.assertEqual([device["name"] for device in result.json()["devices"]], ["fake device"])
                left_out, = result.json()["drivers_not_loaded"]
                self.assertIn("Portable Computing Language", left_out["file"])
                self.assertEqual(left_out["reason"], f"{call}: CL_OUT_OF_HOST_MEMORY")
                self.assert_sentence(result.err, left_out["file"], left_out["reason"])

    def test_error_of_a_launch(self):
        for number in (1, 2, 3, 5, 20):
            with self.subTest(number=number):
                self.run_spoiled(f"clEnqueueNDRangeKernel:{number}:code=-5")
                self.assertEqual(self.verdicts()[0], {"pass": LAUNCHES})

    def test_worker_that_only_failed_a_step_goes_on(self):
        """It still launches; one that does not, as after a lost device, is replaced, and the step is taken there."""
        for plan, workers in (("clEnqueueNDRangeKernel:2:code=-5", 1), ("clSVMAlloc:1:code=-6", 1),
                              ("clSVMAlloc:1+:code=-6", 1), ("clEnqueueNDRangeKernel:1:lost", 2)):
            with self.subTest(plan=plan):
                self.run_spoiled(plan)
                self.assertGreater(len(self.spoiling.spoiled()), 0)
                self.assertEqual(self.spoiling.counts()["clCreateContext"], workers)
                self.assertEqual(self.verdicts()[0], {"pass": LAUNCHES})

    def test_build_that_hangs(self):
        """Once, the build is tried again; always, no dialect works. The terminal is told what is being waited for."""
        arguments = ("run", str(self.scenario), "--build-timeout", "2")
        for number, code in (("1", EXIT_OK), ("1+", gridlock_test.EXIT_UNSUPPORTED)):
            with self.subTest(number=number):
                plan = self.spoiling.environment(SPOIL_CALL=f"clBuildProgram:{number}:hang")
                seen, _ = self.on_terminal("stderr", *arguments, code=code, **plan)
                self.assertIn("while building a kernel, 0:01", seen)

    def test_launches_that_always_crash_once_they_have_worked(self):
        """No device is left: the canary fails as well."""
        for number in (5, 10):
            with self.subTest(number=number):
                result = self.run_spoiled(f"clEnqueueNDRangeKernel:{number}+:crash", code=EXIT_WEDGED)
                self.assert_sentence(result.err.splitlines()[-1] + "\n", "signal 11")

    def test_device_that_cannot_be_opened(self):
        result = self.run_spoiled("clCreateContext:1+:code=-6", code=EXIT_NO_DEVICE)
        self.assert_sentence(result.err.splitlines()[-1] + "\n", "CL_OUT_OF_HOST_MEMORY")

    def test_device_that_cannot_be_opened_any_more(self):
        """After the crash or the hang of a trial: the device is given up, and the run ends in order."""
        for fault in ("crash", "hang"):
            with self.subTest(fault=fault):
                self.run_spoiled_batch(f"clEnqueueNDRangeKernel:{MIDDLE}+:{fault}", code=EXIT_WEDGED)
                self.assertEqual(self.verdicts()[0].get(fault), 1)


class Demonstration(Case):
    def test_what_fails_is_shown_instead(self):
        plan = self.spoiling.environment(SPOIL_CALL="clEnqueueNDRangeKernel:1:kill", SPOIL_WORK="1")
        shown = " ".join(self.run_gridlock("demo", code=EXIT_SURPRISE, **plan).out.split())
        self.assertIn("2 groups: crash in 1 of 1 launches. barrier_central/cl30/l64/g2#0, launch 0: crash, a surprise",
                      shown)
        self.assertIn("No board could be read: the worker was killed while running a kernel, not by gridlock", shown)
        self.assertIn("One group more 3 groups: starved in 3 of 3 launches.", shown)

    def test_groups_that_cannot_be_counted(self):
        """The kernel of the barrier is built once, after those of the probe."""
        self.run_spoiled(None, "demo")
        last = self.spoiling.counts()["clBuildProgram"]
        result = self.run_spoiled(f"clBuildProgram:{last}+:code=-11", "demo", code=EXIT_UNSUPPORTED)
        shown = " ".join(result.out.split())
        self.assertIn("It could not be counted how many groups are resident together on this device. barrier_central/",
                      shown)
        self.assertIn("CL_BUILD_PROGRAM_FAILURE", shown)
        self.assertNotIn("One group more", shown)


if __name__ == "__main__":
    gridlock_test.main()
