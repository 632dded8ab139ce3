"""gridlock try: kernels as they are, which end or not, on PoCL and on model devices."""
import shutil

import gridlock_test
import schemas
from gridlock_test import EXIT_USAGE, needs_driver

EXIT_SURPRISE = 1

KERNELS = """kernel void barrier_of_groups(global volatile int *count, int rounds)
{
    if (get_local_id(0) == 0) {
        atomic_inc(count);
        while (*count < (int)get_num_groups(0)) /* line 5 */
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}
kernel void waits_for_later(global volatile int *flag)
{
    if (get_local_id(0) == 0)
        while (*flag == 0)
            ;
    if (get_local_id(0) + 1 == get_local_size(0))
        *flag = 1;
}
kernel void in_part(global int *data)
{
    if (get_local_id(0) < 3)
        barrier(CLK_GLOBAL_MEM_FENCE);
    data[get_global_id(0)] = 1;
}
kernel void counts(global volatile ulong *count)
{
    while (count[0] < 1000000000000000ul)
        count[0] += 1;
}
kernel void takes_turns(global volatile uint *turn, global uint *sums)
{
    uint sum = get_group_id(0);
    for (uint round = 0; round < 0xffffffffu; ++round) {
        while (turn[0] % 2 != get_group_id(0))
            ;
        for (uint i = 0; i < 1000; ++i) {
            sum ^= sum << 13;
            sum ^= sum >> 17;
        }
        sums[get_group_id(0)] = sum;
        turn[0] += 1;
    }
}
kernel void works(global uint *sum)
{
    uint value = 1;
    for (uint i = 0; i < 200000000; ++i) /* 100 ms on any processor: load is measured then */ {
        value ^= value << 13;
        value ^= value >> 17;
    }
    *sum = value;
}
kernel void dies(global int *data, ulong at)
{
    *(global int *)(at + 8) = *data;
}
kernel void takes(global int *out, int number, float2 pair, local int *tile)
{
    if (number != 7 || pair.y != 0.5f)
        while (((volatile global int *)out)[0] == 0)
            ;
    tile[get_local_id(0)] = number;
    out[get_global_id(0)] = tile[get_local_id(0)];
}
"""
NUMBERS = "expected a whole number from 1 to "
REFUSED = [
    ((), "expected a file of OpenCL C: gridlock try FILE.cl"), (("nosuch.cl",), "nosuch.cl: No such file"),
    (("k.txt",), "k.txt: expected a file of OpenCL C"), (("k.cl", "--kernel", "nosuch"), "no kernel 'nosuch'"),
    (("k.cl", "--groups", "0"), f"--groups 0: {NUMBERS}1048576"), (("k.cl", "--groups", "1..0"), "--groups 0"),
    (("k.cl", "--groups", "3..2"), "--groups 3..2: expected the smaller number first"),
    (("k.cl", "--groups", "1..65"), "--groups: at most 64 values"), (("k.cl", "--groups", "1,"), "--groups"),
    (("k.cl", "--groups", ".."), "--groups"), (("k.cl", "--local-size", "0"), "--local-size '0'"),
    (("k.cl", "--deadline", "0"), f"--deadline 0: {NUMBERS}86400"), (("k.cl", "--arg", "x"), "ARGUMENT=buffer:BYTES"),
    (("k.cl", "--kernel", "takes", "--arg", "nosuch=1"), "takes has 4 arguments; none is called so"),
    (("k.cl", "--kernel", "takes", "--arg", "out=1"), "argument 0 (out) of takes is a buffer, not a number"),
    (("k.cl", "--kernel", "takes", "--arg", "number=file:k.cl"), "and the value takes 4 of them"),
    (("k.cl", "--kernel", "takes", "--arg", "number=file:nosuch"), "nosuch: No such file"),
    (("k.cl", "-o", "/nosuch/run"), "cannot create"), (("k.cl", "--format", "csv"), "expected text or json"),
]


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "k.cl").write_text(KERNELS)

    def tried(self, kernel, *arguments, device="pocl", code=None, **variables):
        """The verdict of each launch, and what is said of the last one."""
        result = self.run_gridlock("try", "k.cl", "--kernel", kernel, "-d", device, "-q", "--format", "json",
                                   *arguments, code=code, **variables)
        document = result.json()
        schemas.validator("run").validate(document)
        points = [point for scenario in document["devices"][0]["scenarios"] for point in scenario["points"]]
        self.assertEqual(result.code, 0 if all(point["verdict"] == "pass" for point in points) else EXIT_SURPRISE)
        return [(point["groups"], point["verdict"]) for point in points], points[-1]["note"] or ""


