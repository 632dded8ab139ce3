"""Races by the memory model: which fence, and which order of a compare-exchange, hands over what to whom."""
import gridlock_test
import prove_case

FLAG = """kernel void flag(global atomic_int *x, global int *d, global int *o)
{
    const int group = get_group_id(0);
    if (group == 0) {
        d[0] = 1;
        %s
        atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);
    } else {
        while (atomic_load_explicit(x, memory_order_acquire, memory_scope_device) == 0)
            ;
        o[group] = d[0];
    }
}
"""
FENCE = "atomic_work_item_fence(CLK_%s_MEM_FENCE, memory_order_%s, memory_scope_%s);"
RELEASE = FENCE % ("GLOBAL", "release", "device")
OTHERS = (FENCE % ("LOCAL", "release", "device"), FENCE % ("GLOBAL", "acquire", "device"),
          FENCE % ("GLOBAL", "relaxed", "device"), FENCE % ("GLOBAL", "release", "work_group"),
          FENCE % ("GLOBAL", "release", "work_item"), "mem_fence(CLK_GLOBAL_MEM_FENCE);",
          "work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);")


class Fences(prove_case.Case):
    def verdict(self, *fences):
        path = self.folder / "k.cl"
        path.write_text(FLAG % "\n        ".join(fences))
        launch, = self.prove(path, "--groups", "2", "--local-size", "1", code=None)
        return launch["verdict"]

    def test_none_of_several_makes_another_one_stronger(self):
        for i, fence in enumerate(OTHERS):
            self.assertEqual(self.verdict(fence), "race", fence)
            self.assertEqual(self.verdict(fence, OTHERS[i - 1], OTHERS[i - 2]), "race", fence)

    def test_one_that_is_strong_enough_suffices(self):
        self.assertEqual(self.verdict(RELEASE), "proved")
        for fence in OTHERS:
            self.assertEqual(self.verdict(fence, RELEASE), "proved", fence)
            self.assertEqual(self.verdict(RELEASE, fence), "proved", fence)


WINNER = """kernel void winner(global atomic_int *owner, global int *d, global int *o)
{
    int me = get_group_id(0) + 1, seen = 0;
    d[me] = me;
    if (!atomic_compare_exchange_strong_explicit(owner, &seen, me, memory_order_acq_rel, memory_order_%s,
                                                 memory_scope_device))
        o[me] = d[seen];
}
"""
LOSER = """kernel void loser(global atomic_int *x, global int *d, global int *o)
{
    int wanted = %d;
    if (get_group_id(0) == 0) {
        d[0] = 1;
        atomic_compare_exchange_strong_explicit(x, &wanted, 5, memory_order_acq_rel, memory_order_acquire,
                                                memory_scope_device);
        atomic_store_explicit(x + 1, 1, memory_order_relaxed, memory_scope_device);
    } else {
        while (atomic_load_explicit(x + 1, memory_order_relaxed, memory_scope_device) == 0)
            ;
        atomic_load_explicit(x, memory_order_acquire, memory_scope_device);
        o[1] = d[0];
    }
}
"""


class Exchanges(prove_case.Case):
    """One that fails is a load, with an order of its own."""

    def verdict(self, text):
        path = self.folder / "k.cl"
        path.write_text(text)
        launch, = self.prove(path, "--groups", "2", code=None)
        return launch["verdict"]

    def test_who_fails_may_acquire(self):
        for order, verdict in (("relaxed", "race"), ("acquire", "proved"), ("seq_cst", "proved")):
            self.assertEqual(self.verdict(WINNER % order), verdict, order)

    def test_who_fails_releases_nothing(self):
        self.assertEqual(self.verdict(LOSER % 9), "race")
        self.assertEqual(self.verdict(LOSER % 0), "proved")

    def test_without_an_order_it_is_sequentially_consistent(self):
        short = WINNER[:WINNER.index(", memory_order_acq_rel")] + "))\n        o[me] = d[seen];\n}\n"
        self.assertEqual(self.verdict(short.replace("strong_explicit", "strong")), "proved")
        self.assertEqual(self.verdict(short.replace("strong_explicit", "weak")), "proved")


if __name__ == "__main__":
    gridlock_test.main()
