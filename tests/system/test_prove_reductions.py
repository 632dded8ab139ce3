"""What is left out of an exploration changes nothing that is said of the kernel."""
import gridlock_test

HEAD = """kernel void k(global volatile atomic_int *x)
{
    const int group = get_group_id(0);
"""
WAITS = """    if (group == 0)
        while (atomic_load_explicit(x, memory_order_acquire, memory_scope_device) == 0)
            ;
    else if (group == 1)
        atomic_store_explicit(x, 1, memory_order_release, memory_scope_device);
"""
OTHER = "    else\n        atomic_load_explicit(x, memory_order_acquire, memory_scope_device);\n"
COUNTS = """    int looks = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_load_explicit(x, memory_order_acquire, memory_scope_device) == 0)
        atomic_fetch_add_explicit(&x[1], ++looks, memory_order_relaxed, memory_scope_device);
"""
PHASES = """    local int t[8];
    const int item = get_local_id(0);
    for (int round = 0; round < 3; ++round) {
        t[item] = round;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int sum = t[0] + t[7 - item];
        %s
        if (sum < 0)
            atomic_store_explicit(x, sum, memory_order_relaxed, memory_scope_device);
    }
"""
BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"


BINS = """    for (int i = 0; i < 64; ++i) {
        %s;
    }
"""
SUMS = ("atomic_inc((global int *)&x[i])", "atomic_sub((global uint *)&x[i], 3u)",
        "atomic_fetch_add_explicit(&x[i], group, memory_order_relaxed, memory_scope_device)")
PLAIN = "((global int *)x)"
LOOKED_AT = (f"{PLAIN}[8 + group] = atomic_inc(&{PLAIN}[i])",
             f"int old = atomic_dec(&{PLAIN}[i]); {PLAIN}[8 + group] = old",
             f"atomic_inc(&{PLAIN}[i]); if (group) {PLAIN}[8 + i] = atomic_or({PLAIN}, 0)")
FENCE = "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);"
HANDED = """    global int *const plain = (global int *)x;
    if (group == 0) {
        plain[1] = 1;
        %s
        atomic_inc(plain);
        atomic_inc(plain);
    } else {
        atomic_inc(plain);
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
        plain[1] = 2;
        atomic_inc(&plain[2]);
    }
"""


class Reductions(gridlock_test.Case):
    def prove(self, body, groups, *options):
        source, run = self.folder / "k.cl", self.folder / "k.gridlock"
        source.write_text(HEAD + body + "}\n")
        run.unlink(missing_ok=True)
        found = self.run_gridlock("prove", source, "--groups", str(groups), "--build-options=-cl-std=CL3.0", "-q",
                                  "-o", run, "--format", "json", *options, code=None)
        return found.json()["devices"][0]["launches"][0]

    def test_a_group_that_does_nothing_promises_nothing_to_lower_ones(self):
        idle, busy = self.prove(WAITS, 3), self.prove(WAITS + OTHER, 3)
        self.assertEqual(idle["models"], busy["models"])
        self.assertIn("(FAIR)", idle["needs"])

    def test_what_is_shared_behind_a_barrier_is_seen(self):
        self.assertEqual(self.prove(COUNTS, 2, "--budget", "1")["explored"], "time")

    def test_phases_between_barriers_are_no_choices(self):
        right = self.prove(PHASES % BARRIER, 2, "--local-size", "8")
        self.assertEqual((right["verdict"], right["races"]), ("proved", 0))
        self.assertLess(right["states"], 1000)  # without this more than half a million

    def test_without_the_barrier_they_race(self):
        self.assertEqual(self.prove(PHASES % "", 2, "--local-size", "2")["verdict"], "race")


    def test_sums_that_nobody_looks_at_are_no_choices(self):
        """Each of many words is added to by each group, in any order: one way is enough."""
        for add in SUMS:
            sums = self.prove(BINS % add, 3)
            self.assertEqual((sums["verdict"], sums["ends"], sums["races"]), ("proved", 1, 0), add)
            self.assertLess(sums["states"], 5000, add)  # of 65 ** 3

    def test_what_is_looked_at_is_a_choice(self):
        for add in LOOKED_AT:
            looked = self.prove(BINS.replace("64", "2") % add, 2)
            self.assertGreater(looked["ends"], 1, add)

    def test_sums_behind_a_release_fence_hand_over(self):
        """In one order of the two there is a race, and in the other there is none."""
        handed = self.prove(HANDED % FENCE, 2)
        self.assertEqual((handed["verdict"], handed["races"]), ("race", 1))
        self.assertEqual(self.prove(HANDED % "", 2)["races"], 1)


if __name__ == "__main__":
    gridlock_test.main()
