"""Programs of promises that were broken: they are broken again, and kept under a driver that keeps them."""
import os
import re
import shutil
import sqlite3
import subprocess
import unittest

from promise_case import (BLIND, EARLY, EXIT_SURPRISE, EXTENSIONS, FREE_FLAG, HELD_FLAG, LAST_UNPRINTED, NO_ADD,
                          NO_BARRIER, SUB_GROUPS, TORN_ADD, WRONG_SUB_GROUPS, Spoiled)
import audit_case
import gridlock_test
import spoiling

AUDITS = 5  # at most, until one finds it broken: a busy machine may show too little of what is seen while a kernel runs

# Promise, what spoils the audit, what spoils its program, and what else is set; what the program says of it.
REPEATED = (
    ("group-size", "clEnqueueNDRangeKernel:3:code=-5", None, {}, "got OpenCL error -5"),
    ("group-size", "clEnqueueNDRangeKernel:3:crash", None, {}, "got a crash"),
    ("group-size-assembly", "clFlush:1000000:skip", None, {"SPOIL_PARTS": "launch=4:crash:__asm__"}, "got a crash"),
    ("item-sizes-y", "clEnqueueNDRangeKernel:3:skip", None, {}, "a wrong result of work-item 0"),
    ("local-memory-declared", "clEnqueueNDRangeKernel:3:skip", None, {}, "other words than were written"),
    ("local-memory-argument", "clEnqueueNDRangeKernel:3:code=-5", None, {}, "got OpenCL error -5"),
    ("kernel-local-declared", "clGetKernelWorkGroupInfo:1+:skip", None, {}, "got 0"),
    ("kernel-local-argument", "clGetKernelWorkGroupInfo:1+:skip", None, {}, "got 0"),
    ("buffer-size", "clEnqueueNDRangeKernel:1+:skip", None, {}, "where the kernel reads place 0"),
    ("constant-size", "clEnqueueNDRangeKernel:1+:skip", None, {}, "where the kernel reads place 0"),
    ("parameter-size", "clEnqueueNDRangeKernel:1+:skip", None, {}, "where the kernel reads place 0"),
    ("required-size-runs", "clEnqueueNDRangeKernel:1+:skip", None, {}, "ran 0 times"),
    ("required-size-alone", "clEnqueueNDRangeKernel:2:skip", None, {}, "a launch with groups of (16, 2)"),
    ("required-size-said", "clGetKernelWorkGroupInfo:1+:lie", None, {}, "got (9, 2, 1)"),
    ("loop-counted", "clEnqueueNDRangeKernel:1+:skip", None, {}, "did not run to its end"),
    ("loop-while", "clCreateProgramWithSource:1:lie", None,
     {"SPOIL_TEXT": "#define while(true) for (uint left = 4095; left > 0 && (true); --left)"}, "got 4095 turns"),
    ("loop-nested", "clEnqueueNDRangeKernel:3:code=-5", None, {}, "got OpenCL error -5"),
    ("in-order-queue", "clEnqueueNDRangeKernel:3:skip", None, {}, "and not 0xc"),
    ("queue-barrier", "clEnqueueBarrierWithWaitList:1+:skip", None, {}, "and not 0xc"),
    ("wait-list", "clEnqueueNDRangeKernel:1+:drop", None, {}, "and not 0xc"),
    ("wait-list-queues", "clEnqueueNDRangeKernel:1+:drop", None, {}, "and not 0xc"),
    ("finish", "clFinish:1+:skip", None, {}, "status"),
    ("wait-for-events", "clWaitForEvents:1+:skip", None, {}, "of the event of launch 12 of 12"),
    ("blocking-read", "clEnqueueReadBuffer:1:skip", None, {}, "0x55555555"),
    ("non-blocking-read", "clEnqueueReadBuffer:1:skip", None, {}, "clGetEventInfo(event"),
    ("user-event", "clEnqueueNDRangeKernel:1+:drop", None, {}, "before user event 0 was set"),
    ("user-event-error", "clSetUserEventStatus:1:lie", None, {}, "got status 0"),
    ("wait-for-failed", "clWaitForEvents:1+:lie", None, {}, "got 0 from clWaitForEvents of an event with status -"),
    ("wait-list-all", "clEnqueueNDRangeKernel:1+:first", None, {}, "before user event"),
    ("wait-list-all", "clEnqueueNDRangeKernel:1+:last", None, {}, "before user event"),
    ("marker-wait-list", "clEnqueueMarkerWithWaitList:1+:first", None, {}, "before user event"),
    ("barrier-wait-list", "clEnqueueBarrierWithWaitList:1+:last", None, {}, "before user event"),
    ("wait-for-events", "clWaitForEvents:1+:first", None, {}, "of the event of launch 12 of 12"),
    ("global-size", "clEnqueueNDRangeKernel:1+:rest", None, {}, "ran 0 times"),
    ("global-size", "clEnqueueNDRangeKernel:4:twice", None, {}, "ran 2 times"),
    ("global-offset", "clEnqueueNDRangeKernel:1+:origin", None, {}, "outside of the range"),
    ("bytes-write", "clEnqueueWriteBuffer:1+:short", None, {}, "after 2 bytes at offset 1"),
    ("bytes-read", "clEnqueueReadBuffer:1+:short", None, {}, "after 2 bytes at offset 1"),
    ("bytes-fill", "clEnqueueFillBuffer:1+:even", None, {}, "after "),
    ("bytes-copy", "clEnqueueCopyBuffer:1+:even", None, {}, "after 1 bytes at offset 1"),
    ("event-running", "clGetEventInfo:1+:submitted", None, {}, "got status 2 behind clWaitForEvents"),
    ("bytes-map", "clEnqueueMapBuffer:1+:stale", None, {}, "bytes at offset"),
    ("bytes-unmap", "clEnqueueMapBuffer:1+:copy", None, {}, "after 1 bytes at offset 0"),
    ("sub-buffer", "clCreateSubBuffer:1+:origin", None, {}, "of a buffer with a sub-buffer from 2048 on"),
    ("printf-output", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": LAST_UNPRINTED},
     "got 0 of the 3 letters of work-item 25"),
    ("event-duration", "clGetEventProfilingInfo:1+:shrink", None, {}, "that ran for at least"),
    ("event-duration", "clGetEventProfilingInfo:1+:alike", None, {}, "that ran for at least"),
    ("wait-list-moves", "clEnqueueReadBuffer:1+:first", None, {}, "of a read before user event"),
    ("wait-list-moves", "clEnqueueCopyBuffer:1+:last", None, {}, "of a copy before user event"),
    ("wait-list-moves", "clEnqueueCopyBuffer:1:short", None, {}, "0x11 as byte 1023 of a copy, after"),
    ("queue-beside-held", "clEnqueueNDRangeKernel:2:skip", None, {}, "as word 0 of the results"),
    ("event-callback", "clSetEventCallback:1+:skip", None, {}, "got no call of the callback"),
    ("event-callback", "clSetEventCallback:3:lie", None, {}, "before the kernel could begin"),
    ("event-callback-sets", "clSetEventCallback:1+:skip", None, {}, "got no call of the callback"),
    ("event-times", "clGetEventProfilingInfo:1:lie", None, {}, "before QUEUED"),
    ("event-duration", "clGetEventProfilingInfo:4:lie", "clGetEventProfilingInfo:4:lie", {}, "where the host saw"),
    ("timer-resolution", "clGetEventProfilingInfo:1+:round", None, {}, "got steps of 1024 ns"),
    ("svm-coarse", "clEnqueueNDRangeKernel:3:skip", None, {}, "got 0 as byte 0, and not 3"),
    ("svm-fine", "clEnqueueNDRangeKernel:3:skip", None, {}, "got 0 as byte 0, and not 3"),
    ("svm-host-sees", "clSetKernelArgSVMPointer:1+:lie", None, {}, "before the host saw its word"),
    ("svm-kernel-sees", "clSetKernelArgSVMPointer:1+:lie", None, {}, "did not see the host's word"),
    ("svm-adds", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": TORN_ADD}, "additions"),
    ("barrier-local", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": NO_BARRIER}, "times the contrary"),
    ("atomic-acq-rel-group", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": EARLY}, "times the contrary"),
    ("atomic-acq-rel-device", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": EARLY}, "times the contrary"),
    ("fence-acq-rel-device", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": EARLY}, "times the contrary"),
    ("atomic-seq-cst-device", "clCreateProgramWithSource:2:lie", "clCreateProgramWithSource:1:lie",
     {"SPOIL_TEXT": BLIND}, "times the contrary"),
    ("atomic-relaxed-device", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": "#error no atomics here"},
     "from clBuildProgram"),
    ("atomic-flag-device", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": FREE_FLAG},
     "work-items that found one"),
    ("atomic-flag-device", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": HELD_FLAG},
     "got a flag that is set"),
    ("functions-32-global", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": "#error no atomics here"},
     "from clBuildProgram"),
    ("atomic-relaxed-group", "clCreateProgramWithSource:1:lie", None, {"SPOIL_TEXT": NO_ADD}, "atomic increment"),
    ("functions-32-local", "clCreateProgramWithSource:1:lie", None,
     {"SPOIL_TEXT": "#define atomic_xchg(word, value) (*(word))"}, "atomic exchange"),
    ("functions-32-global", "clCreateProgramWithSource:1:lie", None,
     {"SPOIL_TEXT": "#define atomic_cmpxchg(word, expected, value) (expected)"}, "atomic exchange_by_comparison"),
    ("functions-32-global", "clCreateProgramWithSource:1:lie", None,
     {"SPOIL_TEXT": "#define atomic_and(word, value) (*(word))"}, "atomic or_and_and"),
    ("functions-64-local", "clCreateProgramWithSource:1:lie", None,
     {"SPOIL_TEXT": "#define atom_sub(word, value) (*(word))"}, "atomic subtraction"),
    ("functions-64-more-local", "clCreateProgramWithSource:1:lie", None,
     {"SPOIL_TEXT": "#define atom_max(word, value) (*(word))"}, "atomic maximum"),
)
# Promise, what spoils the audit; calls of its program, each of which may be the one that does not return.
HANGING = (
    ("user-event", "clSetUserEventStatus:1+:skip", ("clFlush", "clSetUserEventStatus", "clEnqueueReadBuffer")),
    ("user-event-error", "clSetUserEventStatus:1:lie", ("clEnqueueNDRangeKernel", "clSetUserEventStatus",
                                                        "clWaitForEvents")),
    ("non-blocking-read", "clEnqueueReadBuffer:1:skip", ("clEnqueueReadBuffer", "clSetUserEventStatus",
                                                         "clWaitForEvents")),
    ("queue-beside-held", "clEnqueueNDRangeKernel:2:skip", ("clFlush", "clWaitForEvents")),
    ("wait-flushes", "clWaitForEvents:1-2:hang", ("clWaitForEvents", "clEnqueueReadBuffer")),
)
RUNS_MOST = 20
PATIENCE = (4, 8, 16, 32, 64, 128)  # in seconds: a machine that is busy has too little time for others in less
COMPILER = os.environ.get("CC") or shutil.which("cc")
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")


@unittest.skipIf(COMPILER is None, "there is no C compiler")
@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Reproducers(Spoiled):
    """The program of a broken promise: broken again under the driver that broke it, and kept under one that does
    not."""

    def make_program(self, plan, name, variables):
        for _ in range(AUDITS):
            for left in self.run_file_paths():  # of one that failed
                left.unlink()
            promise = self.audit(plan, name, code=None, **variables)[name]
            if promise["outcome"] == "broken":
                break
        self.assertEqual(promise["outcome"], "broken", promise)
        folder = self.folder / "reproducer"
        shutil.rmtree(folder, ignore_errors=True)
        run_file, = self.run_file_paths()
        self.run_gridlock("explain", f"{run_file}:{name}", "--reproducer", str(folder))
        run_file.unlink()
        text = (folder / "promise.c").read_text()
        watches = any(part in text for part in ("launch_many", "is_seen", "comes_to", "lengthen"))
        both = "launch_many" in text and "comes_to" in text
        self.assertLessEqual(text.count("\n"), 330 if both else 275 if watches else 210)
        self.assertIsNone(re.search(r'#include "|\b(GL|OF|GRIDLOCK)_', text))
        return self.compile(folder, 20)

    def compile(self, folder, patience):
        """With this much of it, in seconds, in place of what is written there."""
        text, count = re.subn(r"PATIENCE_S = \d+,", f"PATIENCE_S = {patience},", (folder / "promise.c").read_text())
        self.assertEqual(count, 1)
        (folder / "promise.c").write_text(text)
        subprocess.run([COMPILER, *WARNINGS, "-o", folder / "promise", folder / "promise.c", "-lOpenCL"], check=True)
        return folder / "promise"

    def launch(self, program, **variables):
        return subprocess.run([program], env=self.environment(**self.spoiling.environment(**variables)),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def hold(self, program, code, words, runs=RUNS_MOST, **variables):
        """On a busy machine the program may see too little: it says so, and is run again."""
        for _ in range(runs):
            done = self.launch(program, **variables)
            if not done.stdout.endswith(": undecided\n"):
                break
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertIn(words, done.stdout)

    def test_each_is_repeated(self):
        known = audit_case.broken_here(self)
        for name, plan, own_plan, variables, words in REPEATED:
            with self.subTest(promise=name, plan=plan):
                program = self.make_program(plan, name, variables)
                self.hold(program, 1, words, SPOIL_CALL=own_plan or plan, SPOIL_WORK="1", **variables)
                self.hold(program, *((1, ": broken\n") if name in known else (0, ": kept\n")))

    def test_finds_the_device(self):
        """By a part of any of its names, as programs of stalls do, and where nothing else is set as it was seen."""
        def run(*words, **variables):
            done = subprocess.run([program, *words], env=self.environment(**self.spoiling.environment(**variables)),
                                  capture_output=True, text=True, check=False)
            return done.returncode, done.stdout, done.stderr

        for name, plan, variables in (("group-size", "clEnqueueNDRangeKernel:3:code=-5", {"POCL_DEVICES": "basic"}),
                                      ("user-event-error", "clSetUserEventStatus:1:lie", {})):
            program = self.make_program(plan, name, variables)
            for words in ((), ("pocl",), ("PORTABLE comp",)):
                with self.subTest(name=name, words=words):
                    out = run(*words)[1]
                    self.assertRegex(out, r"^.*PoCL.*\npromised ")
                    self.assertEqual(re.match("basic|cpu-minimal", out) is not None, "POCL_DEVICES" in variables)
            if variables:
                self.assertRegex(run("pocl", POCL_DEVICES="pthread")[1], r"^(?!basic|cpu-minimal).*PoCL.*\npromised ")
            code, out, err = run("--list", POCL_DEVICES="basic basic")
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(len(re.findall("(?m)^.*PoCL.*$", out)), 2, out)
            for word in ("-h", "--help"):
                self.assertEqual(run(word, POCL_DEVICES="basic basic"),
                                 (0, out, "usage: promise [PART OF A NAME]\n"))
            self.assertRegex(run("pocl", "more")[1], r"\npromised ")
            self.assertEqual(run("nosuch"), (2, "", 'no device or platform has "nosuch" in its name; see --list\n'))

    def test_what_a_driver_says_stays_text(self):
        self.audit("clEnqueueNDRangeKernel:3:code=-5", "group-size", code=EXIT_SURPRISE)
        run_file, = self.run_file_paths()
        nasty = "*/ #error x /* ??/\n\\\n\x1b[31m\\ \"*/int main;??/"
        with sqlite3.connect(run_file) as connection:
            connection.execute("UPDATE device SET name = ?, platform = ?, driver_version = ?",
                               (nasty, nasty, "/*/" * 9))
            connection.execute("UPDATE run SET environment = ?",
                               (f"POCL_DEVICES={nasty}\nOTHER=1\nRUSTICL_ENABLE=a??/\n",))
        connection.close()
        folder = self.folder / "reproducer"
        self.run_gridlock("explain", f"{run_file}:group-size", "--reproducer", str(folder))
        text = (folder / "promise.c").read_text()
        self.assertIn('setenv("RUSTICL_ENABLE", "a?_/", 0)', text)
        self.assertNotIn("OTHER", text)
        self.assertNotRegex(text.partition("\n */\n")[0][2:], r"\*/|/\*|\x1b|\\\n")
        subprocess.run([COMPILER, *WARNINGS, "-Wtrigraphs", "-o", folder / "promise", folder / "promise.c", "-lOpenCL"],
                       check=True)

    def test_what_was_not_seen_is_undecided(self):
        """On one processor host and kernel hardly run at the same time: what is right there is at most not seen to be
        so."""
        program = self.make_program("clCreateProgramWithSource:1:lie", "svm-adds", {"SPOIL_TEXT": TORN_ADD})
        processor = min(os.sched_getaffinity(0))
        done = subprocess.run([program], env=self.environment(**self.spoiling.environment()),
                              preexec_fn=lambda: os.sched_setaffinity(0, {processor}),
                              stdout=subprocess.PIPE, text=True, check=False)
        said = {0: ": kept\n", 3: "saw too little of it: undecided\n"}
        self.assertIn(done.returncode, said, done.stdout)
        self.assertTrue(done.stdout.endswith(said[done.returncode]), done.stdout)

    def test_no_end_is_no_broken_promise(self):
        """Unless it is what was promised, and other launches end meanwhile; then it is not for want of time."""
        for name, plan, own_plan, code, words in (
                ("in-order-queue", "clEnqueueNDRangeKernel:3:skip", "clFinish:1+:hang", 3,
                 "got no end in clFinish(queues[0]): undecided"),
                ("user-event", "clSetUserEventStatus:1+:skip", "clWaitForEvents:1+:hang", 1, "while 3000 launches"),
                ("user-event", "clSetUserEventStatus:1+:skip", "clFlush:1+:hang", 3,
                 "got no end in clFlush(queues[0]): undecided"),
                *((name, plan, f"{call}:1:hang", 1, f"got no end in {call}(") for name, plan, calls in HANGING
                  for call in calls)):
            with self.subTest(promise=name, plan=own_plan):
                folder = self.make_program(plan, name, {}).parent
                for patience in PATIENCE:
                    done = self.launch(self.compile(folder, patience), SPOIL_CALL=own_plan, SPOIL_WORK="1")
                    if done.returncode == code and words in done.stdout:
                        break
                self.assertEqual(done.returncode, code, done.stdout)
                self.assertIn(words, done.stdout)

    def test_process_that_does_not_end(self):
        for fault, words in (("hang", "got no end in exit of another process"), ("crash", "got signal 11 in exit")):
            with self.subTest(fault=fault):
                program = self.make_program(None, "exit-queued", {"SPOIL_END": fault, "deadlines": ("--timeout", "5")})
                self.hold(program, 1, words, runs=1, SPOIL_END=fault)
                self.hold(program, 0, ": kept\n", SPOIL_CALL="clEnqueueNDRangeKernel:1-60:skip", SPOIL_WORK="1")

    def test_program_tries_as_often_as_the_audit(self):
        program = self.make_program("clEnqueueNDRangeKernel:40:drop", "user-event", {"options": ("--iterations", "50")})
        self.hold(program, 1, "before user event 0 was set", SPOIL_CALL="clEnqueueNDRangeKernel:40:drop",
                  SPOIL_WORK="1")
        self.hold(program, 0, ": kept\n")

    def test_call_that_fails(self):
        """That breaks the promise, unless it is made for another purpose, or lacks memory."""
        program = self.make_program("clEnqueueFillBuffer:1+:even", "bytes-fill", {})
        for plan, code, words in (("clEnqueueFillBuffer:1:code=-30", 1, "OpenCL error -30: broken"),
                                  ("clEnqueueFillBuffer:1:code=-4", 3, "OpenCL error -4: undecided"),
                                  ("clEnqueueWriteBuffer:1:code=-30", 3, "OpenCL error -30: undecided")):
            with self.subTest(plan=plan):
                self.hold(program, code, words, runs=1, SPOIL_CALL=plan, SPOIL_WORK="1")

    def test_exit_of_the_driver(self):
        """Its exit status says nothing of the promise."""
        program = self.make_program("clEnqueueNDRangeKernel:3:skip", "in-order-queue", {})
        self.hold(program, 1, "got a crash or an exit", SPOIL_CALL="clEnqueueNDRangeKernel:3:leave", SPOIL_WORK="1")

    def test_sub_groups(self):
        """PoCL has none, so the driver brings them: as it says, or not."""
        for function, value, name, words in WRONG_SUB_GROUPS:
            with self.subTest(promise=name, function=function):
                right = {"SPOIL_TEXT": f"#define SIZE 1\n{SUB_GROUPS}\n", "SPOIL_SUB_GROUPS": "1:0",
                         "SPOIL_EXTENSIONS": EXTENSIONS}
                wrong = f"#undef {function.partition('(')[0]}\n#define {function} {value}\n"
                plan = "clCreateProgramWithSource:1+:lie"
                program = self.make_program(plan, f"sub-group-{name}",
                                            {**right, "SPOIL_TEXT": right["SPOIL_TEXT"] + wrong})
                self.hold(program, 1, ": broken\n", SPOIL_CALL=plan, SPOIL_WORK="1",
                          **{**right, "SPOIL_TEXT": right["SPOIL_TEXT"] + wrong})
                self.hold(program, 0, ": kept\n", SPOIL_CALL=plan, SPOIL_WORK="1", **right)


if __name__ == "__main__":
    gridlock_test.main()