class OnModels(Case):
    def test_as_many_groups_as_have_a_place_pass(self):
        found, note = self.tried("barrier_of_groups", "--groups", "1..4", "--local-size", "4", device="model:obe:3")
        self.assertEqual(found, [(1, "pass"), (2, "pass"), (3, "pass"), (4, "deadlock")])
        self.assertIn("none of its work-items can do anything any more, which is proved", note)

    def test_a_barrier_that_a_part_of_a_group_reaches(self):
        found, note = self.tried("in_part", "--groups", "1", "--local-size", "4", device="model:obe:3")
        self.assertEqual(found, [(1, "error")])
        self.assertIn("k.cl:21: work-item (3, 0, 0) of group 0 has ended, and others of its group wait for it at a "
                      "barrier", note)

    def test_arguments(self):
        (self.folder / "pair").write_bytes(b"\0\0\0\0\0\0\0\x3f")
        for given in (("--arg", "number=7", "--arg", "2=0.5"), ("--arg", "1=7", "--arg", "pair=file:pair")):
            found, _ = self.tried("takes", "--groups", "1", "--local-size", "2", *given, device="model:obe:3")
            self.assertEqual(found, [(1, "pass")])
        found, _ = self.tried("takes", "--groups", "1", "--local-size", "2", device="model:obe:3")
        self.assertEqual(found, [(1, "deadlock")])

    def test_text(self):
        told = self.run_gridlock("try", "k.cl", "--kernel", "barrier_of_groups", "-d", "model:obe:3", "-q",
                                 "--deadline", "600", "-o", "a.run", code=EXIT_SURPRISE).out
        self.assertRegex(told, r"(?s)k.cl:barrier_of_groups, work-groups of 64:\ngroups\n"
                               r" +1  ended +[\d.]+ ms\n +2  ended.* 3  ended.* 4  deadlock    none of its")
        self.assertIn("It ended with up to 3 groups.\n"
                      "Arguments that were made up: count: 65536 zero bytes, rounds: 0\n", told)
        self.assertEqual(self.run_gridlock("report", "a.run", code=EXIT_SURPRISE).out, told)
        self.assert_sentence(self.run_gridlock("explain", "a.run", code=EXIT_USAGE).err, "no record of who waits",
                             "gridlock report says", "gridlock prove")
        self.assertEqual(self.run_gridlock("resume", "a.run", "-q", code=EXIT_SURPRISE).out, told)

    def test_no_file_that_builds(self):
        (self.folder / "broken.cl").write_text("kernel void f(\n")
        result = self.run_gridlock("try", "broken.cl", "-d", "model:obe:2", "-q", code=EXIT_SURPRISE)
        self.assertRegex(result.out, r"(?m)^broken.cl: build-failed: \S")
        self.assertNotIn("work-groups", result.out)

    def test_wrong_input(self):
        (self.folder / "k.txt").write_text(KERNELS)
        for arguments, words in REFUSED:
            with self.subTest(arguments):
                result = self.run_gridlock("try", *arguments, "-d", "model:obe:2", "-q", code=EXIT_USAGE)
                self.assertEqual(result.err.count("\n"), 1)
                self.assertIn(words, result.err)


