"""Promises under drivers that do not keep them, or die: what is broken is the promise that the driver was at."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import spoiling  # noqa: E402
import test_audit  # noqa: E402
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


# The text that a driver puts before a program, and the promises that it breaks by that. The last number is that of the
# program, of those by which the promise is measured.
NO_BARRIER = "#define barrier(flags) mem_fence(flags)"
EARLY = """static void announce(volatile global atomic_uint *word, uint value)
{
    atomic_store_explicit(word, value + 1, memory_order_seq_cst, memory_scope_device);
}
#undef atomic_store_explicit
#define atomic_store_explicit(word, value, order, scope) announce(word, value)"""
BLIND = "#undef atomic_load_explicit\n#define atomic_load_explicit(...) 0u"
NO_ADD = "#undef atomic_fetch_add_explicit\n#define atomic_fetch_add_explicit(...) 0u"
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

# Sub-groups of SIZE work-items in a row, for a device that has none; functions of their values are for a size of 1.
SUB_GROUPS = """#define ABOVE (get_local_id(1) + get_local_size(1) * get_local_id(2))
#define PLACE ((uint)(get_local_id(0) + get_local_size(0) * ABOVE))
#define ITEMS ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define get_max_sub_group_size() (SIZE + 0u)
#define get_num_sub_groups() ((ITEMS + SIZE - 1) / SIZE)
#define get_sub_group_id() (PLACE / SIZE)
#define get_sub_group_local_id() (PLACE % SIZE)
#define get_sub_group_size() min(SIZE + 0u, ITEMS - PLACE / SIZE * SIZE)
#define sub_group_reduce_add(value) (value)
#define sub_group_reduce_min(value) (value)
#define sub_group_reduce_max(value) (value)
#define sub_group_scan_inclusive_add(value) (value)
#define sub_group_scan_exclusive_add(value) ((value) - (value))
#define sub_group_any(value) (value)
#define sub_group_all(value) (value)
#define sub_group_broadcast(value, place) (value)
#define sub_group_barrier(flags) barrier(flags)
"""
SUB_GROUP_ROWS = ("size", "count", "local-size", "most-of-kernel", "most", "reduce", "scan", "vote", "broadcast")
# What a driver then says or does, and the promise that it breaks.
WRONG_SUB_GROUPS = [
    ("get_max_sub_group_size()", "(SIZE + 1u)", "size", "get_max_sub_group_size"),
    ("get_sub_group_size()", "(SIZE + 1u)", "size", "get_sub_group_size"),
    ("get_sub_group_local_id()", "5u", "size", "get_sub_group_local_id"),
    ("get_num_sub_groups()", "(ITEMS + 1)", "count", "get_num_sub_groups"),
    ("get_num_sub_groups()", "(ITEMS + 1)", "local-size", "get_num_sub_groups"),
    ("get_num_sub_groups()", "(ITEMS + 1)", "most-of-kernel", "at most"),
    ("get_num_sub_groups()", "(ITEMS + 1)", "most", "at most"),
    ("sub_group_reduce_add(value)", "((value) + 1)", "reduce", "reduce_add"),
    ("sub_group_reduce_min(value)", "0u", "reduce", "reduce_min"),
    ("sub_group_reduce_max(value)", "((value) + 1)", "reduce", "reduce_max"),
    ("sub_group_scan_inclusive_add(value)", "0u", "scan", "scan_inclusive"),
    ("sub_group_scan_exclusive_add(value)", "(value)", "scan", "scan_exclusive"),
    ("sub_group_any(value)", "0", "vote", "any"),
    ("sub_group_all(value)", "1", "vote", "all"),
    ("sub_group_broadcast(value, place)", "((value) + (place) + 1)", "broadcast", "broadcast"),
]


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
                                   **self.spoiling.environment(**plan))
        device, = result.json()["devices"]
        return {promise["name"]: promise for promise in device["promises"]}

    def test_driver_that_keeps_its_word(self):
        found = self.audit(None, code=None)
        broken = {name for name, promise in found.items() if promise["outcome"] == "broken"}
        self.assertLessEqual(broken, test_audit.BROKEN_BY_POCL)

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

    def test_program_that_the_driver_changes(self):
        """The first promise only has the calls counted from there on."""
        for text, name, words, program in SPOILED_TEXT:
            with self.subTest(promise=name, text=text):
                found = self.audit(f"clCreateProgramWithSource:{program}:lie", "group-size", name, code=EXIT_SURPRISE,
                                   SPOIL_TEXT=f"{text}\n")
                self.assertEqual(len(self.spoiling.spoiled()), 1)
                self.assertEqual(found[name]["outcome"], "broken", found[name])
                self.assertIn(words, found[name]["finding"])
                self.assertEqual(found["group-size"]["outcome"], "kept")

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
        found = self.audit("clCreateProgramWithSource:1+:lie", "group-size", *[f"sub-group-{name}" for name in names],
                           code=code, SPOIL_TEXT=text, SPOIL_SUB_GROUPS=f"{size}:{waits}")
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

    def test_sub_groups_that_wait(self):
        """PoCL runs the work-items of a group one after the other: whoever waits for a later one waits in vain."""
        self.assertEqual(self.progress(1)["outcome"], "kept")
        found = self.progress(1, waits=1, code=EXIT_SURPRISE)
        self.assertEqual((found["outcome"], found["fails"]), ("broken", 2), found)
        self.assertEqual(self.progress(4096)["outcome"], "undecided")
        text = "#define atomic_or(flag, value) 1u"
        self.assertEqual(self.progress(1, text)["outcome"], "exceeded")
        self.assertEqual(self.progress(1, text, waits=1)["outcome"], "kept")

    def progress(self, *arguments, **options):
        return self.of_sub_groups(["progress"], *arguments, **options)["progress"]


if __name__ == "__main__":
    gridlock_test.main()
