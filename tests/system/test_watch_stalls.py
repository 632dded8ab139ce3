#!/usr/bin/env python3
"""Thirty stalls of kernels and ten of the host, in ordinary programs in C, C++ and Python, and ten that are only slow.

gridlock watch names kernel, line and call, and raises an alarm for all that stall and for none that is slow. Each
program is stopped and continued in the middle. GRIDLOCK_PYOPENCL names a Python that has pyopencl, if this one has not.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

import gridlock_test
import watch_case
from gridlock_test import ROOT, needs_driver

FOLDER = ROOT / "tests" / "system" / "stalls"
KERNELS = ["flag_never_set", "ring_of_groups", "barrier_of_more", "lock_never_released", "ticket_skipped",
           "consumer_alone", "later_group", "item_waits_for_item", "no_way_out", "in_a_function"]
HOST = {"in_finish": "clFinish", "in_wait": "clWaitForEvents", "on_the_gate": "clWaitForEvents",
        "in_read": "clEnqueueReadBuffer", "in_map": "clEnqueueMapBuffer", "behind_a_marker": "clFinish",
        "in_two_queues": "clFinish", "under_a_lock": "clFinish", "by_its_own_callback": "clFinish",
        "by_who_joins": "clWaitForEvents"}
SLOW = ["kernel_that_counts", "kernel_that_is_polled", "kernel_with_a_callback", "kernel_behind_kernels",
        "event_set_later", "event_waited_for", "gate_waited_for", "read_behind_an_event", "two_queues_and_an_event",
        "host_that_sleeps"]
PYTHON = os.environ.get("GRIDLOCK_PYOPENCL", sys.executable)


def has_pyopencl():
    return subprocess.run([PYTHON, "-c", "import pyopencl"], capture_output=True, check=False).returncode == 0


def lines_of(name):
    """The first and the last line of a kernel, and of the function that one calls."""
    lines = (FOLDER / "stalls.cl").read_text().splitlines()
    first = lines.index(f"kernel void {name}(global volatile int *w, int n)") + 1
    return first if name != "in_a_function" else lines.index("int answer(global volatile int *w)") + 1, \
        first + lines[first:].index("}") + 1


@needs_driver("pocl")
@unittest.skipIf(watch_case.COMPILER is None, "no C compiler")
class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"
        self.addCleanup(watch_case.Case.remove_folders)

    def compiled(self, source):
        compiler = [shutil.which("g++")] if source.endswith("cpp") else [watch_case.COMPILER, "-D_GNU_SOURCE"]
        if compiler[0] is None:
            self.skipTest("no compiler of C++")

        def make(path):
            done = subprocess.run([*compiler, "-O1", "-g", "-o", path, FOLDER / source, "-lOpenCL", "-lpthread"],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0 and "opencl.hpp" in done.stderr:
                self.skipTest("no opencl.hpp")
            self.assertEqual(done.returncode, 0, done.stderr)

        path = self.kept_file(self.folder / "program", source, make)
        path.chmod(0o755)
        return str(path)

    lines = watch_case.Case.lines
    stalls = watch_case.Case.stalls

    def alarms(self):
        return [stall for stall in self.stalls() if stall["alarm"]]

    def begin(self, *words, options=(), **variables):
        """Starts it, and has it stopped and continued once it has launched."""
        process = self.start("watch", "--deadline", "0.2", "--format", "json", "--log", str(self.log), *options, "--",
                             *words, stdin=subprocess.PIPE, **variables)
        if process.stdout.readline() != "launched\n":
            self.finish(process)
            self.fail("it did not launch")
        (watched,) = (pid for pid, line in self.processes().items() if line.startswith(words[0]))
        os.kill(watched, signal.SIGSTOP)
        state = pathlib.Path(f"/proc/{watched}/stat")
        self.wait_until(lambda: state.read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] == "T", "it is stopped")
        os.kill(watched, signal.SIGCONT)
        return process

    def end_of_stall(self, process):
        """Ends it once the alarm is raised; returns what was said then."""
        self.wait_until(self.alarms, "an alarm is raised")
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.code, 128 + signal.SIGTERM, str(result))
        self.assert_nothing_left()
        return self.alarms()[0]


class Kernels(Case):
    def check(self, call, *program, kernels=KERNELS, **variables):
        told = []
        for name in kernels:
            with self.subTest(kernel=name):
                self.log.unlink(missing_ok=True)
                process = self.begin(*program, str(FOLDER / "stalls.cl"), name, "8", "4", **variables)
                stall = self.end_of_stall(process)
                self.assertEqual(stall["verdict"], "deadlock" if not watch_case.CANNOT_LOOK else "long")
                calls = [thread["call"] for thread in stall["threads"] if "call" in thread]
                running = {thread["kernel"]["name"] for thread in stall["look"]["threads"]
                           if thread["role"] == "kernel"}
                launch = stall["commands"][0]
                self.assertEqual((calls, running), ([call], {name}))
                self.assertEqual((launch["kernel"], launch["groups"], launch["local"]), (name, 8, [4]))
                told.append((name, stall))
        return told

    def test_c(self):
        self.check("clFinish", self.compiled("program.c"))

    def test_cpp(self):
        self.check("clEnqueueReadBuffer", self.compiled("program.cpp"))

    def test_python(self):
        if not has_pyopencl():
            self.skipTest("no pyopencl")
        self.check("clWaitForEvents", PYTHON, str(FOLDER / "program.py"))

    def test_lines(self):
        """PoCL keeps debug information if it is asked for; two kernels then write to a stack that is not whole."""
        proved = [name for name in KERNELS if name not in ("later_group", "no_way_out")]
        for name, stall in self.check("clFinish", self.compiled("program.c"), kernels=proved, options=("--lines",)):
            first, last = lines_of(name)
            # A function of the driver's library, which has no lines, may be on top.
            lines = [next((frame["line"] for frame in thread["stack"] if frame["line"] is not None), 0)
                     for thread in stall["look"]["threads"] if thread["role"] == "kernel"]
            with self.subTest(kernel=name):
                self.assertTrue(lines and all(first <= line <= last for line in lines), f"{lines}, not {first}..{last}")


class Host(Case):
    def restless(self):
        """A library that is named as a driver's is."""
        path = self.folder / "libpocl-restless.so"
        subprocess.run([watch_case.COMPILER, "-shared", "-fPIC", "-o", path, FOLDER / "restless.c", "-lpthread"],
                       check=True)
        return "Portable", str(path)

    def check(self, *words):
        program = self.compiled("host.c")
        for mode, call in HOST.items():
            with self.subTest(mode=mode):
                self.log.unlink(missing_ok=True)
                stall = self.end_of_stall(self.begin(program, mode, *words))
                self.assertEqual(stall["verdict"], "host")
                self.assertIn("user event that nobody can set", stall["why"])
                calls = [thread["call"] for thread in stall["threads"] if "call" in thread]
                self.assertIn(call, calls)

    def test_stalls(self):
        self.check()

    @unittest.skipIf(watch_case.CANNOT_LOOK, "whose thread it is only a look shows")
    def test_a_thread_of_the_driver_looks_up(self):
        """It can do nothing for the program but what its commands and callbacks are for."""
        self.check(*self.restless())

    def check_slow(self, *words):
        program = self.compiled("host.c")
        for mode in SLOW:
            with self.subTest(mode=mode):
                self.log.unlink(missing_ok=True)
                process = self.begin(program, mode, *words, options=("--on-stall", "end"))
                self.wait_until(self.stalls, "something is said")
                process.stdin.close()
                process.stdin = None
                result = self.finish(process)
                self.assertEqual((result.code, result.out), (0, "ended\n"), str(result))
                self.assertEqual({stall["verdict"] for stall in self.stalls()}, {"long"})

    def test_slow_ones(self):
        """None is an alarm, whatever is said of it."""
        self.check_slow()

    def test_slow_ones_of_such_a_driver(self):
        self.check_slow(*self.restless())


if __name__ == "__main__":
    gridlock_test.main()
