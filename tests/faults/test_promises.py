"""Promises under drivers that do not keep them, or die: what is broken is the promise that the driver was at."""
import platform

from promise_case import (BLIND, EARLY, EXIT_SURPRISE, EXTENSIONS, FREE_FLAG, HELD_FLAG, LAST_UNPRINTED, NO_ADD,
                          NO_BARRIER, SUB_GROUPS, TORN_ADD, WRONG_SUB_GROUPS, Spoiled)
import audit_case
import gridlock_test
from gridlock_test import EXIT_OK

EXIT_WEDGED = 5
LAUNCHES = 5  # of a size that is promised; one more is tried with more

# Of the third launch of what is promised: what became of it, and what is told.
SPOILED = {
    "crash": "signal 11",
    "abort": "signal 6",
    "exit": "exit status 0",
    "code=-5": "CL_OUT_OF_RESOURCES",
    "skip": "work-item 0 has a wrong result",
    "lie": None,  # of a launch: the size of groups is left to the driver
}

# Ends that are not surely the driver's: there was none in time, or somebody else made it.
UNCERTAIN = {
    "kill": "not by gridlock",
    "hang": "exceeded its time",
}

# Promises about the host and the device that a spoiled call breaks: the plan, and what is told.
SPOILED_HOST = {
    "in-order-queue": ("clEnqueueNDRangeKernel:3:skip", "and not 0xc"),
    "queue-barrier": ("clEnqueueBarrierWithWaitList:1+:skip", "and not 0xc"),
    "wait-list": ("clEnqueueNDRangeKernel:1+:drop", "and not 0xc"),
    "wait-list-queues": ("clEnqueueNDRangeKernel:1+:drop", "and not 0xc"),
    "finish": ("clFinish:1+:skip", "not CL_COMPLETE"),
    "wait-for-events": ("clWaitForEvents:1+:skip", "launch 12 of 12"),
    "wait-flushes": ("clWaitForEvents:1-2:hang", "exceeded its time"),
    "blocking-read": ("clEnqueueReadBuffer:1:skip", "0x55555555"),
    "non-blocking-read": ("clEnqueueReadBuffer:1-2:hang", "clEnqueueReadBuffer did not return while a user event held"),
    "user-event": ("clEnqueueNDRangeKernel:1+:drop", "before user event 0 was set"),
    "user-event-error": ("clSetUserEventStatus:1:lie", "no failure"),
    "wait-for-failed": ("clWaitForEvents:1+:lie", "Got 0 from clWaitForEvents of an event with status -"),
    "event-running": ("clGetEventInfo:1+:lie", "its event was CL_SUBMITTED meanwhile"),
    "event-times": ("clGetEventProfilingInfo:1:lie", "QUEUED was"),
    "event-duration": ("clGetEventProfilingInfo:4:lie", "the host saw"),
    "timer-resolution": ("clGetEventProfilingInfo:1+:round", "by multiples of 1024 ns"),
    "svm-coarse": ("clEnqueueNDRangeKernel:3:skip", "which the kernel wrote last"),
    "svm-fine": ("clEnqueueNDRangeKernel:3:skip", "which the kernel wrote last"),
    "svm-host-sees": ("clSetKernelArgSVMPointer:1+:lie", "without the host seeing"),
    "svm-kernel-sees": ("clSetKernelArgSVMPointer:1+:lie", "did not see the word"),
}
# Calls by which promises are measured, and what is so when each of them is made.
HELD_MOVE = "while user events held a command back"
HELD, SET = "while a user event held a command back", "after the user event was set"
HANGING = {
    "user-event": {"clFlush": HELD, "clGetEventInfo": HELD, "clSetUserEventStatus": HELD, "clWaitForEvents": SET,
                   "clEnqueueReadBuffer": SET},
    "user-event-error": {"clEnqueueNDRangeKernel": HELD, "clSetUserEventStatus": HELD, "clWaitForEvents": SET},
    "non-blocking-read": {"clEnqueueReadBuffer": HELD, "clSetUserEventStatus": HELD, "clWaitForEvents": SET},
    "wait-flushes": {"clEnqueueNDRangeKernel": "", "clWaitForEvents": "", "clEnqueueReadBuffer": ""},
    "wait-list-moves": {"clEnqueueFillBuffer": HELD_MOVE, "clSetUserEventStatus": HELD_MOVE,
                        "clWaitForEvents": "after the user events were set"},
    "finish": {"clFlush": "", "clFinish": "", "clGetEventInfo": ""},
}
# Promise, and a call that fails: whether that breaks it. What it only needs, or what lacks memory, leaves it undecided.
FAILING = (
    ("in-order-queue", "clCreateCommandQueue:3:code=-35", "broken"),
    ("in-order-queue", "clFinish:1:code=-36", "broken"),
    ("user-event", "clCreateUserEvent:1:code=-34", "broken"),
    ("bytes-fill", "clEnqueueFillBuffer:1:code=-30", "broken"),
    ("in-order-queue", "clCreateCommandQueue:3:code=-6", "undecided"),
    ("in-order-queue", "clCreateBuffer:1:code=-38", "undecided"),
    ("user-event", "clEnqueueNDRangeKernel:1:code=-52", "undecided"),
    ("user-event", "clEnqueueReadBuffer:1:code=-5", "undecided"),
)
NOTHING = object()  # was measured: the driver died before there was an amount
# Promise, spoiled calls, what else is set; promised and measured, if they are certain, and what is told.
BREAKING = (
    ("wait-list-all", "clEnqueueNDRangeKernel:1+:first", {}, (1, 0), "before user event"),
    ("wait-list-all", "clEnqueueNDRangeKernel:1+:last", {}, (1, 0), "before user event"),
    ("marker-wait-list", "clEnqueueMarkerWithWaitList:1+:first", {}, (1, 0), "Got status 0 before user event"),
    ("barrier-wait-list", "clEnqueueBarrierWithWaitList:1+:last", {}, (1, 0), "before user event"),
    ("barrier-wait-list", "clEnqueueBarrierWithWaitList:1+:skip", {}, (1, 0), "before user event"),
    ("wait-for-events", "clWaitForEvents:1+:first", {}, (1, 0), "launch 12 of 12"),
    ("global-size", "clEnqueueNDRangeKernel:1+:rest", {}, (1, 0), "of place 992 in (1000, 1, 1), that ran 0 times"),
    ("global-size", "clEnqueueNDRangeKernel:9:skip", {}, (1, 0), "that ran 0 times"),
    ("global-size", "clEnqueueNDRangeKernel:4:twice", {}, (1, 0), "that ran 2 times"),
    ("global-offset", "clEnqueueNDRangeKernel:1+:origin", {}, (1, 0), "Got 5 work-items with ids outside of the range"),
    ("global-size", "clEnqueueNDRangeKernel:1+:row", {}, (1, 0), "of place 120 in (24, 10, 1), that ran 0 times"),
    ("global-offset", "clEnqueueNDRangeKernel:1+:flat", {}, (1, 0), "work-items with ids outside of the range"),
    ("event-running", "clGetEventInfo:1+:submitted", {}, (1, 0),
     "its event was CL_SUBMITTED meanwhile, and CL_SUBMITTED when clWaitForEvents had returned."),
    ("event-running", "clGetEventInfo:1+:lie", {}, (1, 0), "its event was CL_SUBMITTED meanwhile, and CL_RUNNING when"),
    ("finish", "clGetEventInfo:1+:submitted", {}, (1, 0), "Got status 2 of the event of launch 1 of 12"),
    ("event-times", "clGetEventProfilingInfo:1+:back", {}, (1, 0), ", after END, which was"),
    ("event-callback", "clSetEventCallback:1+:status", {}, (1, 0),
     "Got 1 call of the callback, the last one with status 2"),
    ("event-callback-sets", "clSetEventCallback:1+:status", {}, (1, 0),
     "Got 1 call of the callback, the last one with status 2"),
    ("event-callback", "clSetEventCallback:1+:twice", {}, (1, 0), "Got 2 calls of the callback"),
    ("bytes-write", "clEnqueueWriteBuffer:2+:origin", {}, (1, 0), "after 1 bytes at offset 1, and not"),
    ("bytes-read", "clEnqueueReadBuffer:1+:origin", {}, (1, 0), "after 1 bytes at offset 1, and not"),
    ("bytes-fill", "clEnqueueFillBuffer:1+:origin", {}, (1, 0), "bytes at offset"),
    ("bytes-copy", "clEnqueueCopyBuffer:1+:origin", {}, (1, 0), "after 1 bytes at offset 1, and not"),
    ("bytes-write", "clEnqueueWriteBuffer:1+:short", {}, (1, 0), "after 2 bytes at offset 1, and not"),
    ("bytes-write", "clEnqueueWriteBuffer:1+:even", {}, (1, 0), "after 1 bytes at offset 1, and not"),
    ("bytes-read", "clEnqueueReadBuffer:1+:short", {}, (1, 0), "after 2 bytes at offset 1, and not"),
    ("bytes-read", "clEnqueueReadBuffer:1+:even", {}, (1, 0), "bytes at offset"),
    ("bytes-fill", "clEnqueueFillBuffer:1+:even", {}, (1, 0), "bytes at offset"),
    ("bytes-fill", "clEnqueueFillBuffer:7:skip", {}, (1, 0), "bytes at offset"),
    ("bytes-copy", "clEnqueueCopyBuffer:1+:short", {}, (1, 0), "after 2 bytes at offset 1, and not"),
    ("bytes-copy", "clEnqueueCopyBuffer:1+:even", {}, (1, 0), "after 1 bytes at offset 1, and not"),
    ("bytes-map", "clEnqueueMapBuffer:1+:stale", {}, (1, 0), "bytes at offset"),
    ("bytes-unmap", "clEnqueueMapBuffer:1+:copy", {}, (1, 0), "after 1 bytes at offset 0, and not"),
    ("bytes-unmap", "clEnqueueMapBuffer:7:copy", {}, (1, 0), "after 1000 bytes at offset 333, and not"),
    ("sub-buffer", "clCreateSubBuffer:1+:origin", {}, (1, 0), "of a buffer with a sub-buffer from 2048 on"),
    ("sub-buffer", "clCreateSubBuffer:2:code=-13", {}, (1, 0),
     "clCreateSubBuffer failed: CL_MISALIGNED_SUB_BUFFER_OFFSET"),
    ("printf-output", "clCreateProgramWithSource:1:lie", {"SPOIL_TEXT": LAST_UNPRINTED}, (1, 0),
     "Got 0 of the 3 letters of work-item 25."),
    ("printf-output", "clEnqueueNDRangeKernel:2:rest", {}, (1, 0), "Got 0 of the 3 letters of work-item"),
    ("event-duration", "clGetEventProfilingInfo:1+:shrink", {}, (1, 0), "the host saw the kernel run for at least"),
    ("event-duration", "clGetEventProfilingInfo:1+:alike", {}, (1, 0), "From START to END were 1000000 ns"),
    *(("wait-list-moves", f"clEnqueue{move.title()}Buffer:1+:{event}", {}, (1, 0),
       f"Got status 0 of a {move} before user event")
      for event in ("first", "last") for move in ("write", "read", "fill", "copy")),
    ("wait-list-moves", "clEnqueueCopyBuffer:1:short", {}, (1, 0), "Got 0x11 as byte 1023 of a copy, after its events"),
    ("queue-beside-held", "clEnqueueNDRangeKernel:2-4:never", {}, (1, 0),
     "clWaitForEvents did not return while a user"),
    ("queue-beside-held", "clEnqueueNDRangeKernel:2:skip", {}, (1, 0), "Got 0x0 as word 0 of the results"),
    ("event-callback", "clSetEventCallback:1+:skip", {}, (1, 0),
     "Got no call of the callback of a kernel that had completed, while 40 other launches ended"),
    ("event-callback", "clSetEventCallback:3:lie", {}, (1, 0), "before the kernel could begin"),
    ("event-callback-sets", "clSetEventCallback:1+:skip", {}, (1, 0), "Got no call of the callback"),
    ("event-callback-sets", "clSetUserEventStatus:2-3:hang", {}, (1, 0), "clSetUserEventStatus did not return"),
    ("group-size-assembly", None, {"SPOIL_PARTS": "launch=4:crash:-DGL_ASSEMBLY"}, (4096, NOTHING), "signal 11"),
    ("local-memory-declared", "clEnqueueNDRangeKernel:3:skip", {}, None, "of group 0 read, 0 were as"),
    ("local-memory-declared", "clEnqueueNDRangeKernel:3:code=-5", {}, None, "the launch fails: CL_OUT_OF_RESOURCES"),
    ("local-memory-declared", "clGetDeviceInfo:1:double", {}, None,
     ("pthread_utils.c", "fit to the local memory")),
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
    ("parameter-size", "clEnqueueNDRangeKernel:3:abort", {}, (1024, NOTHING), "signal 6"),
    ("required-size-runs", "clEnqueueNDRangeKernel:3:skip", {}, (1, 0), "Work-item (0, 0) ran 0 times"),
    ("required-size-runs", "clEnqueueNDRangeKernel:5:half", {}, (1, 0), "ran 0 times"),
    ("required-size-runs", "clEnqueueNDRangeKernel:1+:code=-54", {}, (1, 0), "fails: CL_INVALID_WORK_GROUP_SIZE"),
    ("required-size-alone", "clEnqueueNDRangeKernel:2:skip", {}, (1, 0), "in groups of (16, 2) is accepted"),
    ("required-size-alone", "clEnqueueNDRangeKernel:7:code=-5", {}, (1, 0), "fails: CL_OUT_OF_RESOURCES"),
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


# The text that a driver puts before a program, and the promises that it breaks by that. The last number is that of the
# program, of those by which the promise is measured.
SPOILED_TEXT = [
    (NO_BARRIER, "barrier-local", "older", 1),
    (NO_BARRIER, "barrier-global", "older", 1),
    (EARLY, "atomic-acq-rel-group", "older", 1),
    (EARLY, "atomic-acq-rel-device", "older", 1),
    (EARLY, "atomic-seq-cst-device", "older", 1),
    (EARLY, "fence-acq-rel-group", "older", 1),
    (EARLY, "fence-acq-rel-device", "older", 1),
    (EARLY, "fence-seq-cst-device", "older", 1),
    (BLIND, "atomic-seq-cst-group", "neither", 2),
    (BLIND, "atomic-seq-cst-device", "neither", 2),
    (BLIND, "fence-seq-cst-group", "neither", 2),
    (BLIND, "fence-seq-cst-device", "neither", 2),
    (NO_ADD, "atomic-relaxed-group", "incrementing", 1),
    (NO_ADD, "atomic-relaxed-device", "incrementing", 1),
    ("#error no atomics here", "atomic-relaxed-device", "does not build it", 1),
    (FREE_FLAG, "atomic-flag-group", "found one of 1000 flags clear", 1),
    (FREE_FLAG, "atomic-flag-device", "found one of 1000 flags clear", 1),
    (HELD_FLAG, "atomic-flag-device", "that each of its holders had cleared was set", 1),
    ("#define atomic_inc(word) (*(word))", "functions-32-global", "incrementing", 1),
    ("#define atomic_dec(word) (*(word))", "functions-32-local", "decrementing", 1),
    ("#define atomic_add(word, value) (*(word))", "functions-32-global", "adding", 1),
    ("#define atomic_sub(word, value) (*(word))", "functions-32-global", "subtracting", 1),
    ("#define atomic_xchg(word, value) (*(word))", "functions-32-global", "exchanging", 1),
    ("#define atomic_cmpxchg(word, expected, value) (expected)", "functions-32-global", "comparing", 1),
    ("#define atomic_min(word, value) (*(word))", "functions-32-local", "least", 1),
    ("#define atomic_max(word, value) (*(word))", "functions-32-global", "most", 1),
    ("#define atomic_xor(word, value) (*(word))", "functions-32-global", "exclusive", 1),
    ("#define atomic_or(word, value) (*(word))", "functions-32-global", "bits", 1),
    ("#define atomic_and(word, value) (*(word))", "functions-32-global", "bits", 1),
    ("#define atom_inc(word) (*(word))", "functions-64-global", "incrementing", 1),
    ("#define atom_add(word, value) atomic_add((volatile local uint *)(word), (uint)(value))", "functions-64-local",
     "adding", 1),
    ("#define atom_max(word, value) (*(word))", "functions-64-more-global", "most", 1),
    ("#define atom_and(word, value) (*(word))", "functions-64-more-local", "bits", 1),
]

SUB_GROUP_ROWS = ("size", "count", "local-size", "most-of-kernel", "most", "reduce", "scan", "vote", "broadcast",
                  "ballot",
                  "shuffle", "shuffle-relative", "rotate", "some-vote", "some-arithmetic", "clustered-reduce",
                  "shuffle-intel")


class Promises(Spoiled):
    def test_driver_that_keeps_its_word(self):
        found = self.audit(None, code=EXIT_SURPRISE, deadlines=("--timeout", "2"))
        broken = {name for name, promise in found.items() if promise["outcome"] == "broken"}
        self.assertLessEqual(broken, audit_case.broken_here(self))
        self.assertEqual(found["kernel-time"]["outcome"], "silent")  # although gridlock kills it after 2 s

    def test_kernel_whose_groups_are_smaller_than_the_device_has(self):
        """The device's largest group is not promised of each kernel."""
        found = self.audit(None, "group-size", "item-sizes-z", "group-size-light", code=EXIT_OK, SPOIL_GROUPS="128")
        for name in ("group-size", "item-sizes-z"):
            self.assertEqual(found[name]["outcome"], "undecided", found[name])
            self.assertIn("at most 128 work-items", found[name]["finding"])
        self.assertEqual((found["group-size-light"]["outcome"], found["group-size-light"]["promised"]), ("kept", 128))

    def test_groups_of_one_work_item(self):
        names = ("group-size", "item-sizes-y", "required-size-runs", "required-size-alone", "uneven-groups",
                 "atomic-relaxed-group", "functions-32-local", "functions-64-more-local")
        found = self.audit(None, *names, code=EXIT_OK, SPOIL_GROUPS="1:device")
        outcomes = {name: promise["outcome"] for name, promise in found.items()}
        self.assertEqual(outcomes, {name: "undecided" if name in names[2:5] else "kept" for name in names})

    def test_assembly_need_not_be_built(self):
        found = self.audit(None, "group-size-assembly", "group-size-light", code=EXIT_OK,
                           SPOIL_PARTS="build:code=-11:-DGL_ASSEMBLY")
        self.assertEqual(found["group-size-assembly"]["outcome"], "not-offered", found)
        self.assertEqual(found["group-size-light"]["outcome"], "kept")

    def test_each_promise_can_be_broken(self):
        for name, plan, variables, amounts, words in BREAKING:
            with self.subTest(promise=name, plan=plan):
                promise = self.audit(plan, name, code=EXIT_SURPRISE, **variables)[name]
                self.assertEqual(promise["outcome"], "broken", promise)
                told = f"{promise['finding']} {promise['note']}"
                # Of several words one is told, by the version of PoCL.
                self.assertTrue(any(word in told for word in ([words] if isinstance(words, str) else words)), told)
                for key, amount in zip(("promised", "measured"), amounts or ()):
                    if amount is not None:
                        self.assertEqual(promise[key], None if amount is NOTHING else amount, promise)

    def test_lie_that_breaks_another_promise(self):
        """What is written to a copy is lost; what is read from it is right."""
        for name, plan in (("bytes-map", "clEnqueueMapBuffer:1+:copy"),
                           ("bytes-unmap", "clCreateSubBuffer:1+:origin"),
                           ("sub-buffer", "clEnqueueMapBuffer:1+:copy")):
            with self.subTest(promise=name, plan=plan):
                self.assertEqual(self.audit(plan, name, code=EXIT_OK)[name]["outcome"], "kept")

    def test_output_elsewhere_is_none_that_is_lost(self):
        """Which stream it is, is the driver's choice."""
        found = self.audit("clCreateProgramWithSource:1:lie", "printf-output", code=EXIT_OK,
                           SPOIL_TEXT="#define printf(...)")["printf-output"]
        self.assertEqual(found["outcome"], "undecided", found)

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

    def test_end_that_was_not_seen_proves_nothing(self):
        for name, number in (("group-size", 3), ("required-size-alone", 20), ("in-order-queue", 3)):
            for fault, words in UNCERTAIN.items():
                with self.subTest(promise=name, fault=fault):
                    found = self.audit(f"clEnqueueNDRangeKernel:{number}:{fault}", name, code=EXIT_OK)[name]
                    self.assertEqual(len(self.spoiling.spoiled()), 1)
                    self.assertEqual(found["outcome"], "undecided", found)
                    self.assertIn(words, f"{found['finding']} {found['note']}")

    def test_end_that_is_promised_must_be_missed_twice(self):
        """Once it may have been late."""
        for plan, outcome in (("clWaitForEvents:1:hang", "undecided"), ("clWaitForEvents:1-2:hang", "broken")):
            with self.subTest(plan=plan):
                found = self.audit(plan, "wait-flushes", code=None)["wait-flushes"]
                self.assertEqual(found["outcome"], outcome, found)

    def test_call_that_hangs_is_the_one_that_is_named(self):
        """Whatever was expected to hang: what is told is which call had not returned."""
        for name, calls in HANGING.items():
            for call, state in calls.items():
                with self.subTest(promise=name, call=call):
                    found = self.audit(f"{call}:1-2:hang", name, code=None)[name]
                    self.assertTrue(self.spoiling.spoiled())
                    self.assertRegex(found["finding"], rf"^{call} did not return{state and ' '}{state}")
                    self.assertEqual(found["outcome"], "broken" if state or "flushes" in name else "undecided")

    def test_call_in_which_the_driver_dies_is_named(self):
        for name, calls in HANGING.items():
            call, state = list(calls.items())[-1]
            with self.subTest(promise=name, call=call):
                found = self.audit(f"{call}:1:crash", name, code=EXIT_SURPRISE)[name]
                self.assertRegex(found["finding"], rf"^The driver died in {call}{state and ' '}{state}")

    def test_call_that_fails(self):
        for name, plan, outcome in FAILING:
            with self.subTest(promise=name, plan=plan):
                found = self.audit(plan, name, code=EXIT_SURPRISE if outcome == "broken" else EXIT_OK)[name]
                self.assertEqual(len(self.spoiling.spoiled()), 1)
                self.assertEqual(found["outcome"], outcome, found)
                self.assertIn(plan.partition(":")[0], f"{found['finding']} {found['note']}")

    def test_broken_promise_is_explained(self):
        self.audit("clEnqueueNDRangeKernel:3:code=-5", "group-size", "item-sizes-x", code=EXIT_SURPRISE)
        out = self.run_gridlock("explain", str(self.run_file_paths()[0])).out
        for words in ("group-size: broken", "1 of 5 times it was not as promised", "What to do"):
            self.assertIn(words, " ".join(out.split()))
        self.assertNotIn("item-sizes-x", out)

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

    def test_launch_that_waits_for_a_processor(self):
        """That one loop of a length took long is no reason to try none that are longer."""
        found = self.audit(f"clEnqueueNDRangeKernel:{LAUNCHES}:slow", "loop-while", code=EXIT_OK)["loop-while"]
        self.assertEqual(len(self.spoiling.spoiled()), 1)
        self.assertEqual(found["outcome"], "kept")
        self.assertGreater(found["promised"], 1000)

    def test_device_that_goes_away(self):
        """The rest is not run, and resume runs it once the device is back."""
        names = [word for name in ("group-size", "item-sizes-x", "item-sizes-y") for word in ("--promise", name)]
        for number, fault in enumerate(("code=-36", "crash")):
            with self.subTest(fault=fault):
                path = str(self.folder / f"{number}.run")
                plan = {"SPOIL_CALL": f"clEnqueueNDRangeKernel:9+:{fault}", "SPOIL_WORK": "1"}
                result = self.run_gridlock("audit", *names, "-o", path, code=EXIT_WEDGED,
                                           **self.spoiling.environment(**plan))
                self.assert_sentence(result.err.splitlines(keepends=True)[-1], "the canary failed")
                self.assertIn("wedged: the device stopped working; the rest was not run", result.out)
                self.assertNotIn("item-sizes-y", result.out)
                tap = self.run_gridlock("report", path, "--format", "tap", code=EXIT_WEDGED).out
                self.assertIn("Bail out!", tap)
                result = self.run_gridlock("resume", path, code=EXIT_SURPRISE, **self.spoiling.environment())
                self.assertNotIn("wedged", result.out)
                self.assertRegex(result.out, "kept +item-sizes-y")

    def test_driver_that_runs_each_kernel_twice(self):
        """That is no device that lacks something: farms take that for a test that they may skip."""
        result = self.run_gridlock("audit", "--promise", "group-size", code=EXIT_WEDGED,
                                   **self.spoiling.environment(SPOIL_CALL="clEnqueueNDRangeKernel:1+:twice"))
        self.assert_sentence(result.err, "was launched once", "ran 2 times")

    def test_reads_that_are_one_byte_short(self):
        """No promise about kernels is broken by that."""
        found = self.audit("clEnqueueReadBuffer:1+:short", "group-size", "loop-while", "in-order-queue",
                           "required-size-runs", "local-memory-argument", code=EXIT_OK)
        self.assertTrue(self.spoiling.spoiled())
        self.assertEqual({promise["outcome"] for promise in found.values()} - {"kept", "exceeded"}, set(), found)

    def test_device_that_comes_back(self):
        """One launch fails as if the device were gone; the next promise has a worker that knows nothing of it."""
        found = self.audit("clEnqueueNDRangeKernel:9:code=-36", "group-size", "item-sizes-x", "item-sizes-y",
                           code=EXIT_SURPRISE)
        self.assertEqual([found[name]["outcome"] for name in ("group-size", "item-sizes-x", "item-sizes-y")],
                         ["kept", "broken", "kept"])

    def test_answer_that_is_too_large(self):
        """Of a kernel, 4096 becomes 4097, which the device refuses."""
        name = "group-size-light"
        found = self.audit("clGetKernelWorkGroupInfo:1:lie", name, code=EXIT_SURPRISE)[name]
        self.assertEqual((found["outcome"], found["promised"], found["measured"]), ("broken", 4097, 4096))
        self.assertEqual((found["tries"], found["fails"]), (5, 5))

    def test_host_and_device(self):
        for name, (plan, words) in SPOILED_HOST.items():
            with self.subTest(promise=name, plan=plan):
                promise = self.audit(plan, name, code=EXIT_SURPRISE)[name]
                self.assertEqual(promise["outcome"], "broken")
                self.assertTrue(self.spoiling.spoiled())
                self.assertIn(words, f"{promise['finding']} {promise['note']}")

    def test_process_that_does_not_end(self):
        for fault, words in (("hang", "exit did not return while kernels were queued"), ("crash", "signal 11")):
            with self.subTest(fault=fault):
                found = self.audit(None, "exit-queued", "exit-held", code=EXIT_SURPRISE, deadlines=("--timeout", "5"),
                                   SPOIL_END=fault)
                self.assertEqual([found[name]["outcome"] for name in found], ["broken", "silent"], found)
                for promise in found.values():
                    self.assertEqual(promise["measured"], 0)
                self.assertIn(words, f"{found['exit-queued']['finding']} {found['exit-queued']['note']}")
        found = self.audit("clEnqueueNDRangeKernel:1-60:skip", "exit-queued", code=EXIT_OK)  # PoCL dies of it at times
        self.assertEqual((found["exit-queued"]["outcome"], found["exit-queued"]["tries"]), ("kept", 5))

    def test_what_is_rare_is_found_by_many_tries(self):
        plan = "clEnqueueNDRangeKernel:40:drop"
        for options, outcome, tries in (((), "kept", 5), (("--iterations", "50"), "broken", 50)):
            with self.subTest(options=options):
                found = self.audit(plan, "user-event", code=None, options=options)["user-event"]
                self.assertEqual((found["outcome"], found["tries"]), (outcome, tries), found)
                self.assertEqual(found["fails"], outcome == "broken")

    def test_kernel_that_takes_no_time(self):
        promise = self.audit("clGetEventProfilingInfo:1+:skip", "event-duration", code=EXIT_SURPRISE)["event-duration"]
        self.assertEqual((promise["outcome"], promise["fails"]), ("broken", 20))
        self.assertIn("From START to END were 0 ns", promise["finding"])

    def test_command_that_need_not_run(self):
        """Nobody promises it: what was measured is told."""
        for name in ("beside-held", "queue-after-failure"):
            for plan, ends in (("clEnqueueNDRangeKernel:1000000:skip", 5), ("clEnqueueNDRangeKernel:2:never", 4)):
                with self.subTest(promise=name, plan=plan):
                    found = self.audit(plan, name, code=EXIT_OK)[name]
                    self.assertEqual(found["outcome"], "silent")
                    self.assertEqual(found["finding"], f"In {ends} of 5 tries it was so.")

    def test_duration_that_cannot_be_read(self):
        promise = self.audit("clGetEventProfilingInfo:1+:code=-7", "event-duration", code=EXIT_OK)["event-duration"]
        self.assertEqual(promise["outcome"], "undecided")

    def test_user_event_that_is_never_set(self):
        promise = self.audit("clSetUserEventStatus:1+:skip", "user-event", code=EXIT_SURPRISE)["user-event"]
        self.assertEqual(promise["outcome"], "broken")
        self.assertIn("clWaitForEvents did not return after the user event was set", promise["finding"])

    def test_additions_that_are_lost(self):
        """The kernel of the first promise is that from which on calls count."""
        found = self.audit("clCreateProgramWithSource:2:lie", "svm-coarse", "svm-adds", code=EXIT_SURPRISE,
                           SPOIL_TEXT=TORN_ADD)
        self.assertEqual(len(self.spoiling.spoiled()), 1)
        self.assertEqual(found["svm-coarse"]["outcome"], "kept")
        self.assertEqual(found["svm-adds"]["outcome"], "broken")
        self.assertRegex(found["svm-adds"]["finding"], "The host added [0-9]+ and the kernel [0-9]+ times")

    def test_program_that_the_driver_changes(self):
        """The first promise only has the calls counted from there on."""
        for text, name, words, program in SPOILED_TEXT:
            with self.subTest(promise=name, text=text):
                found = self.audit(f"clCreateProgramWithSource:{program + 1}:lie", "group-size", name,
                                   code=EXIT_SURPRISE,
                                   SPOIL_TEXT=f"{text}\n")
                self.assertEqual(len(self.spoiling.spoiled()), 1)
                self.assertEqual(found[name]["outcome"], "broken", found[name])
                self.assertIn(words, found[name]["finding"])
                self.assertEqual(found["group-size"]["outcome"], "kept")

    def test_order_that_would_be_missed(self):
        """Where the kernel without any order is seen to go wrong, that which has it proves something."""
        for name in ("atomic-acq-rel-device", "fence-acq-rel-device"):
            for program, outcome in ((99, "undecided"), (3, "kept")):
                with self.subTest(promise=name, program=program):
                    found = self.audit(f"clCreateProgramWithSource:{program}:lie", "group-size", name, code=EXIT_OK,
                                       SPOIL_TEXT=f"{EARLY}\n")[name]
                    if outcome == "kept" or platform.machine() == "x86_64":
                        self.assertEqual((found["outcome"], found["fails"]), (outcome, 0), found)
                    self.assertEqual("without any order" in (found["finding"] or ""), found["outcome"] == "undecided")

    def test_launch_of_atomics_that_fails(self):
        for name in ("atomic-relaxed-device", "atomic-acq-rel-device", "fence-acq-rel-group", "functions-32-global",
                     "barrier-local"):
            for fault, words in (("crash", "signal 11"), ("code=-5", "CL_OUT_OF_RESOURCES"), ("skip", "did not run")):
                with self.subTest(promise=name, fault=fault):
                    found = self.audit(f"clEnqueueNDRangeKernel:3:{fault}", name, code=EXIT_SURPRISE)[name]
                    self.assertEqual(len(self.spoiling.spoiled()), 1)
                    self.assertEqual((found["outcome"], found["fails"]), ("broken", 1))
                    self.assertIn(words, f"{found['finding']} {found['note']}")

    def test_what_comes_before_atomics_leaves_them_undecided(self):
        for name in ("atomic-relaxed-device", "atomic-acq-rel-device", "functions-32-global", "barrier-local"):
            for call in ("clCreateBuffer:1:crash", "clCreateBuffer:1:code=-6"):
                with self.subTest(promise=name, call=call):
                    found = self.audit(call, name, code=EXIT_OK)[name]
                    self.assertEqual(len(self.spoiling.spoiled()), 1)
                    self.assertEqual(found["outcome"], "undecided")

    def of_sub_groups(self, names, size, text="", waits=0, code=EXIT_OK):
        """{name: promise}; all programs are changed but the first one, from which on calls count."""
        text = f"#define SIZE {size}\n{SUB_GROUPS}{text}\n"
        found = self.audit("clCreateProgramWithSource:2+:lie", "group-size", *[f"sub-group-{name}" for name in names],
                           code=code, SPOIL_TEXT=text, SPOIL_SUB_GROUPS=f"{size}:{waits}", SPOIL_EXTENSIONS=EXTENSIONS)
        return {name: found[f"sub-group-{name}"] for name in names}

    def test_sub_groups_that_are_as_the_driver_says(self):
        for size, names in ((1, SUB_GROUP_ROWS), (16, SUB_GROUP_ROWS[:4]), (64, ("barrier-local", "barrier-global"))):
            for name, promise in self.of_sub_groups(names, size).items():
                with self.subTest(promise=name, size=size):
                    self.assertEqual((promise["outcome"], promise["fails"]), ("kept", 0), promise)
                    self.assertGreaterEqual(promise["tries"], 5)

    def test_sub_groups_that_are_not_as_the_driver_says(self):
        for function, value, name, words in WRONG_SUB_GROUPS:
            with self.subTest(promise=name, function=function):
                text = f"#undef {function.partition('(')[0]}\n#define {function} {value}"
                found = self.of_sub_groups([name], 1, text, code=EXIT_SURPRISE)[name]
                self.assertEqual(found["outcome"], "broken", found)
                self.assertIn(words, found["finding"])
        text = "#undef sub_group_barrier\n#define sub_group_barrier(flags) mem_fence(flags)"
        found = self.of_sub_groups(("barrier-local", "barrier-global"), 64, text, code=EXIT_SURPRISE)
        self.assertEqual({promise["outcome"] for promise in found.values()}, {"broken"}, found)

    def test_a_wrong_size_of_sub_groups_breaks_no_functions(self):
        """Mesa 26.2 says of the last, smaller sub-group of a group that it has as many work-items as the others."""
        text = "#undef get_sub_group_size\n#define get_sub_group_size() (SIZE + 7u)"
        names = ("ballot", "shuffle", "shuffle-relative", "some-vote", "some-arithmetic", "shuffle-intel")
        for name, promise in self.of_sub_groups(names, 1, text).items():
            self.assertEqual((promise["outcome"], promise["fails"]), ("kept", 0), promise)

    def test_wrong_places_in_sub_groups_break_no_functions(self):
        """What these give goes by places: where two work-items have the same one, nothing is defined."""
        text = "#undef get_sub_group_local_id\n#define get_sub_group_local_id() 5u"
        names = ("ballot", "shuffle", "shuffle-relative", "some-vote", "some-arithmetic", "shuffle-intel")
        for name, promise in self.of_sub_groups(names, 1, text).items():
            self.assertEqual((promise["outcome"], promise["fails"]), ("undecided", 0), promise)
            self.assertIn("no places of their own", f"{promise['finding']} {promise['note']}")

    def test_sub_groups_that_wait(self):
        """PoCL runs the work-items of a group one after the other: whoever waits for a later one waits in vain."""
        found = self.progress(1)
        self.assertEqual(found["outcome"], "kept", found)
        found = self.progress(1, waits=1, code=EXIT_SURPRISE)
        self.assertEqual((found["outcome"], found["fails"]), ("broken", 2), found)
        self.assertEqual(self.progress(4096)["outcome"], "undecided")
        text = "#define atomic_or(flag, value) 1u"
        self.assertEqual(self.progress(1, text)["outcome"], "exceeded")
        self.assertEqual(self.progress(1, text, waits=1)["outcome"], "kept")

    def test_sub_groups_that_are_rows(self):
        """PoCL 6.0 takes the first dimension of a group as a sub-group."""
        text = "".join(f"#undef {name}\n#define {name}() {value}\n"
                       for name, value in (("get_num_sub_groups", "get_local_size(1)"),
                                           ("get_sub_group_id", "get_local_id(1)"),
                                           ("get_sub_group_local_id", "get_local_id(0)")))
        found = self.progress(4096, text, waits=1, code=EXIT_SURPRISE)
        self.assertEqual((found["outcome"], found["fails"]), ("broken", 2), found)
        self.assertIn("in a group of 8 x 512 work-items", found["finding"])

    def progress(self, *arguments, **options):
        return self.of_sub_groups(["progress"], *arguments, **options)["progress"]


if __name__ == "__main__":
    gridlock_test.main()
