"""Promises under drivers that do not keep them, or die: what is broken is the promise that the driver was at."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import spoiling  # noqa: E402
from gridlock_test import EXIT_OK  # noqa: E402

EXIT_SURPRISE = 1
LAUNCHES = 5  # of a size that is promised; one more is tried with more

# Of the third launch of what is promised: what became of it, and what is told.
SPOILED = {
    "crash": "signal 11",
    "abort": "signal 6",
    "exit": "exit status 0",
    "kill": "not by gridlock",
    "hang": "exceeded its time",
    "code=-5": "CL_OUT_OF_RESOURCES",
    "skip": "work-item 0 has a wrong result",
    "lie": None,  # of a launch: the size of groups is left to the driver
}

# Promises about the host and the device that a spoiled call breaks: the plan, and what is told.
BROKEN = {
    "in-order-queue": ("clEnqueueNDRangeKernel:3:skip", "and not 0xc"),
    "queue-barrier": ("clEnqueueBarrierWithWaitList:3:code=-5", "CL_OUT_OF_RESOURCES"),
    "wait-list": ("clEnqueueNDRangeKernel:3:skip", "and not 0xc"),
    "wait-list-queues": ("clEnqueueNDRangeKernel:1+:drop", "and not 0xc"),
    "finish": ("clFinish:1+:skip", "not CL_COMPLETE"),
    "wait-for-events": ("clWaitForEvents:1:skip", "launch 12 of 12"),
    "wait-flushes": ("clWaitForEvents:1:hang", "exceeded its time"),
    "blocking-read": ("clEnqueueReadBuffer:1:skip", "0x55555555"),
    "non-blocking-read": ("clEnqueueReadBuffer:1:hang", "did not return before the kernel"),
    "user-event": ("clEnqueueNDRangeKernel:1+:drop", "before the user event was set"),
    "user-event-error": ("clSetUserEventStatus:1:lie", "no failure"),
    "event-running": ("clGetEventInfo:1+:lie", "not CL_RUNNING"),
    "event-times": ("clGetEventProfilingInfo:1:lie", "QUEUED was"),
    "event-duration": ("clGetEventProfilingInfo:2:lie", "the host saw"),
    "timer-resolution": ("clGetEventProfilingInfo:1+:round", "by multiples of 1024 ns"),
    "svm-coarse": ("clEnqueueNDRangeKernel:3:skip", "the kernel wrote last"),
    "svm-fine": ("clEnqueueNDRangeKernel:3:skip", "the kernel wrote last"),
    "svm-host-sees": ("clSetKernelArgSVMPointer:1+:lie", "without the host seeing"),
    "svm-kernel-sees": ("clSetKernelArgSVMPointer:1+:lie", "did not see the word"),
}
# An addition in two steps, of which another one may come between.
TORN_ADD = ("#define atomic_fetch_add_explicit(word, value, order, scope) "
            "(*(volatile global uint *)(word) = *(volatile global uint *)(word) + (value))")


# What PoCL itself breaks.
BROKEN = {"kernel-local-called"}

# Promise, spoiled calls, what else is set; promised and measured, if they are certain, and what is told.
BREAKING = (
    ("local-memory-declared", "clEnqueueNDRangeKernel:3:skip", {}, None, "of group 0 read, 0 were as"),
    ("local-memory-declared", "clEnqueueNDRangeKernel:3:code=-5", {}, None, "the launch fails: CL_OUT_OF_RESOURCES"),
    ("local-memory-declared", "clGetDeviceInfo:1:double", {}, None, "pthread_utils.c"),
    ("local-memory-declared", "clCreateProgramWithSource:2+:lie", {"SPOIL_TEXT": "#define barrier(fence)"}, (None, 0),
     "were as they had been written"),
    ("local-memory-declared", "clBuildProgram:2+:code=-11", {}, None, "building the kernel fails"),
    ("local-memory-argument", "clEnqueueNDRangeKernel:3:crash", {}, None, "signal 11"),
    ("local-memory-argument", "clEnqueueNDRangeKernel:1+:half", {}, (None, 0), "read, 0 were as"),
    ("kernel-local-declared", "clGetKernelWorkGroupInfo:2:skip", {}, (1, 0), "the driver says 0"),
    ("kernel-local-argument", "clGetKernelWorkGroupInfo:1+:skip", {}, (1, 0), "the driver says 0"),
    ("kernel-local-called", None, {}, (1, 0), "the driver says 0"),
    ("buffer-size", "clGetDeviceInfo:1:double", {}, (None, 0), "clCreateBuffer fails: CL_INVALID_BUFFER_SIZE"),
    ("buffer-size", "clEnqueueNDRangeKernel:2:skip", {}, None, "and the kernel read 0x00000000"),
    ("buffer-size", "clCreateProgramWithSource:1:lie", {"SPOIL_TEXT": "#define uint ushort"}, (None, 0), "read 0x"),
    ("constant-size", "clEnqueueNDRangeKernel:1+:skip", {}, (None, 0), "word 0 was written as"),
    ("parameter-size", "clSetKernelArg:3:code=-51", {}, (1024, 1024), "clSetKernelArg fails: CL_INVALID_ARG_SIZE"),
    ("parameter-size", "clBuildProgram:1:code=-11", {}, (1024, 0), "building the kernel fails"),
    ("parameter-size", "clEnqueueNDRangeKernel:3:abort", {}, (1024, 0), "signal 6"),
    ("required-size-runs", "clEnqueueNDRangeKernel:3:skip", {}, (1, 0), "Work-item (0, 0) ran 0 times"),
    ("required-size-runs", "clEnqueueNDRangeKernel:5:half", {}, (1, 0), "ran 0 times"),
    ("required-size-runs", "clEnqueueNDRangeKernel:1+:code=-54", {}, (1, 0), "fails: CL_INVALID_WORK_GROUP_SIZE"),
    ("required-size-alone", "clEnqueueNDRangeKernel:2:skip", {}, (1, 0), "in groups of (16, 2) is accepted"),
    ("required-size-alone", "clEnqueueNDRangeKernel:7:code=-5", {}, (1, 0), "fails: CL_OUT_OF_RESOURCES"),
    ("required-size-alone", "clEnqueueNDRangeKernel:20:hang", {}, (1, 0), "exceeded its time"),
    ("required-size-said", "clGetKernelWorkGroupInfo:4:lie", {}, (1, 0), "the driver says (9, 2, 1)"),
    ("uneven-groups", "clGetDeviceInfo:1:lie", {}, (1, 0), "fails: CL_INVALID_WORK_GROUP_SIZE"),
    ("uneven-groups", "clEnqueueNDRangeKernel:2:lie", {}, (1, 0), "instead of (8, 2)"),
    ("uneven-groups", "clEnqueueNDRangeKernel:2:code=-5", {}, (1, 0), "fails: CL_OUT_OF_RESOURCES"),
    ("loop-counted", "clSetKernelArg:7+:lie", {}, (10000, 5000), "A loop of 10000 turns made 5000"),
    ("loop-while", "clSetKernelArg:9:lie", {}, (10000, 5000), "A loop of 10000 turns made 5000"),
    ("loop-while", "clCreateProgramWithSource:1:lie",
     {"SPOIL_TEXT": "#define while(true) for (uint left = 4095; left > 0 && (true); --left)"}, (10000, 4095),
     "made 4095"),
    ("loop-nested", "clSetKernelArg:2+:lie", {}, (1000, 0), "A loop of 1000 turns made 0"),
    ("loop-nested", "clEnqueueNDRangeKernel:7:code=-5", {}, (10000, 0), "turns fails: CL_OUT_OF_RESOURCES"),
    ("loop-nested", "clEnqueueNDRangeKernel:6:skip", {}, (10000, 0), "did not run to its end"),
)


@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Promises(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))

    def audit(self, plan, *promises, code, **variables):
        """{name: promise}"""
        names = [word for name in promises for word in ("--promise", name)]
        plan = {"SPOIL_CALL": plan, "SPOIL_WORK": "1", **variables} if plan else {}
        result = self.run_gridlock("audit", *names, "--timeout", "2", "--format", "json", "-q", code=code,
                                   **self.spoiling.environment(**plan, **variables))
        device, = result.json()["devices"]
        return {promise["name"]: promise for promise in device["promises"]}

    def test_driver_that_keeps_its_word(self):
        found = self.audit(None, code=EXIT_SURPRISE)
        self.assertEqual({name for name, promise in found.items() if promise["outcome"] == "broken"}, BROKEN)
        self.assertEqual(found["kernel-time"]["outcome"], "silent")  # although gridlock kills it after 2 s

    def test_each_promise_can_be_broken(self):
        for name, plan, variables, amounts, words in BREAKING:
            with self.subTest(promise=name, plan=plan):
                promise = self.audit(plan, name, code=EXIT_SURPRISE, **variables)[name]
                self.assertEqual(promise["outcome"], "broken", promise)
                self.assertIn(words, f"{promise['finding']} {promise['note']}")
                for key, amount in zip(("promised", "measured"), amounts or ()):
                    if amount is not None:
                        self.assertEqual(promise[key], amount, promise)

    def test_promised_act_that_fails(self):
        for fault, words in SPOILED.items():
            with self.subTest(fault=fault):
                found = self.audit(f"clEnqueueNDRangeKernel:3:{fault}", "group-size", "item-sizes-x",
                                   code=EXIT_SURPRISE if words else None)
                self.assertEqual(len(self.spoiling.spoiled()), 1)
                self.assertEqual(found["item-sizes-x"]["outcome"], "kept")
                if words is None:
                    continue
                promise = found["group-size"]
                self.assertEqual((promise["outcome"], promise["promised"], promise["fails"]), ("broken", 4096, 1))
                self.assertIn(words, f"{promise['finding']} {promise['note']}")

    def test_broken_promise_is_explained(self):
        self.audit("clEnqueueNDRangeKernel:3:code=-5", "group-size", "item-sizes-x", code=EXIT_SURPRISE)
        out = self.run_gridlock("explain", str(self.run_file_paths()[0])).out
        for words in ("group-size: broken", "1 of 5 times it was not as promised", "What to do"):
            self.assertIn(words, " ".join(out.split()))
        self.assertNotIn("item-sizes-x", out)

    def test_reproducer_holds_the_driver_to_it(self):
        """Under the driver that lied it is broken again, under PoCL it is kept."""
        lie = {"SPOIL_CALL": "clGetDeviceInfo:1:lie", "SPOIL_WORK": "1"}
        self.run_gridlock("audit", "--promise", "group-size", "-q", code=EXIT_SURPRISE, **self.spoiling.environment(**lie))
        folder = self.folder / "reproducer"
        self.run_gridlock("explain", str(self.run_file_paths()[0]), "--reproducer", str(folder))
        text = (folder / "promise.c").read_text()
        self.assertLessEqual(text.count("\n"), 200)
        self.assertNotIn('#include "', text)
        compiler = os.environ.get("CC") or shutil.which("cc")
        if compiler is None:
            self.skipTest("there is no C compiler")
        subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", folder / "promise", folder / "promise.c",
                        "-lOpenCL"], check=True)
        for plan, code, words in (({}, 0, "The promise is kept."),
                                  ({"SPOIL_CALL": "clEnqueueNDRangeKernel:3:code=-5"}, 1, "The promise is broken.")):
            done = subprocess.run([folder / "promise"], env=self.environment(**self.spoiling.environment(**plan)),
                                  stdout=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, code, done.stdout)
            self.assertIn(words, done.stdout)

    def test_what_was_not_promised_costs_nothing(self):
        for fault in ("crash", "hang", "code=-5"):
            with self.subTest(fault=fault):
                found = self.audit(f"clEnqueueNDRangeKernel:{LAUNCHES + 1}:{fault}", "group-size", code=EXIT_OK)
                self.assertEqual(len(self.spoiling.spoiled()), 1)
                self.assertEqual((found["group-size"]["outcome"], found["group-size"]["measured"]), ("kept", 4096))

    def test_what_comes_before_leaves_it_undecided(self):
        for call in ("clCreateBuffer", "clSetKernelArg"):
            for fault in ("crash", "code=-6"):
                with self.subTest(call=call, fault=fault):
                    found = self.audit(f"{call}:1:{fault}", "group-size", "item-sizes-x", code=EXIT_OK)
                    self.assertEqual(len(self.spoiling.spoiled()), 1)
                    self.assertEqual(found["group-size"]["outcome"], "undecided")
                    self.assertEqual(found["item-sizes-x"]["outcome"], "kept")

    def test_answer_that_is_too_large(self):
        """4096 becomes 4097, which the device refuses."""
        plan = self.spoiling.environment(SPOIL_WORK="1")
        self.run_gridlock("audit", "--promise", "group-size", "-q", **plan)
        asked = self.spoiling.counts()["clGetDeviceInfo"]
        self.assertGreaterEqual(asked, 1)
        found = self.audit("clGetDeviceInfo:1:lie", "group-size", code=EXIT_SURPRISE)["group-size"]
        self.assertEqual((found["outcome"], found["promised"], found["measured"]), ("broken", 4097, 4096))
        self.assertEqual((found["tries"], found["fails"]), (5, 5))

    def test_host_and_device(self):
        for name, (plan, words) in BROKEN.items():
            with self.subTest(promise=name, plan=plan):
                promise = self.audit(plan, name, code=EXIT_SURPRISE)[name]
                self.assertEqual(promise["outcome"], "broken")
                self.assertTrue(self.spoiling.spoiled())
                self.assertIn(words, f"{promise['finding']} {promise['note']}")

    def test_user_event_that_is_never_set(self):
        promise = self.audit("clSetUserEventStatus:1:skip", "user-event", code=EXIT_SURPRISE)["user-event"]
        self.assertEqual(promise["outcome"], "broken")
        self.assertIn("did not end", promise["finding"])

    def test_additions_that_are_lost(self):
        """The kernel of the first promise is that from which on calls count."""
        found = self.audit("clCreateProgramWithSource:1:lie", "svm-coarse", "svm-adds", code=EXIT_SURPRISE,
                           SPOIL_TEXT=TORN_ADD)
        self.assertEqual(len(self.spoiling.spoiled()), 1)
        self.assertEqual(found["svm-coarse"]["outcome"], "kept")
        self.assertEqual(found["svm-adds"]["outcome"], "broken")
        self.assertRegex(found["svm-adds"]["finding"], "The host added 20000 and the kernel [0-9]+ times")


if __name__ == "__main__":
    gridlock_test.main()
