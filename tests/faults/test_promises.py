"""Promises under drivers that do not keep them, or die: what is broken is the promise that the driver was at."""
import pathlib
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
    "queue-barrier": ("clEnqueueBarrierWithWaitList:1+:skip", "and not 0xc"),
    "wait-list": ("clEnqueueNDRangeKernel:1+:drop", "and not 0xc"),
    "wait-list-queues": ("clEnqueueNDRangeKernel:1+:drop", "and not 0xc"),
    "finish": ("clFinish:1+:skip", "not CL_COMPLETE"),
    "wait-for-events": ("clWaitForEvents:1+:skip", "launch 12 of 12"),
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


@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Promises(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))

    def audit(self, plan, *promises, code, **variables):
        """{name: promise}"""
        names = [word for name in promises for word in ("--promise", name)]
        plan = {"SPOIL_CALL": plan, "SPOIL_WORK": "1"} if plan else {}
        result = self.run_gridlock("audit", *names, "--timeout", "2", "--format", "json", "-q", code=code,
                                   **self.spoiling.environment(**plan, **variables))
        device, = result.json()["devices"]
        return {promise["name"]: promise for promise in device["promises"]}

    def test_driver_that_keeps_its_word(self):
        found = self.audit(None, code=EXIT_OK)
        self.assertNotIn("broken", [promise["outcome"] for promise in found.values()])

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
        self.assertRegex(found["svm-adds"]["finding"], "The host added [0-9]+ and the kernel [0-9]+ times")


if __name__ == "__main__":
    gridlock_test.main()
