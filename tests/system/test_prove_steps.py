"""gridlock prove: what barriers order, loops that look at nothing, races of equal values, and how many work-items."""
import gridlock_test
import prove_case
from prove_case import EXIT_STOPPED, EXIT_SURPRISE

BARRIER = """kernel void exchange(SPACE int *a, global int *b)
{
    a[get_local_id(0)] = 1;
    barrier(FLAGS);
    b[get_local_id(0)] = a[get_local_id(0) ^ 1];
}
"""

# All write, one says so, and another group reads.
PUBLISH = """kernel void publish(global int *a, global atomic_uint *flag, global int *b)
{
    if (get_group_id(0) == 0) {
        a[get_local_id(0)] = 1;
        barrier(FLAGS);
        if (get_local_id(0) == 0)
            atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 1)
        b[get_local_id(0)] = a[1];
}
"""

# The same by fences around an access without any order.
FENCES = """kernel void publish(global int *a, global atomic_uint *flag, global int *b)
{
    if (get_group_id(0) == 0) {
        a[get_local_id(0)] = 1;
        atomic_work_item_fence(RELEASE, memory_order_release, memory_scope_device);
        atomic_store_explicit(flag + get_local_id(0), 1, memory_order_relaxed, memory_scope_device);
    } else if (atomic_load_explicit(flag + get_local_id(0), memory_order_relaxed, memory_scope_device) == 1) {
        atomic_work_item_fence(ACQUIRE, memory_order_acquire, memory_scope_device);
        b[get_local_id(0)] = a[get_local_id(0)];
    }
}
"""

# A word of local memory says that one of global memory is there.
HAND_OVER = """kernel void hand_over(global int *a, global int *b)
{
    local atomic_int flag;
    if (get_local_id(0) == 0)
        atomic_store_explicit(&flag, 0, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        a[0] = 1;
        atomic_store_explicit(&flag, 1, RELEASE, memory_scope_work_group);
    } else if (atomic_load_explicit(&flag, ACQUIRE, memory_scope_work_group) == 1)
        b[0] = a[0];
}
"""

# Some items of a group wait at one barrier, the others at another one; or all at the same, by other ways.
APART = """#define BARRIER barrier(CLK_GLOBAL_MEM_FENCE)
void meet(int first, global int *a)
{
    a[1 - first] = first;
    BARRIER;
}
kernel void lines(global int *a)
{
    if (get_local_id(0) == 0) {
        a[0] = 1;
        BARRIER;
    } else {
        a[1] = 1;
        barrier(CLK_GLOBAL_MEM_FENCE | a[3]);
    }
    a[get_local_id(0)] = a[1 - get_local_id(0)];
}
kernel void empty(global int *a)
{
    if (get_local_id(0) == 0)
        BARRIER;
    else
        BARRIER;
    a[get_local_id(0)] = 1;
}
kernel void calls(global int *a)
{
    if (get_local_id(0) == 0)
        meet(1, a);
    else
        meet(0, a);
    a[get_local_id(0)] = 1;
}
kernel void turns(global int *a)
{
    for (int i = 0; i < 4; ++i) {
        if (i % 2 == 0)
            a[get_local_id(0)] = i;
        BARRIER;
        if (i == 2 && get_local_id(0) == 1)
            a[1] = i;
        work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    }
}
kernel void early(global int *a)
{
    if (get_local_id(0) == 0)
        BARRIER;
    BARRIER;
}
"""

