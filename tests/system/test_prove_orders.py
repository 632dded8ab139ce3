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


if __name__ == "__main__":
    gridlock_test.main()
