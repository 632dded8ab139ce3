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

FREE_FLAG = "#define atomic_flag_test_and_set_explicit(flag, order, scope) false"
LAST_UNPRINTED = "#define printf(...) (get_global_id(0) == 25 ? 0 : printf(__VA_ARGS__))"
HELD_FLAG = "#define atomic_flag_clear_explicit(flag, order, scope)"

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
#define sub_group_ballot(value) ((uint4)((value) != 0, 0, 0, 0))
#define sub_group_inverse_ballot(ballot) ((ballot).x & 1)
#define sub_group_ballot_bit_extract(ballot, place) ((ballot).x >> (place) & 1)
#define sub_group_ballot_bit_count(ballot) ((ballot).x & 1)
#define sub_group_ballot_inclusive_scan(ballot) ((ballot).x & 1)
#define sub_group_ballot_exclusive_scan(ballot) 0u
#define sub_group_ballot_find_lsb(ballot) 0u
#define sub_group_ballot_find_msb(ballot) 0u
#define sub_group_non_uniform_broadcast(value, place) (value)
#define sub_group_broadcast_first(value) (value)
#define sub_group_shuffle(value, place) (value)
#define sub_group_shuffle_xor(value, mask) (value)
#define sub_group_shuffle_up(value, delta) (value)
#define sub_group_shuffle_down(value, delta) (value)
#define sub_group_rotate(value, delta) (value)
#define sub_group_elect() 1
#define sub_group_non_uniform_all(value) (value)
#define sub_group_non_uniform_any(value) (value)
#define sub_group_non_uniform_all_equal(value) 1
#define sub_group_non_uniform_reduce_add(value) (value)
#define sub_group_non_uniform_reduce_mul(value) (value)
#define sub_group_non_uniform_reduce_min(value) (value)
#define sub_group_non_uniform_reduce_max(value) (value)
#define sub_group_non_uniform_reduce_and(value) (value)
#define sub_group_non_uniform_reduce_or(value) (value)
#define sub_group_non_uniform_reduce_xor(value) (value)
#define sub_group_non_uniform_scan_inclusive_add(value) (value)
#define sub_group_non_uniform_scan_exclusive_add(value) 0u
#define CLUSTER 1
#define sub_group_clustered_reduce_add(value, size) (value)
#define sub_group_clustered_reduce_mul(value, size) (value)
#define sub_group_clustered_reduce_min(value, size) (value)
#define sub_group_clustered_reduce_max(value, size) (value)
#define sub_group_clustered_reduce_and(value, size) (value)
#define sub_group_clustered_reduce_or(value, size) (value)
#define sub_group_clustered_reduce_xor(value, size) (value)
#define intel_sub_group_shuffle(value, place) (value)
#define intel_sub_group_shuffle_xor(value, mask) (value)
#define intel_sub_group_shuffle_up(before, value, delta) (value)
#define intel_sub_group_shuffle_down(value, after, delta) (value)
"""
EXTENSIONS = " ".join(f"cl_khr_subgroup_{name}" for name in (
    "ballot", "shuffle", "shuffle_relative", "rotate", "non_uniform_vote", "non_uniform_arithmetic",
    "clustered_reduce")) + " cl_intel_subgroups"
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
    ("sub_group_ballot(value)", "((uint4)(0, 0, 0, 0))", "ballot", "sub_group_ballot gives"),
    ("sub_group_ballot_bit_extract(ballot, place)", "((ballot).x + 1)", "ballot", "sub_group_ballot_bit_extract gives"),
    ("sub_group_ballot_exclusive_scan(ballot)", "((ballot).x + 5)", "ballot", "sub_group_ballot_exclusive_scan gives"),
    ("sub_group_broadcast_first(value)", "0u", "ballot", "sub_group_broadcast_first gives"),
    ("sub_group_shuffle(value, place)", "((value) + (place) + 1)", "shuffle", "sub_group_shuffle gives"),
    ("sub_group_shuffle_down(value, delta)", "(delta)", "shuffle-relative", "sub_group_shuffle_down gives"),
    ("sub_group_rotate(value, delta)", "0u", "rotate", "sub_group_rotate gives"),
    ("sub_group_elect()", "0", "some-vote", "sub_group_elect gives"),
    ("sub_group_non_uniform_any(value)", "0", "some-vote", "sub_group_non_uniform_any gives"),
    ("sub_group_non_uniform_reduce_min(value)", "0u", "some-arithmetic", "sub_group_non_uniform_reduce_min gives"),
    ("sub_group_non_uniform_scan_exclusive_add(value)", "(value)", "some-arithmetic", "exclusive_add gives"),
    ("sub_group_clustered_reduce_xor(value, size)", "0u", "clustered-reduce", "sub_group_clustered_reduce_xor gives"),
    ("intel_sub_group_shuffle(value, place)", "((value) + 1)", "shuffle-intel", "intel_sub_group_shuffle gives"),
    ("intel_sub_group_shuffle_up(before, value, delta)", "(before)", "shuffle-intel",
     "intel_sub_group_shuffle_up gives"),
]

# What never ends although no call hangs: a wait for a user event that is not set.
ENDLESS_PLANS = ("clSetUserEventStatus:1+:skip", "clEnqueueNDRangeKernel:2-4:never")


@unittest.skipIf(spoiling.LIBRARY == "", "SPOIL_ICD_LIBRARY names no library")
@gridlock_test.needs_driver("pocl")
class Spoiled(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.spoiling = spoiling.Spoiling(self.folder, gridlock_test.registered_library("pocl"))

    def audit(self, plan, *promises, code, deadlines=None, options=(), **variables):
        """{name: promise}"""
        waits = "hang" if plan in ENDLESS_PLANS else plan
        names = [word for name in promises for word in ("--promise", name)]
        if plan:
            variables = {"SPOIL_CALL": plan, "SPOIL_WORK": "1", **variables}
        result = self.run_gridlock("audit", *names, *(deadlines or spoiling.deadlines(waits)), *options, "--format",
                                   "json", "-q",
                                   code=code, **self.spoiling.environment(**variables))
        device, = result.json()["devices"]
        return {promise["name"]: promise for promise in device["promises"]}