@needs_driver("pocl")
class OnPocl(Case):
    def test_as_many_groups_as_are_resident_pass(self):
        for threads in (1, 2, 4):
            found, note = self.tried("barrier_of_groups", "--groups", f"1..{threads + 1}", "--local-size", "4",
                                     "--deadline", "600", POCL_MAX_PTHREAD_COUNT=threads)
            self.assertEqual(found, [(groups + 1, "pass") for groups in range(threads)] + [(threads + 1, "deadlock")])
            self.assertIn(f"proved: {threads} thread", note)

    def test_one_that_fits_and_hangs_with_one_group(self):
        found, note = self.tried("waits_for_later", "--groups", "1,3", "--local-size", "4", "--deadline", "600",
                                 POCL_MAX_PTHREAD_COUNT=3)
        self.assertEqual(found, [(1, "deadlock"), (3, "deadlock")])
        self.assertIn("3 threads go round", note)

    def test_launches_that_were_asked_for_are_not_in_doubt(self):
        result = self.run_gridlock("try", "k.cl", "--kernel", "works", "-d", "pocl", "-q", "--format", "json",
                                   "--iterations", "2", "--groups", "1", "--local-size", "1", "--deadline", "600")
        self.assertEqual(result.json()["devices"][0]["machine"]["trials_in_doubt"], 0)

    def test_the_line(self):
        _, note = self.tried("barrier_of_groups", "--groups", "3", "--local-size", "4", "--deadline", "600", "--lines",
                             POCL_MAX_PTHREAD_COUNT=2)
        self.assertRegex(note, r"2 threads go round at k.cl:[56],|at k.cl:[56], 1 thread goes round")

    def test_waits_that_give_up(self):
        """With the words of gridlock.clh a launch ends, and says who did not come; nothing is proved by that."""
        for file in ("examples/relax/relax.cl", "src/emit/gridlock.clh"):
            shutil.copy(gridlock_test.ROOT / file, self.folder)
        tried = ("try", "relax.cl", "-d", "pocl", "--build-options=-cl-std=CL3.0", "--arg", "end=20",
                 "--arg", "cells=99", "--deadline", "600", "--arg")
        told = self.run_gridlock(*tried, "0=grid:1000", "--groups", "3", code=1, POCL_MAX_PTHREAD_COUNT=2)
        self.assertRegex(told.out, r"3  long  +its waits gave up: \d of 3 groups waited at a barrier")
        told = self.run_gridlock(*tried, "gl_words=grid", "--groups", "1", code=0)
        self.assertRegex(told.out, r"1  ended ")
        self.assertIn("FUSE 0", self.run_gridlock(*tried, "0=grid:0", code=2).err)
        self.assertIn("expected ARGUMENT=buffer:BYTES", self.run_gridlock(*tried, "0=gridx", code=2).err)

    def test_one_that_may_be_slow_is_no_deadlock(self):
        found, note = self.tried("counts", "--groups", "1", "--local-size", "1", "--deadline", "1")
        self.assertEqual(found, [(1, "inconclusive")])
        self.assertIn("it did not end within 1 s", note)

    def test_one_that_soon_lets_the_other_go_on_is_no_deadlock(self):
        """Each waits for the other, computes and waits again: whoever goes round now has written before, or will."""
        for deadline in ("2", "3", "4"):
            found, note = self.tried("takes_turns", "--groups", "2", "--local-size", "1", "--deadline", deadline,
                                     POCL_MAX_PTHREAD_COUNT=2)
            self.assertEqual(found, [(2, "inconclusive")], note)

    def test_a_crash(self):
        # With a sanitizer, a crash is to stay a crash.
        found, note = self.tried("dies", "--groups", "1", "--local-size", "1",
                                 ASAN_OPTIONS="handle_segv=0:detect_leaks=0")
        self.assertEqual(found, [(1, "crash")])
        self.assertIn("while running a kernel (your file as it is): signal 11", note)
        self.assertRegex(note, "; the kernel itself may have done that$")




if __name__ == "__main__":
    gridlock_test.main()
