"""Launches of more work-items than have states: one schedule is enough where each keeps to what no other one writes."""
import gridlock_test
import prove_case

STEP = "barrier(CLK_LOCAL_MEM_FENCE);"
SUM = """#define SIZE 128
kernel void sum(global const int *in, global int *out, int n)
{
    local int t[SIZE];
    const int item = get_local_id(0);
    int own = 0;
    for (int i = get_group_id(0) * SIZE + item; i < n; i += SIZE * get_num_groups(0))
        own += in[i];
    t[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int left = SIZE / 2; left > 0; left /= 2) {
        if (item < left)
            t[item] += t[item + left];
        %s
    }
    if (item == 0)
        out[get_group_id(0)] = t[0];
}
"""
GIVEN = ("--arg", "n=1000", "--arg", "in=buffer:4096=seq", "--arg", "out=buffer:8")
OVER = """kernel void over(global int *out)
{
    local volatile int t[64];
    t[get_local_id(0)] = 1;
    out[get_global_id(0)] = t[get_local_id(0)];
}
"""
BETWEEN = """kernel void between(global int *out)
{
    out[get_global_id(0)] = 1;
    barrier(%s);
    out[1000 + get_global_id(0)] = out[get_global_id(0) ^ 1];
}
"""
ORDER = """kernel void order(global int *out)
{
    %s
}
"""
NEIGHBOURS = "out[get_group_id(0)] = out[1 - get_group_id(0)];"
READERS = "volatile global int *const to = out; const int a = to[0]; if (get_global_id(0) == %d) to[0] = a;"
ATOMIC = "atomic_xchg(out, get_local_id(0));"
HISTOGRAM = """kernel void histogram(global const uint *in, global atomic_uint *bins)
{
    local atomic_uint mine[8];
    if (get_local_id(0) < 8)
        atomic_init(&mine[get_local_id(0)], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&mine[in[get_global_id(0)] %% 8], 1, memory_order_relaxed, memory_scope_work_group);
    %s
    if (get_local_id(0) < 8)
        atomic_fetch_add(&bins[get_local_id(0)], atomic_load(&mine[get_local_id(0)]));
    %s
}
"""
TILE = """#define SIDE 16
kernel void turn(global const int *in, global int *out)
{
    local int t[SIDE][SIDE + 1];
    const int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = in[(get_group_id(1) * SIDE + y) * 64 + get_group_id(0) * SIDE + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * SIDE + y) * 64 + get_group_id(1) * SIDE + x] = t[x][y];
}
"""
REQUIRED = """kernel __attribute__((reqd_work_group_size(64, 1, 1))) void required(global int *out)
{
    local int t[64];
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[%s] = t[63 - get_local_id(0)];
}
"""
TILES = """#define TILE 16
kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void tiles(global const int *in, global int *out, int n)
{
    local int t[TILE];
    int sum = 0;
    for (int from = 0; from < n; from += TILE) {
        t[get_local_id(0)] = in[from + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[TILE - 1 - get_local_id(0)];
        %s
    }
    out[get_global_id(0)] = sum;
}
"""