# Kernels by what is read of local memory that nobody has written: a line of it, or nothing.
UNWRITTEN = {
    "never": ("local int x;\n    a[me] = x;", 4),
    "beyond": ("local int x[4];\n    x[me] = a[me];\n    a[me] = x[me + 2];", 5),
    "before": ("local int x[2];\n    a[me] = x[me];\n    x[me] = 1;", 4),
    "adds": ("local int x[2];\n    x[me] += 1;\n    a[me] = x[me];", 4),
    "by one": ("local int x[2];\n    if (me == 0)\n        x[0] = 1;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
               "    a[me] = x[me];", 7),
    "meets": ("local int x[2];\n    x[me] = 1;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    a[me] = x[1 - me];", 0),
    "turns": ("local int x[2];\n    for (int i = 0; i < 2; ++i) {\n        if (i > 0)\n"
              "            a[me] = x[1 - me];\n        barrier(CLK_LOCAL_MEM_FENCE);\n        x[me] = i;\n"
              "        barrier(CLK_LOCAL_MEM_FENCE);\n    }", 0),
    "vector": ("local uchar3 x[2];\n    x[me] = (uchar3)(1, 2, 3);\n    uchar3 y = x[me];\n    a[me] = y.z;", 0),
    "bytes": ("local uchar x[8];\n    vstore3((uchar3)(1, 2, 3), me, x);\n    a[me] = vload3(me, x).y;", 0),
    "parts": ("local int4 x[2];\n    x[me].x = 1;\n    int4 y = x[me];\n    a[me] = y.x;", 0),
    "gaps": ("struct s { char a; int b; };\n    local struct s x[2], y[2];\n    x[me].a = 1;\n    x[me].b = 2;\n"
             "    y[me] = x[me];\n    a[me] = y[me].b;", 0),
    "whole": ("struct s { char a; int b[9]; };\n    local struct s x[2], y[2];\n    y[me] = x[me];\n    a[me] = 1;",
              0),
    "branch": ("local int x[2];\n    if (a[me] == 1)\n        x[me] = 1;\n    a[me] = a[me] == 1 ? x[me] : 2;", 0),
}

WAIT = """kernel void wait(global VOLATILE int *flag, global int *out)
{
    int turns = 0;
    if (get_group_id(0) == 0)
        while (*flag == 0)
            BODY;
    else
        *flag = 1;
    *out = turns;
}
"""


class Barriers(prove_case.Case):
    def verdict(self, text, name, build, *options):
        kernel = self.folder / name
        kernel.write_text(text)
        launch, = self.prove(kernel, "--local-size", "2", *options, build=f"{prove_case.STANDARD} {build}", code=None)
        return launch["verdict"]

    def test_barrier_orders_what_it_is_for(self):
        for space, local in (("global", ()), ("local", ("--arg", "a=local:8"))):
            for flags, fits in ((space, True), ("global" if space == "local" else "local", False)):
                with self.subTest(space=space, flags=flags):
                    build = f"-DSPACE={space} -DFLAGS=CLK_{flags.upper()}_MEM_FENCE"
                    self.assertEqual(self.verdict(BARRIER, "exchange.cl", build, "--groups", "1", *local),
                                     "proved" if fits else "race")

    def test_barrier_for_both_is_for_each(self):
        build = "-DSPACE=global -DFLAGS=(CLK_LOCAL_MEM_FENCE+CLK_GLOBAL_MEM_FENCE)"
        self.assertEqual(self.verdict(BARRIER, "exchange.cl", build, "--groups", "1"), "proved")

    def test_what_a_barrier_did_not_order_another_group_may_not_read(self):
        for flags, verdict in (("GLOBAL", "proved"), ("LOCAL", "race")):
            with self.subTest(flags=flags):
                self.assertEqual(self.verdict(PUBLISH, "publish.cl", f"-DFLAGS=CLK_{flags}_MEM_FENCE", "--groups", "2"),
                                 verdict)

    def test_fence_orders_what_it_is_for(self):
        for release, acquire, verdict in (("GLOBAL", "GLOBAL", "proved"), ("LOCAL", "GLOBAL", "race"),
                                          ("GLOBAL", "LOCAL", "race"), ("LOCAL", "LOCAL", "race")):
            with self.subTest(release=release, acquire=acquire):
                build = f"-DRELEASE=CLK_{release}_MEM_FENCE -DACQUIRE=CLK_{acquire}_MEM_FENCE"
                self.assertEqual(self.verdict(FENCES, "publish.cl", build, "--groups", "2"), verdict)

    def test_fence_for_both_is_for_each(self):
        build = " ".join(f"-D{name}=(CLK_LOCAL_MEM_FENCE+CLK_GLOBAL_MEM_FENCE)" for name in ("RELEASE", "ACQUIRE"))
        self.assertEqual(self.verdict(FENCES, "publish.cl", build, "--groups", "2"), "proved")

    def test_word_of_local_memory_orders_local_memory(self):
        for release, acquire, verdict in (("release", "acquire", "race"), ("seq_cst", "seq_cst", "proved")):
            with self.subTest(release=release):
                build = f"-DRELEASE=memory_order_{release} -DACQUIRE=memory_order_{acquire}"
                self.assertEqual(self.verdict(HAND_OVER, "hand.cl", build, "--groups", "1"), verdict)

    def test_all_wait_at_the_same(self):
        kernel = self.folder / "apart.cl"
        kernel.write_text(APART)
        found = {launch["kernel"]: launch["fault"] for launch in
                 self.prove(kernel, "--groups", "1", "--local-size", "2", code=EXIT_SURPRISE)}
        said = "work-item (0, 0, 0) of group 0 waits at a barrier in line {}, and work-item (1, 0, 0) of its group " \
               "at another one in line {}"
        self.assertEqual(found, {"lines": said.format(11, 14), "empty": said.format(21, 23), "calls": None,
                                 "turns": None, "early": said.format(48, 49)})


