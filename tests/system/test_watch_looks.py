#!/usr/bin/env python3
"""gridlock watch PROGRAM, when a kernel runs for long: the threads of the program are looked at, as with --pid."""
import os
import pathlib
import re
import shlex
import signal
import sys
import unittest

import gridlock_test
import schemas
from gridlock_test import needs_driver
from watch_case import CANNOT_LOOK, Case

# A program that is looked at by its own child already.
LOOKED_AT = """
import ctypes, os, sys
PTRACE_CONT, PTRACE_SEIZE = 7, 0x4206
libc = ctypes.CDLL(None)
libc.ptrace.argtypes = [ctypes.c_long] + [ctypes.c_void_p] * 3
program, (reading, writing) = os.getpid(), os.pipe()
if os.fork() == 0:
    os.write(writing, b"1" if libc.ptrace(PTRACE_SEIZE, program, None, None) == 0 else b"0")
    while True:
        pid, status = os.waitpid(program, 0)
        if not os.WIFSTOPPED(status):
            os._exit(0)
        number = os.WSTOPSIG(status)
        libc.ptrace(PTRACE_CONT, program, None, 0 if status >> 16 or number == 5 else number)
if os.read(reading, 1) != b"1":
    sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])
"""


@needs_driver("pocl")
@unittest.skipIf(CANNOT_LOOK, "this build cannot look at processes")
class Looks(Case):
    source = "watched.c"
    variables = {"POCL_MAX_PTHREAD_COUNT": 2}

    def check_deadlock(self, mode, kernels, call="clFinish", others=None):
        """`others`: what its threads may run instead, which is up to the driver."""
        self.log.unlink(missing_ok=True)
        process = self.begin(mode, **self.variables)
        self.wait_until(lambda: any(line["alarm"] for line in self.stalls()), "an alarm is told")
        self.end(process)
        told = self.stalls()[-1]
        self.assertEqual((told["verdict"], told["alarm"]), ("deadlock", True), told)
        look = told["look"]
        running = [thread["kernel"] for thread in look["threads"] if thread["kernel"]]
        self.assertIn([kernel["name"] for kernel in running], (kernels, others))
        self.assertEqual({kernel["course"] for kernel in running}, {"round"})
        self.assertEqual([thread["call"] for thread in look["threads"] if thread["role"] == "call"], [call])
        self.assertEqual([thread["role"] for thread in look["threads"]].count("door"), 1)
        return told

    def fit(self, mode, local=(16,), **variables):
        result = self.finish(self.begin(mode, options=["--on-stall", "end"], **self.variables, **variables))
        self.assertEqual(result.code, 128 + signal.SIGTERM, str(result))
        self.assert_nothing_left()
        (command,) = self.stalls()[-1]["commands"]
        self.assertEqual((command["kernel"], command["groups"], command["local"]), (mode, 64, list(local)))
        (said,) = [line for line in self.lines() if line["kind"] == "fit"]
        self.assertEqual((said["kernel"], said["groups"], said["items"]), (mode, 64, 16))
        return said

    def test_more_groups_than_fit(self):
        """It is measured, and the command that does so gives the same."""
        said = self.fit("barrier_of_all")
        self.assertEqual(said["fit"], 2)
        words = shlex.split(said["command"])
        self.assertEqual(words[:2], ["gridlock", "limits"])
        measured = self.run_gridlock(*words[1:], "--estimator", "census", "--format", "json", **self.variables).json()
        self.assertEqual([limit["resident"] for limit in measured["devices"][0]["limits"]], [2])

    def test_two_and_three_dimensions(self):
        """As many of such groups fit as of those in a row, and the command says their shape."""
        for local, sizes in (((4, 4), "32 x 32 work-items in 64 groups of 4 x 4"),
                             ((4, 2, 2), "16 x 16 x 4 work-items in 64 groups of 4 x 2 x 2")):
            with self.subTest(local=local):
                self.log.unlink(missing_ok=True)
                shape = "x".join(map(str, local))
                said = self.fit("barrier_of_all", local, WATCHED_DIMENSIONS=len(local))
                self.assertEqual(said["fit"], 2)
                words = shlex.split(said["command"])
                self.assertEqual(words[words.index("--local-size") + 1], shape)
                (thread, *_) = [thread for thread in self.stalls()[-1]["look"]["threads"] if thread["kernel"]]
                self.assertEqual(thread["kernel"]["local_size"], "x".join(map(str, (*local, 1)[:3])))
                told = self.finish(self.start("watch", "--deadline", "0.2", "--on-stall", "end", str(self.program),
                                              "barrier_of_all", WATCHED_DIMENSIONS=len(local), **self.variables)).err
                self.assertIn(sizes, told)

    def test_a_program_without_source(self):
        said = self.fit("lock", WATCHED_BINARY=1)
        self.assertNotIn("fit", said)
        self.assertNotIn("command", said)

    def test_others(self):
        for mode, kernels, call in (("lock", ["lock"] * 2, "clFinish"), ("circle", ["circle"] * 2, "clFinish"),
                                    ("two_queues", ["lock"] * 2, "clFinish"),  # or the other queue's
                                    ("read", ["lock"] * 2, "clEnqueueReadBuffer")):
            with self.subTest(mode=mode):
                self.check_deadlock(mode, kernels, call, ["flag"] * 2 if mode == "two_queues" else None)

    def test_lines(self):
        """It is said where in its source a kernel goes round, if that was asked for."""
        for options, found in (([], self.assertNotRegex), (["--lines"], self.assertRegex)):
            said = self.finish(self.start("watch", *options, "--deadline", "0.2", "--on-stall", "end",
                                          str(self.program), "lock", **self.variables)).err
            found(" ".join(said.split()), r"runs kernel lock .* goes round .*\.cl:9\b|"
                                          r"runs kernel lock .*\.cl:9\b.* goes round")

    def test_text(self):
        said = self.finish(self.start("watch", "--deadline", "0.2", "--on-stall", "end", str(self.program), "lock",
                                      **self.variables)).err
        self.assertRegex(said, r"of process \d+ \(watched\): deadlock\n  its kernels only go round, and each other")
        self.assertRegex(said, r"is in clFinish of queue 1 for \d+\.\d s, called by main \(watched.c:\d+\)\n")
        self.assertRegex(said, r"    1 runs: kernel lock, 1024 work-items in 64 groups of 16")
        self.assertRegex(" ".join(said.split()), r"threads \d+, \d+: each runs kernel lock \(work-groups of 16x1x1\): "
                                                 r"it goes round in \d+ instructions, and changes nothing")
        self.assertRegex(said, r"kernel lock was launched in 64 groups of 16, and 2 fit at once on .*; gridlock limits")

    def test_a_driver_that_runs_kernels_in_the_call(self):
        """It does not come back, so that nothing was accepted yet."""
        process = self.begin("lock", options=["--on-stall", "end"], POCL_DEVICES="basic")
        self.assertEqual(self.finish(process).code, 128 + signal.SIGTERM)
        told = self.stalls()[-1]
        self.assertEqual((told["verdict"], told["alarm"], told["commands"]), ("deadlock", True, []), told)
        self.assertEqual([thread["call"] for thread in told["threads"] if "call" in thread],
                         ["clEnqueueNDRangeKernel"])
        self.assertEqual([thread["kernel"]["name"] for thread in told["look"]["threads"] if thread["kernel"]], ["lock"])
        self.check_long("slow_in_memory", "moves", "does not only go round", POCL_DEVICES="basic")

    def check_long(self, mode, reason, why, **variables):
        """Whoever is stopped in between, and however often it is asked."""
        self.log.unlink(missing_ok=True)
        process = self.begin(mode, options=["--on-stall", "end"], **self.variables, **variables)
        self.wait_for_stall()
        os.kill(self.watched(), signal.SIGSTOP)
        process.send_signal(signal.SIGUSR1)
        os.kill(self.watched(), signal.SIGCONT)

        def found():  # before, it may be said that the kernel is compiled
            return [line for line in self.stalls() if line.get("look", {}).get("reason") == reason]

        self.wait_until(found, f"it is {reason}")
        told = found()[0]
        self.assertEqual((told["verdict"], told["alarm"]), ("long", False), told)
        self.assertIn(why, told["why"])
        self.end(process)
        self.assertEqual({line["verdict"] for line in self.stalls()}, {"long"})
        return told

    def test_a_slow_kernel(self):
        self.check_long("slow", "moves", "does not only go round")

    def test_a_slow_kernel_that_writes(self):
        self.check_long("slow_in_memory", "moves", "does not only go round")

    def test_a_thread_that_may_set_the_flag(self):
        told = self.check_long("flag_set_late", "program", "waits for the program: thread")
        decided = [thread for thread in told["look"]["threads"] if thread["role"] == "program"]
        self.assertEqual([thread["stack"][-3]["function"] for thread in decided], ["set_flag_late"])

    def test_memory_that_another_process_may_write_to(self):
        self.check_long("shared_flag", "shared", "another process may write to")

    def test_host_stalls_are_told_with_their_callers(self):
        result = self.finish(self.begin("event_never_set", options=["--on-stall", "end"], **self.variables))
        self.assertEqual(result.code, 128 + signal.SIGTERM, str(result))
        (told,) = self.stalls()
        self.assertEqual((told["verdict"], told["look"]["verdict"]), ("host", "host"))
        (thread,) = [thread for thread in told["look"]["threads"] if thread["role"] == "call"]
        self.assertEqual(thread["call"], "clFinish")
        self.assertIn(("main", "watched.c"), [(frame["function"], frame["file"]) for frame in thread["stack"]])

    def test_it_may_not_be_looked_at(self):
        """One sentence says so; all else is told."""
        script = self.folder / "looked_at.py"
        script.write_text(LOOKED_AT)
        process = self.start("watch", "--deadline", "0.2", "--format", "json", "--log", str(self.log), sys.executable,
                             str(script), str(self.program), "lock", **self.variables)
        self.wait_until(lambda: self.stalls() or process.poll() is not None, "a stall is told")
        if process.poll() == 77:
            self.skipTest("nothing may be looked at here")
        told = self.stalls()[0]
        self.assertEqual((told["verdict"], told["commands"][0]["kernel"]), ("long", "lock"))
        self.assertIn("is looked at by another one already", told["not_looked"])
        self.assertNotIn("look", told)
        self.end(process)

    def test_watch_is_killed(self):
        """Whatever it is doing: the program goes on, and nobody holds it."""
        for _ in range(5):
            process = self.begin("lock", options=["--deadline", "0.05"], **self.variables)
            program = self.watched()
            self.wait_until(lambda: self.stalls() or len(self.processes()) > 2, "it looks, or has looked")
            process.kill()
            process.wait()
            self.wait_until(lambda: list(self.processes()) == [program], "the program alone is left")
            status = pathlib.Path(f"/proc/{program}/status")
            self.wait_until(lambda: re.search(r"State:\t[RS](.|\n)*TracerPid:\t0\n", status.read_text()),
                            "it goes on, and nobody holds it")
            os.kill(program, signal.SIGKILL)
            self.log.unlink(missing_ok=True)
            self.wait_until(lambda: not self.processes(), "it has ended")

    @unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
    def test_schema(self):
        self.check_deadlock("lock", ["lock"] * 2)
        for line in self.lines():
            schemas.validator("watch-program").validate(line)


if __name__ == "__main__":
    gridlock_test.main()