class Apart(prove_case.Case):
    def launch(self, text, *options, size="128", code=None):
        path = self.folder / "k.cl"
        path.write_text(text)
        launch, = self.prove(path, "--groups", "2", "--local-size", size, *options, code=code)
        return launch

    def test_a_tree_is_right_in_all_schedules(self):
        launch = self.launch(SUM % STEP, *GIVEN, "--result", "out=229120,270380", code=0)
        self.assertEqual((launch["verdict"], launch["ends"], launch["states"]), ("proved", 1, 1))
        self.assertEqual(launch["needs"], "ends on every device")

    def test_its_result_is_held_against_what_is_right(self):
        self.assertEqual(self.launch(SUM % STEP, *GIVEN, "--result", "out=1,2")["verdict"], "wrong-result")

    def test_without_a_barrier_it_races(self):
        launch = self.launch(SUM % "", *GIVEN)
        self.assertEqual((launch["verdict"], launch["races"]), ("race", 1))
        race, = launch["raced"]
        self.assertEqual({race["first"]["line"], race["second"]["line"]}, {"k.cl:13"})
        self.assertEqual(race["first"]["group"], race["second"]["group"])
        self.assertNotEqual(race["first"]["item"], race["second"]["item"])

    def test_a_barrier_orders_its_kind_of_memory(self):
        self.assertEqual(self.launch(BETWEEN % "CLK_GLOBAL_MEM_FENCE")["verdict"], "proved")
        self.assertEqual(self.launch(BETWEEN % "CLK_LOCAL_MEM_FENCE")["verdict"], "race")

    def test_groups_race(self):
        self.assertEqual(self.launch(ORDER % NEIGHBOURS)["verdict"], "race")

    def test_whoever_writes_what_many_read_races(self):
        for item in (0, 1, 127, 128, 255):
            self.assertEqual(self.launch(ORDER % (READERS % item))["verdict"], "race", item)
        self.assertEqual(self.launch(ORDER % (READERS % 256))["verdict"], "proved")

    def test_an_access_outside_is_found(self):
        launch = self.launch(OVER, "--arg", "out=buffer:4096")
        self.assertEqual(launch["verdict"], "fault")
        self.assertIn("work-item (64, 0, 0) of group 0 writes outside", launch["fault"])

    def test_atomics_that_meet_are_too_many(self):
        launch = self.launch(ORDER % ATOMIC, code=gridlock_test.EXIT_UNSUPPORTED)
        self.assertEqual(launch["verdict"], "none")
        self.assertIn("2 groups of 128 work-items are too many", launch["note"])

    def test_sums_of_a_word_are_not_in_each_other_s_way(self):
        """Of work-items of one group, and of groups; whoever reads it does so behind a barrier."""
        given = ("--arg", "in=buffer:1024=seq")
        launch = self.launch(HISTOGRAM % (STEP, ""), *given, "--arg", "bins=buffer:32",
                             "--result", "bins=" + ",".join(["32"] * 8), code=0)
        self.assertEqual((launch["verdict"], launch["states"]), ("proved", 1))
        launch = self.launch(HISTOGRAM % ("", ""), *given, code=gridlock_test.EXIT_UNSUPPORTED)
        self.assertIn("2 groups of 128 work-items are too many", launch["note"])
        looks = "((global uint *)bins)[8 + get_global_id(0)] = ((global uint *)bins)[0];"
        launch = self.launch(HISTOGRAM % (STEP, looks), *given, code=None)
        self.assertNotEqual(launch["verdict"], "proved")
        plain = HISTOGRAM.replace("atomic_load(&mine[get_local_id(0)])", "((local uint *)mine)[get_local_id(0)]")
        launch = self.launch(plain % (STEP, ""), *given, code=0)
        self.assertEqual(launch["verdict"], "proved")
        launch = self.launch(plain % ("", ""), *given)
        self.assertEqual(launch["verdict"], "race")
        self.assertEqual({race["line"] for race in (launch["raced"][0]["first"], launch["raced"][0]["second"])},
                         {"k.cl:7", "k.cl:10"})

    def test_updates_by_one_operation(self):
        """They come to the same in any order; not so by two, or if somebody uses what was there."""
        alike = ("atomic_max(out, get_local_id(0));", "atomic_min((volatile global uint *)out, 3);",
                 "atomic_or(out, 1 << get_group_id(0));", "atomic_and(out, ~get_local_id(0));",
                 "atomic_fetch_max((global atomic_int *)out, get_local_id(0));")
        others = (f"if (get_local_id(0)) {alike[0]} else {alike[1]}", f"out[1] = {alike[2]}",
                  "atomic_max(out, 3); atomic_max((volatile global uint *)out, 3);", "atomic_xor(out, 3);")
        for text in alike:
            launch = self.launch(ORDER % text, code=0)
            self.assertEqual((launch["verdict"], launch["states"]), ("proved", 1), text)
        for text in others:
            self.launch(ORDER % text, code=gridlock_test.EXIT_UNSUPPORTED)

    def test_sums_that_other_groups_do_not_know_of_are_others(self):
        far = HISTOGRAM.replace("atomic_fetch_add(&bins[get_local_id(0)], atomic_load(&mine[get_local_id(0)]))",
                                "atomic_fetch_add_explicit(&bins[get_local_id(0)], 1, memory_order_relaxed, SCOPE)")
        given = ("--arg", "in=buffer:1024=seq", "--build-options=-cl-std=CL3.0 -DSCOPE=memory_scope_")
        self.assertEqual(self.launch(far % (STEP, ""), *given[:2], given[2] + "device", code=0)["verdict"], "proved")
        self.launch(far % (STEP, ""), *given[:2], given[2] + "work_group", code=gridlock_test.EXIT_UNSUPPORTED)

    def test_many_states_of_few_work_items_are_one_if_all_keep_apart(self):
        right = ("--result", "out=253696,245804")
        launch = self.launch(SUM.replace("128", "32") % STEP, *GIVEN, *right, size="32", code=0)
        self.assertEqual((launch["verdict"], launch["states"]), ("proved", 1))
        launch = self.launch(SUM.replace("128", "2") % STEP, *GIVEN, size="2", code=0)
        self.assertGreater(launch["states"], 1)
        launch = self.launch(SUM.replace("128", "32") % "", *GIVEN, size="32")
        self.assertEqual(launch["verdict"], "race")