class Unwritten(prove_case.Case):
    def launch(self, does, code):
        kernel = self.folder / "local.cl"
        kernel.write_text(f"kernel void own(global int *a)\n{{ int me = get_local_id(0);\n    {does}\n}}\n")
        launch, = self.prove(kernel, "--groups", "1", "--local-size", "2", code=code)
        return launch

    def test_what_nobody_wrote_is_not_read(self):
        for name, (does, line) in UNWRITTEN.items():
            with self.subTest(name):
                launch = self.launch(does, EXIT_SURPRISE if line > 0 else 0)
                self.assertEqual((launch["verdict"], launch["fault_line"]),
                                 ("fault", f"local.cl:{line}") if line > 0 else ("proved", None))
                if line > 0:
                    self.assertRegex(launch["fault"], r"work-item \(\d, 0, 0\) of group 0 reads local memory that "
                                                      "nobody has written")

    def test_a_race_is_told_first(self):
        launch = self.launch("local int x[2];\n    x[me] = 1;\n    a[me] = x[1 - me];", EXIT_SURPRISE)
        self.assertEqual((launch["verdict"], launch["fault"]), ("race", None))

    def test_what_is_made_up_may_be_why(self):
        kernel = self.folder / "local.cl"
        kernel.write_text("kernel void own(global int *a, local int *x)\n{\n    a[get_global_id(0)] = x[0];\n}\n")
        said = "work-item (0, 0, 0) of group 0 reads local memory that nobody has written"
        launch, = self.prove(kernel, "--groups", "1", "--arg", "x=local:4", code=EXIT_SURPRISE)
        self.assertEqual((launch["verdict"], launch["fault"], launch["fault_line"], launch["unwritten"]),
                         ("fault", said, "local.cl:3", None))
        launch, = self.prove(kernel, "--groups", "1", code=EXIT_STOPPED)
        self.assertEqual((launch["verdict"], launch["fault"], launch["fault_line"], launch["unwritten"]),
                         ("not-refuted", said, "local.cl:3", None))
        told = self.run_gridlock("prove", str(kernel), "--groups", "1", "-q", code=EXIT_STOPPED).out
        self.assertIn(f"wrong on every device, unless it is for what is made up: local.cl:3: {said}",
                      " ".join(told.split()))


