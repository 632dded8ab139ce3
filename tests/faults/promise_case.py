"""What the tests of promises share: what spoils programs, sub-groups for a device that has none, and spoiled audits."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import gridlock_test  # noqa: E402
import spoiling  # noqa: E402

EXIT_SURPRISE = 1

# An addition in two steps, of which another one may come between.
TORN_ADD = ("#define atomic_fetch_add_explicit(word, value, order, scope) "
            "(*(volatile global uint *)(word) = *(volatile global uint *)(word) + (value))")

NO_BARRIER = "#define barrier(flags) mem_fence(flags)"
EARLY = """static void announce(volatile global atomic_uint *word, uint value)
{
    atomic_store_explicit(word, value + 1, memory_order_seq_cst, memory_scope_device);
}
#undef atomic_store_explicit
#define atomic_store_explicit(word, value, order, scope) announce(word, value)"""
BLIND = "#undef atomic_load_explicit\n#define atomic_load_explicit(...) 0u"
NO_ADD = "#undef atomic_fetch_add_explicit\n#define atomic_fetch_add_explicit(...) 0u"

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

# What never ends although no call hangs: a wait for a user event that is not set.
ENDLESS_PLANS = ("clSetUserEventStatus:1+:skip",)


@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Spoiled(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))

    def audit(self, plan, *promises, code, deadlines=None, **variables):
        """{name: promise}"""
        waits = "hang" if plan in ENDLESS_PLANS else plan
        names = [word for name in promises for word in ("--promise", name)]
        if plan:
            variables = {"SPOIL_CALL": plan, "SPOIL_WORK": "1", **variables}
        result = self.run_gridlock("audit", *names, *(deadlines or spoiling.deadlines(waits)), "--format", "json", "-q",
                                   code=code, **self.spoiling.environment(**variables))
        device, = result.json()["devices"]
        return {promise["name"]: promise for promise in device["promises"]}