SMASHES = """kernel void smashes(global const int *in, global int *out, int n)
{
    int t[4] = {0};
    for (int i = 0; i < 4 * n; ++i)
        t[i] = in[i];
    out[get_global_id(0)] = t[in[0] & 3];
}
"""


class Crashes(prove_case.Case):
    """One that is due to what is made up leaves the answer for what was made up first."""

    def test_with_other_values(self):
        path = self.folder / "k.cl"
        path.write_text(SMASHES)
        launch, = self.prove(path, "--groups", "2", code=0)
        self.assertEqual((launch["verdict"], launch["unwritten"]), ("proved", "with other values it crashes"))

    def test_with_those_that_are_given(self):
        path = self.folder / "k.cl"
        path.write_text(SMASHES)
        launch, = self.prove(path, "--groups", "2", "--arg", "n=16", code=gridlock_test.EXIT_UNSUPPORTED)
        self.assertEqual(launch["verdict"], "none")
        self.assertRegex(launch["note"], "crashed|ended the worker")  # as a sanitizer does that sees it


class Sizes(prove_case.Case):
    def launches(self, text, *options):
        path = self.folder / "k.cl"
        path.write_text(text)
        return self.prove(path, "--groups", "2", *options, code=None)

    def test_a_size_that_is_in_the_text_is_tried(self):
        for launch in self.launches(SUM % STEP):
            self.assertEqual((launch["verdict"], launch["states"]), ("proved", 1))
            self.assertIn("128 work-items of a group, for a number in its text", launch["made_up"])

    def test_one_of_the_compilers_options_is_too(self):
        text = (SUM % STEP).replace("#define SIZE 128\n", "")
        for launch in self.launches(text, "--build-options=-DSIZE=32"):
            self.assertEqual(launch["verdict"], "proved")
            self.assertIn("32 work-items of a group", launch["made_up"])

    def test_what_is_wrong_with_it_is_not_proved(self):
        for launch in self.launches(SUM % ""):
            self.assertIn(launch["verdict"], ("race", "not-refuted"))

    def test_a_second_tile_is_read(self):
        launch, = self.launches(TILES % STEP)
        self.assertEqual(launch["verdict"], "proved")
        launch, = self.launches(TILES % "")
        self.assertEqual((launch["verdict"], launch["races"]), ("not-refuted", 1))
        self.assertIn("n: 32", launch["made_up"])

    def test_a_tile_has_as_many_in_both_dimensions(self):
        launch = self.launches(TILE)[-1]
        self.assertEqual(launch["verdict"], "proved")
        self.assertIn("16x16 work-items of a group", launch["made_up"])

    def test_all_groups_of_a_required_size(self):
        launch, = self.launches(REQUIRED % "get_global_id(0)")
        self.assertEqual((launch["verdict"], launch["groups"]), ("proved", 2))

    def test_which_race_for_certain(self):
        launch, = self.launches(REQUIRED % "get_local_id(0)", "--arg", "out=buffer:4096")
        self.assertEqual(launch["verdict"], "race")


if __name__ == "__main__":
    gridlock_test.main()