class Loops(prove_case.Case):
    def launch(self, build):
        kernel = self.folder / "wait.cl"
        kernel.write_text(WAIT)
        launch, = self.prove(kernel, "--groups", "2", build=f"{prove_case.STANDARD} {build}", code=EXIT_SURPRISE)
        return launch

    def test_loop_that_looks_at_a_plain_word_once_never_ends(self):
        for body in ("", "++turns"):
            with self.subTest(body=body):
                launch = self.launch(f"-DVOLATILE= -DBODY={body}")
                self.assertEqual((launch["verdict"], launch["explored"]), ("wrong", "all"))
                stall = launch["stalls"][0]
                self.assertEqual((stall["model"], stall["circle"]), ("FAIR", 1))
                last = stall["steps"][-1]
                self.assertEqual((last["group"], last["line"], last.get("object")), (0, "wait.cl:5", None))

    def test_loop_that_looks_again_ends_once_it_is_written(self):
        launch = self.launch("-DVOLATILE=volatile -DBODY=")
        self.assertEqual(launch["verdict"], "race")
        self.assertEqual(launch["needs"], "needs: all 2 groups resident (FAIR)")


class LoopsAlone(prove_case.Case):
    """Of work-items that access no memory meanwhile."""

    def launch(self, body, *options, code=EXIT_SURPRISE):
        kernel = self.folder / "alone.cl"
        kernel.write_text(f"kernel void alone(global atomic_uint *a, global uint *out, uint n)\n{{\n{body}\n}}\n")
        launch, = self.prove(kernel, "--groups", "2", "--arg=n=2", *options, code=code)
        return launch

    def test_state_that_comes_back(self):
        for body in ("volatile int on = 1; while (on) ;", '__asm__ volatile("1: nop; jmp 1b");'):
            with self.subTest(body=body):
                launch = self.launch(body)
                self.assertEqual((launch["verdict"], launch["fault_line"]), ("fault", "alone.cl:3"))
                self.assertRegex(launch["fault"], "of group 0 goes round for ever, in a loop that accesses no memory$")

    def test_time_without_a_step_is_said_with_the_way_there(self):
        launch = self.launch("uint i = 1;\nif (atomic_fetch_add(a, 1) == 1)\nwhile (i != 2 * n) i += 2;\nout[0] = i;",
                             "--timeout", "3")
        self.assertEqual((launch["verdict"], launch["fault_line"]), ("fault", "alone.cl:5"))
        self.assertRegex(launch["fault"], "did not leave it for 0.5 s: by this time it is taken to be endless")
        self.assertEqual([step["line"] for step in launch["steps"]], ["alone.cl:4"])

    def test_long_work_ends(self):
        launch = self.launch("uint x = get_group_id(0);\n"
                             "for (uint i = 0; i < 1u << 28; ++i) x = x * 1664525 + 1013904223;"
                             "\nout[get_group_id(0)] = x;", code=gridlock_test.EXIT_OK)
        self.assertEqual((launch["verdict"], launch["fault"]), ("proved", None))


class Values(prove_case.Case):
    def race(self, value):
        kernel = self.folder / "set.cl"
        kernel.write_text(f"kernel void set(global int *a)\n{{\n    a[0] = {value};\n}}\n")
        launch, = self.prove(kernel, "--groups", "2", code=EXIT_SURPRISE)
        self.assertEqual(launch["verdict"], "race")
        told = self.run_gridlock("prove", str(kernel), "--groups", "2", "-q", code=EXIT_SURPRISE).out
        return launch["raced"][0]["same_value"], "Both write 7, which is undefined" in " ".join(told.split())

    def test_equal_values_race_and_that_is_said(self):
        self.assertEqual(self.race("7"), (True, True))

    def test_others_are_not_said_to_be_equal(self):
        self.assertEqual(self.race("get_group_id(0)"), (False, False))


class Sizes(prove_case.Case):
    def sizes(self, does):
        kernel = self.folder / "sizes.cl"
        kernel.write_text(f"kernel void own(global int *a)\n{{\n    a[get_global_id(0)] = 1;\n    {does};\n}}\n")
        return [(launch["groups"], launch["local_size"]) for launch in self.prove(kernel, "--groups", "2")]

    def test_two_work_items_where_it_matters(self):
        self.assertEqual(self.sizes("barrier(CLK_GLOBAL_MEM_FENCE)"), [(2, "1"), (2, "2")])

    def test_one_where_it_does_not(self):
        self.assertEqual(self.sizes("// barrier(0)"), [(2, "1")])


if __name__ == "__main__":
    gridlock_test.main()
