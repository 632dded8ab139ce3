"""gridlock prove: what is said of kernels whose truth is known, and how it is told."""
import json
import unittest

import gridlock_test
import prove_case
import schemas
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED
from prove_case import COUNTS_ROUND, EXIT_STOPPED, EXIT_SURPRISE, FOLDER, STANDARD

# Each need, race, fault and number of outcomes; test_prove_table.py has all rows.
QUICK = {
    "bugs/barrier_count.cl", "bugs/barrier_of_some.cl", "bugs/flag_bounds.cl", "bugs/grid_not_resident.cl",
    "bugs/group_predicate.cl", "bugs/lock_relaxed.cl", "bugs/notify_lost.cl", "bugs/seqlock.cl", "bugs/scan_reverse.cl",
    "plain/histogram.cl", "plain/reduce_no_barrier.cl", "plain/saxpy_bounds.cl", "plain/reverse_across_groups.cl",
}
PHILOSOPHERS = FOLDER / "bugs" / "philosophers.cl"
LOCK = FOLDER / "bugs" / "lock_relaxed.cl"


def without_times(value):
    """The JSON, but for durations and how busy others keep the machine."""
    if isinstance(value, dict):
        return {name: without_times(member) for name, member in value.items()
                if name not in ("duration_ns", "machine")}
    return [without_times(item) for item in value] if isinstance(value, list) else value


class Quick(prove_case.Case):
    def test_rows(self):
        rows = [row for row in prove_case.table() if row["file"] in QUICK]
        self.assertEqual({row["file"] for row in rows}, QUICK)
        self.check_rows(rows)


class Told(prove_case.Case):
    def text(self, *arguments, code=EXIT_OK):
        """With the ends of lines as spaces."""
        return " ".join(self.run_gridlock("prove", f"--build-options={STANDARD}", "-q", *map(str, arguments),
                                          code=code).out.split())

    def test_circle_is_told_by_lines(self):
        told = self.text(PHILOSOPHERS, "--kernel", "wrong", "--groups", "2", code=EXIT_SURPRISE)
        for words in ("2 groups of 1 wrong on every device", "only this is promised: each group gets turns (FAIR)",
                      "and then again and again:", "philosophers.cl:", "forks[0]", "forks[1]"):
            self.assertIn(words, told)

    def test_long_circle_is_told_from_its_last_steps(self):
        """Of a circle that is longer than what is kept of a way."""
        kernel = self.folder / "count.cl"
        kernel.write_text(COUNTS_ROUND)
        launch, = self.prove(kernel, "--groups", "2", code=EXIT_SURPRISE)
        stall = launch["stalls"][0]
        self.assertEqual((launch["verdict"], stall["model"]), ("wrong", "FAIR"))
        self.assertEqual((stall["circle"], len(stall["steps"])), (4096, 4096))
        self.assertGreaterEqual(stall["left_out"], 6000 - 4096)
        told = self.text(kernel, "--groups", "2", code=EXIT_SURPRISE)
        self.assertIn(f"({stall['left_out']} steps before) and then again and again: ({4096 - 24} steps before)", told)

    def test_race_names_both_lines(self):
        told = self.text(LOCK, "--kernel", "wrong", "--groups", "2", code=EXIT_SURPRISE)
        self.assertRegex(told, r"Data race: group \d \w+ sum\[0\] at lock_relaxed.cl:10, group \d \w+ sum\[0\] at "
                               r"lock_relaxed.cl:10; nothing orders them, and not both are atomic\.")
        self.assertIn("needs: started groups get turns (OBE); it has data races", told)

    def test_local_memory_that_nobody_has_written_has_no_number(self):
        kernel = self.folder / "made.cl"
        kernel.write_text("kernel void made(volatile global int *a)\n{\n    local int b[2];\n"
                          "    b[get_local_id(0)] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
                          "    while (b[1 - get_local_id(0)] == 0 && a[0] == 0)\n        ;\n}\n")
        told = self.text(kernel, "--groups", "2", "--local-size", "2", code=None)
        self.assertRegex(told, r"writes local memory of group \d\[\d\] at made.cl:4: unwritten becomes 0 ")
        self.assertIn(f"becomes {0xa5a5a5a5} ", self.made_up(f"global int *a)\n{{\n    a[0] = {0xa5a5a5a5}u;\n"
                                                            "    while (atomic_or(a, 0))\n        ;", code=None))

    def test_what_was_made_up_is_said(self):
        told = self.text(LOCK, "--kernel", "mended", "--groups", "2")
        self.assertIn("Made up: ", told)
        self.assertNotIn("What is wrong may be these", told)
        races = self.text(LOCK, "--kernel", "wrong", "--groups", "2", code=EXIT_SURPRISE)
        self.assertIn("What is wrong may be these: --arg says what the program gives", races)
        given = self.text(LOCK, "--kernel", "mended", "--groups", "2", "--arg", "lock=buffer:4", "--arg",
                          "sum=buffer:4")
        self.assertNotIn("Made up", given)

    def made_up(self, text, *options, code):
        kernel = self.folder / "made.cl"
        kernel.write_text(f"kernel void made({text}\n}}\n")
        told = self.run_gridlock("prove", str(kernel), "-q", "--budget=1200", *options, code=code).out
        return " ".join(told.split())

    def test_what_is_wrong_may_be_for_a_number_that_was_made_up(self):
        """Another one is made up; if that is as bad, it is no failure, for nobody knows the right one."""
        stride = "global int *a, int stride)\n{\n    a[get_global_id(0) * stride] = 1;"
        told = self.made_up(stride, "--groups", "2", code=EXIT_OK)
        self.assertRegex(told, "Unless it is for what is made up: made.cl:3: data race with made.cl:3 "
                               "Made up: a: 65536 zero bytes, stride: 16 ")
        told = self.made_up(stride.replace("* stride", "* (stride / 64)"), "--groups", "2", code=EXIT_STOPPED)
        self.assertIn("it has data races, unless it is for what is made up Data race", told)
        for always in (stride.replace("* stride", "/ 8 * stride"), stride.replace("* stride", "/ 8")):
            self.assertIn("it has data races Data race", self.made_up(always, "--groups", "2", code=EXIT_SURPRISE))
        told = self.made_up(stride, "--groups", "2", "--arg", "stride=0", code=EXIT_SURPRISE)
        self.assertIn("it has data races Data race", told)

    def test_a_number_that_nobody_uses_is_not_why(self):
        """It is made up, and that is said, as ever. Of kernels that call their bodies it is not known."""
        new = "global int *a)\n{\n#if __clang_major__ > 20\n    a[0] = get_global_id(0);\n#endif"
        if "it has data races" in self.made_up(new, "--groups=2", code=None):
            self.skipTest("so does this version of clang make them")
        race = "global int *count, global int *a, int unused)\n{\n    atomic_inc(count);\n    a[get_group_id(0)] = "
        lock = ("volatile global int *lock, global int *a, int unused)\n{\n"
                "    while (atomic_cmpxchg(lock, 0, 1) != 0)\n        ;\n    a[0] = ")
        for text, says in ((race + "count[0]", "it has data races{} Data race"),
                           (lock + "1", "wrong on every device{} It need not")):
            for more, code, doubt in (("", EXIT_SURPRISE, ""),
                                      (" + unused", EXIT_STOPPED, ", unless it is for what is made up")):
                told = self.made_up(f"{text}{more};", "--groups=2", code=code)
                self.assertIn(says.format(doubt), told)
                self.assertRegex(told, r"zero bytes, unused: \d+\. What is wrong may be these")

    def test_distances_in_two_directions_are_made_up_so_that_they_differ(self):
        lines = ("global int *a, int apart, int down, int n)\n{\n    for (int i = 0; i < n; ++i)\n"
                 "        a[get_global_id(0) * apart + i * down] = i;")
        told = self.made_up(lines, "--groups", "2", code=EXIT_OK)
        self.assertRegex(told, "Unless it is for what is made up: made.cl:4: data race with made.cl:4 "
                               "Made up: a: 65536 zero bytes, apart: 16, down: 17, n: 18")
        told = self.made_up(lines.replace("i * down", "i * apart"), "--groups", "2", code=EXIT_SURPRISE)
        self.assertIn("it has data races Data race", told)

    def test_what_is_large_for_a_number_is_not_explored_to_its_end(self):
        """With 0 all work-items do all to one place, in any order: another number is tried before that is known."""
        stride = ("global int *a, int stride)\n{\n    for (int k = 0; k < 4; k++)\n"
                  "        a[(16 * k + get_global_id(0)) * stride] = k;")
        options = ["--groups", "2", "--local-size", "8", "--budget", "20"]
        told = self.made_up(stride, *options, code=EXIT_OK)
        self.assertIn("stride: 16 ", told)
        self.assertIn("Unless it is for what is made up: made.cl:4: data race", told)
        told = self.made_up(stride, *options, "--arg", "stride=0", code=EXIT_SURPRISE)
        self.assertIn("it has data races Data race", told)

    def test_a_number_of_elements_is_made_up_so_that_there_are_some(self):
        """With none nothing would be accessed, and with one there would be no race."""
        guarded = "global int *a, int n)\n{\n    if ((int)get_global_id(0) < n)\n        "
        told = self.made_up(guarded + "a[get_global_id(0)] += 1;", "--groups", "2", code=EXIT_OK)
        self.assertIn("zero bytes, n: 16 ", told)
        self.assertNotIn("Unless", told)
        told = self.made_up(guarded + "a[get_global_id(0) / 2] += 1;", "--groups", "2", code=EXIT_SURPRISE)
        self.assertIn("it has data races Data race", told)
        told = self.made_up("int n)\n{\n    while (n-- > 0)\n        ;", "--groups", "2", code=EXIT_OK)
        self.assertIn("Made up: n: 0 ", told)

    def test_a_loop_over_elements_is_seen_with_some(self):
        """With a number of 0 all is right; with 16 more of the kernel runs, and that is the answer, or a doubt."""
        loop = ("global int *a, global int *sum, int n)\n{\n    atomic_inc(sum);\n"
                "    for (int i = get_global_id(0); i < n; i += get_global_size(0))\n        ")
        told = self.made_up(loop + "atomic_inc(&a[i % 2]);", "--groups", "3", code=EXIT_OK)
        self.assertIn("zero bytes, n: 16 ", told)
        self.assertNotIn("Unless", told)
        told = self.made_up(loop + "a[i % 2] += 1;", "--groups", "3", code=EXIT_STOPPED)
        self.assertIn("it has data races, unless it is for what is made up Data race", told)
        self.assertIn("zero bytes, n: 16. ", told)
        told = self.made_up(loop + "a[i] += 1;", "--groups", "3", "--arg", "n=0", code=EXIT_OK)
        self.assertNotIn("n: ", told)

    def test_elements_for_some_of_a_group_are_tried(self):
        """They meet at a barrier that the others do not come to: where the number is made up that is said."""
        some = "global int *a, int n)\n{\n    if ((int)get_global_id(0) < n)\n        barrier(CLK_GLOBAL_MEM_FENCE);"
        part = "made.cl:4: work-item (0, 0, 0) of group 1 waits at a barrier that others of its group never reach"
        told = self.made_up(some, code=EXIT_STOPPED)
        self.assertIn(f"2 groups of 2 wrong on every device, unless it is for what is made up: {part}", told)
        self.assertIn("n: 3. ", told)
        told = self.made_up(some, "--arg", "n=3", code=EXIT_SURPRISE)
        self.assertIn(f"2 groups of 2 wrong on every device: {part}", told)
        local = some.replace("int n)", "int n, local int *b)")
        told = self.made_up(local, "--arg", "n=3", code=EXIT_SURPRISE)
        self.assertIn(f"2 groups of 2 wrong on every device: {part}", told)
        self.made_up(some.replace("< n", "< n / 4 * 4"), code=EXIT_OK)

    def test_a_kernel_may_be_for_groups_of_one_size(self):
        """It never asks for the size, and adds up what more work-items would have written."""
        wide = "--build-options=-DWG=256"
        tree = ("global int *a, global int *b)\n{\n    local int t[WG];\n    int i = get_local_id(0);\n"
                "    t[i] = a[i];\n    for (int n = WG / 2; n > 0; n /= 2) {\n        barrier(CLK_LOCAL_MEM_FENCE);\n"
                "        if (i < n)\n            t[i] += t[i + n];\n    }\n"
                "    if (i == 0)\n        b[get_group_id(0)] = t[0];")
        wrong = "made.cl:9: work-item (0, 0, 0) of group"
        self.assertIn("wrong on every device, unless it is for what is made up: " + wrong,
                      self.made_up(tree, "--build-options=-DWG=2048", code=EXIT_STOPPED))
        self.assertIn("256 work-items of a group, for a number in its text",
                      " ".join(self.made_up(tree, wide, code=EXIT_OK).split()))
        self.assertIn("wrong on every device: " + wrong,
                      self.made_up(tree, wide, "--local-size", "2", code=EXIT_SURPRISE))
        given = tree.replace("int *b)", "int *b, local int *t)").replace("    local int t[WG];\n", "")
        self.assertIn("wrong on every device, unless it is for what is made up: made.cl:8: work-item (0, 0, 0)",
                      self.made_up(given, wide, "--arg", "t=local:1024", code=EXIT_STOPPED))
        asks = tree.replace("n = WG / 2", "n = get_local_size(0) * WG / 2")
        self.assertIn("wrong on every device: ", self.made_up(asks, wide, code=EXIT_SURPRISE))
        self.made_up(tree, "--build-options=-DWG=2", "--local-size", "2", code=EXIT_OK)
        told = self.made_up(tree.replace("WG / 2", "0").replace("get_group_id(0)", "get_group_id(0) / 4"), wide,
                            code=EXIT_STOPPED)
        self.assertIn("it has data races, unless it is for what is made up", told)
        told = self.made_up(tree.replace("t[i] = a[i]", "t[i / 2] = a[i]").replace("WG / 2", "0"), wide,
                            code=EXIT_SURPRISE)
        self.assertIn("it has data races Data race", told)

    def test_a_kernel_may_be_for_a_number_of_groups(self):
        """It never asks how many there are, and waits for as many as it has in mind."""
        wait = ("volatile global int *count, global int *out)\n{\n    atomic_inc(count);\n"
                "    while (atomic_or(count, 0) < N)\n        ;\n    out[get_global_id(0)] = 1;")
        told = self.made_up(wait, "--build-options=-DN=8", code=EXIT_OK)
        self.assertIn("made.cl:made, 2 groups of 1 (explored: 8 groups of 1) needs: all 8 groups resident (FAIR)", told)
        self.assertIn("8 groups, for it never ends with fewer", told)
        self.assertIn("(explored: 4 groups of 1) needs: all 4 groups resident (FAIR); it has data races Data race",
                      self.made_up(wait.replace("get_global_id(0)", "0"), "--build-options=-DN=4", code=EXIT_SURPRISE))
        told = self.made_up(wait, "--build-options=-DN=100", code=EXIT_STOPPED)
        self.assertIn("wrong on every device, unless it is for what is made up It need not", told)
        self.assertIn("2 groups, though none asks how many there are", told)
        slots = (wait.replace("atomic_inc(count)", "count[get_group_id(0)] = 1")
                 .replace("count, 0) < N", "count + 9, 0) == 0"))
        set_by_host = wait.replace("atomic_or(count, 0) < N", "atomic_or(out, 0) == 0").replace("*out", "*volatile out")
        for doubtful in (slots, set_by_host):
            self.assertIn("wrong on every device, unless it is for what is made up It need not",
                          self.made_up(doubtful, code=EXIT_STOPPED))
        for wrong, more in ((wait, ("--build-options=-DN=8", "--groups=2")),
                            (wait.replace("< N", "< (int)get_num_groups(0) + 1"), ()),
                            (slots, ("--groups=2",))):
            told = self.made_up(wrong, *more, code=EXIT_SURPRISE)
            self.assertIn("wrong on every device It need not", told)
            self.assertNotIn("how many", told)

    def test_what_is_wrong_may_be_for_what_buffers_have(self):
        begins = "global int *a, global const int *at)\n{\n    "
        for line in ("a[at[get_global_id(0)]] = 1;",
                     "for (int i = 0; i < 4; ++i)\n        a[at[get_global_id(0)] + i] = 1;",
                     "for (int i = 0; i < 4; ++i)\n        a[at[get_global_id(0)] + i] = n;"):
            kernel = begins.replace("at)", "at, int n)") if "= n" in line else begins
            told = self.made_up(kernel + line, code=EXIT_STOPPED)
            self.assertIn("it has data races, unless it is for what is made up Data race", told)
        self.assertIn("it has data races Data race",
                      self.made_up(begins + "a[min(at[get_global_id(0)], 0)] = get_global_id(0);", code=EXIT_SURPRISE))

    def test_a_lock_that_nobody_gives_back_is_wrong_for_any_number(self):
        """Also where it is taken twice; but not if the host may have been the one to give it first."""
        lock = ("volatile global int *lock, global int *out)\n{\n    while (atomic_cmpxchg(lock, 0, 1) != 0)\n"
                "        ;\n    out[0] += 1;")
        for wrong in (lock, lock.replace("out[0] += 1;", "while (atomic_cmpxchg(lock, 0, 1) != 0)\n        ;")):
            self.assertIn("wrong on every device It need not", self.made_up(wrong, code=EXIT_SURPRISE))
        told = self.made_up(lock.replace("lock, 0, 1) != 0", "lock, 1, 0) != 1"), code=EXIT_STOPPED)
        self.assertIn("of which none changes lock", told)

    def test_an_access_a_little_outside_of_a_buffer_is_in_no_other_one(self):
        copy = "global int *a, global int *b)\n{\n    int i = get_global_id(0);\n    a[i] = b[INDEX];"
        given = ("--arg", "a=buffer:65536", "--arg", "b=buffer:65536", "--groups", "2")
        for index, doubt in (("i - 1", "without an offset of global ids"), ("i + 16384", "which may be larger")):
            outside = "made.cl:4: work-item (0, 0, 0) of group 0 reads outside of what the kernel was given"
            told = self.made_up(copy.replace("INDEX", index), code=EXIT_STOPPED)
            self.assertIn(f"wrong on every device, unless it is for what is made up: {outside}", told)
            self.assertIn(f"zero bytes, {doubt}. ", told)
            told = self.made_up(copy.replace("INDEX", index), *given, code=EXIT_SURPRISE)
            self.assertIn(f"wrong on every device: {outside}", told)
        for index in ("i - 1000000000", "i + 1000000000"):
            self.made_up(copy.replace("INDEX", index), code=EXIT_SURPRISE)
        self.made_up(copy.replace("INDEX", "16383 - i"), code=EXIT_OK)

    def test_what_is_looked_for_in_a_buffer_may_be_there(self):
        """A word that is -1 is free; in zeros there is none, up to their end."""
        claim = ("volatile global int *owner, global int *out)\n{\n    int at = 0;\n"
                 "    while (atomic_cmpxchg(&owner[at], FREE, get_global_id(0) + 1) != FREE)\n        at++;\n"
                 "    out[get_global_id(0)] = at;")
        told = self.made_up(claim, "--build-options=-DFREE=-1", "--groups=2", code=EXIT_STOPPED)
        self.assertIn("which may be -1", told)
        self.made_up(claim, "--build-options=-DFREE=-2", "--groups=2", code=EXIT_SURPRISE)
        self.made_up(claim, "--build-options=-DFREE=0", "--groups=2", code=EXIT_OK)

    def test_what_some_only_look_at_may_be_there(self):
        """Where others have ended; but what one of them has changed is as it left it."""
        walk = ("global const int *next, global int *a)\n{\n    int me = get_global_id(0);\n"
                "    for (int at = me == 0 ? END : next[me]; at != END; at = next[at])\n        ;\n    a[me] = 1;")
        told = self.made_up(walk, "--build-options=-DEND=-1", code=EXIT_STOPPED)
        self.assertIn("wrong on every device, unless it is for what is made up It need not", told)
        self.assertIn("which may be -1. ", told)
        for end, more in ((-1, ("--groups=2",)), (-2, ())):
            told = self.made_up(walk, f"--build-options=-DEND={end}", *more, code=EXIT_SURPRISE)
            self.assertIn("wrong on every device It need not", told)
        lost = ("volatile global int *on)\n{\n    if (get_group_id(0) == 0)\n        atomic_xchg(on, 2);\n    else\n"
                "        while (atomic_or(on, 0) != -1)\n            ;")
        self.assertIn("wrong on every device It need not", self.made_up(lost, code=EXIT_SURPRISE))

    def test_a_kernel_with_atomics_may_have_indices_in_buffers(self):
        place = ("global const int *at, global int *a, volatile global int *count)\n{\n    int me = get_global_id(0);\n"
                 "    a[at[me]] = me;\n    atomic_inc(count);")
        told = self.made_up(place, "--groups=2", code=EXIT_STOPPED)
        self.assertIn("it has data races, unless it is for what is made up Data race", told)
        self.assertIn("which may be indices. ", told)
        self.assertIn("it has data races Data race",
                      self.made_up(place.replace("at[me]", "at[me] / 4"), "--groups=2", code=EXIT_SURPRISE))

    def test_a_kernel_may_be_for_one_group_though_it_asks_for_global_ids(self):
        """Its work-items meet between what they do, and nobody asks which group it is, or how many there are."""
        one = ("global int *a, global int *sum)\n{\n    int i = get_global_id(0), me = get_local_id(0);\n"
               "    a[i] += 1;\n    barrier(CLK_GLOBAL_MEM_FENCE);\n    if (me == 0)\n        sum[0] = a[i];")
        told = self.made_up(one, code=EXIT_STOPPED)
        self.assertIn("it has data races, unless it is for what is made up Data race", told)
        self.assertIn("zero bytes, more than one group. ", told)
        self.assertIn("zero bytes, more than one group. ",
                      self.made_up(one.replace("= a[i]", "= a[i] / get_global_size(0)"), code=EXIT_STOPPED))
        for wrong in (one.replace("a[i];", "a[get_group_id(0)];"), one.replace("if (me == 0)", ""),
                      one.replace("sum[0] = a[i]", "sum[0] = a[i] + get_num_groups(0)")):
            self.assertIn("it has data races Data race", self.made_up(wrong, code=EXIT_SURPRISE))
        self.assertIn("it has data races Data race", self.made_up(one, "--groups=2", code=EXIT_SURPRISE))

    def test_a_kernel_may_be_for_one_work_item_though_it_asks_for_its_id(self):
        first = "global int *a, global int *b)\n{\n    int me = get_global_id(0);\n    a[0] = 1;\n    a[1] = me;"
        told = self.made_up(first, code=EXIT_STOPPED)
        self.assertIn("zero bytes, more than one work-item. ", told)
        for wrong in (first.replace("= me", "+= me"), first.replace("= me", "= b[me]")):
            self.assertIn("it has data races Data race", self.made_up(wrong, code=EXIT_SURPRISE))
        self.assertIn("it has data races Data race", self.made_up(first, "--groups=2", code=EXIT_SURPRISE))

    def test_groups_of_which_the_text_says_the_number_are_tried(self):
        """A group that is only there if there are as many, or one more."""
        late = ("global int *a, global int *b)\n{\n    int me = get_group_id(0);\n    if (me == 5)\n"
                "        b[0] = a[4];\n    a[me] = me;")
        told = self.made_up(late, code=EXIT_STOPPED)
        self.assertIn("(explored: 6 groups of 1) ends on every device; it has data races, unless it is for what is",
                      told)
        self.assertIn("6 groups, for a number in its text. ", told)
        self.made_up(late.replace("a[4]", "a[me]"), code=EXIT_OK)
        last = ("global int *a, volatile global int *count, global int *out)\n{\n    int me = get_group_id(0);\n"
                "    atomic_xchg(&a[me], 1);\n    if (atomic_inc(count) == 4 - 1)\n        out[0] = READ;")
        told = self.made_up(last.replace("READ", "atomic_or(&a[0], 0) + atomic_or(&a[3], 0)"), code=EXIT_OK)
        self.assertNotIn("5 groups", told)
        self.made_up(last.replace("READ", "a[0]"), code=EXIT_STOPPED)
        self.made_up(late, "--groups=2", code=EXIT_OK)

    def test_a_kernel_of_two_dimensions_has_groups_in_both(self):
        swap = ("global int *a, int n)\n{\n    int x = get_global_id(0), y = get_global_id(1);\n"
                "    if (x < n && y < nGUARD) {\n        int t = a[y * n + x];\n        a[y * n + x] = a[x * n + y];\n"
                "        a[x * n + y] = t;\n    }")
        told = self.made_up(swap.replace("GUARD", ""), "-o", "made.gridlock", code=EXIT_SURPRISE)
        self.assertIn("(explored: 4 groups of 1) ends on every device; it has data races", told)
        self.assertIn("groups two in each of two dimensions. ", told)
        repeat = self.repeated()
        self.assertEqual(repeat[repeat.index("--groups") + 1], "2x2")
        self.made_up(swap.replace("GUARD", " && x < y"), code=EXIT_OK)
        deep = ("global int *a, int n)\n{\n    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                "    if (x < nGUARD) {\n        int t = a[(z * n + y) * n + x];\n"
                "        a[(z * n + y) * n + x] = a[(x * n + y) * n + z];\n        a[(x * n + y) * n + z] = t;\n    }")
        told = self.made_up(deep.replace("GUARD", ""), "-o", "deep.gridlock", code=EXIT_SURPRISE)
        self.assertIn("groups two in each of three dimensions. ", told)
        self.made_up(deep.replace("GUARD", " && x < z"), code=EXIT_OK)

    def test_large_groups_are_fewer(self):
        """Of groups with so many work-items one is explored, which proves nothing of several; two if asked for."""
        one = ("global int *a)\n{\n    local int s[64];\n    int me = get_local_id(0);\n    s[me] = a[me];\n"
               "    barrier(CLK_LOCAL_MEM_FENCE);\n    a[INDEX] = s[63 - me];")
        self.folder.joinpath("one.cl").write_text(
            "__attribute__((reqd_work_group_size(64, 1, 1))) kernel void one(" + one.replace("INDEX", "me") +
            "\n}\n")
        told = " ".join(self.run_gridlock("prove", "one.cl", "-q", code=EXIT_STOPPED).out.split())
        self.assertIn("one.cl:one, 2 groups of 64 (explored: 1 group of 64) not refuted; what was explored ends", told)
        self.assertIn("all of them, but of a launch that shows too little", told)
        told = self.run_gridlock("prove", "one.cl", "-q", "--groups=2", code=EXIT_SURPRISE).out
        self.assertIn("it has data races\n", told)
        self.folder.joinpath("one.cl").write_text(
            "__attribute__((reqd_work_group_size(64, 1, 1))) kernel void one(" +
            one.replace("    barrier", "    if (me < 32)\n        barrier").replace("INDEX", "me") + "\n}\n")
        told = self.run_gridlock("prove", "one.cl", "-q", code=EXIT_SURPRISE).out
        self.assertIn("up to the first fault", told, "one launch by lot shows it")

    def test_a_launch_that_does_nothing_proves_nothing(self):
        """Whatever its numbers are; other ones that are tried are far apart."""
        never = ("global int *a, int from, int n)\n{\n    int i = get_global_id(0) + from;\n    if (CONDITION)\n"
                 "        ")
        told = self.made_up(never.replace("CONDITION", "from > 100") + "a[i] = 1;", code=EXIT_STOPPED)
        self.assertIn("not refuted; what was explored ends on every device", told)
        told = self.made_up(never.replace("CONDITION", "i + 1 < n") + "a[i] = i;", code=EXIT_OK)
        self.assertIn("from: 16, n: 20 ", told)
        told = self.made_up(never.replace("CONDITION", "i + 1 < n") + "a[i] = a[i + 1];", code=EXIT_STOPPED)
        self.assertIn("it has data races, unless it is for what is made up", told)

    def test_a_loop_that_does_not_end_may_be_for_what_buffers_have(self):
        loop = ("global const int *at, global int *a)\n{\n    int i = 9;\n    while (i != at[0])\n        i ^= 1;\n"
                "    a[0] = i;")
        told = self.made_up(loop, "--groups=2", code=EXIT_STOPPED)
        self.assertIn("wrong on every device, unless it is for what is made up: made.cl:", told)
        for always, more in ((loop, ("--arg=at=buffer:4", "--arg=a=buffer:4")), (loop.replace("at[0]", "8192"), ())):
            told = self.made_up(always, "--groups=2", *more, code=EXIT_SURPRISE)
            self.assertIn("wrong on every device: made.cl:", told)

    def test_groups_of_a_kernel_that_asks_for_the_second_dimension_alone_are_there(self):
        rows = "global int *a, int n)\n{\n    a[get_global_id(1)] += n;"
        self.assertIn("groups in the second dimension", self.made_up(rows, code=EXIT_OK))
        planes = rows.replace("(1)", "(2)")
        self.assertIn("groups in the third dimension", self.made_up(planes, code=EXIT_OK))
        for wrong in (rows.replace("(1)]", "(1) / 8]"), rows.replace("(1)", "(1) + get_global_id(0) / 8")):
            self.assertIn("it has data races Data race", self.made_up(wrong, code=EXIT_SURPRISE))

    def test_locks_of_each_group_s_own_are_zero(self):
        """Nobody else accesses them; a word that is no lock may be anything."""
        own = "global int *lock, global int *c)\n{\n    const int own = get_group_id(0);\n    "
        told = self.made_up(own + "while (atomic_xchg(&lock[own], 1))\n        ;\n    c[own]++;\n"
                            "    atomic_xchg(&lock[own], 0);", "--groups", "2", code=EXIT_OK)
        self.assertIn("ends on every device", told)
        self.assertNotIn("not zero", told)
        told = self.made_up(own + "while (lock[own] == 7)\n        ;\n    c[lock[own] & 1]++;", "--groups", "2",
                            code=None)
        self.assertIn("data race", told)

    def test_words_that_others_wait_for_are_zero(self):
        wait = "global atomic_uint *on)\n{\n    while (atomic_load(&on[get_group_id(0) + 1]) == 0)\n        ;"
        self.assertIn("wrong on every device It need",
                      self.made_up(wait, f"--build-options={prove_case.STANDARD}", "--groups=2",
                                   code=EXIT_SURPRISE))
        self.assertIn("wrong on every device, unless it is for what is made up It need",
                      self.made_up(wait, f"--build-options={prove_case.STANDARD}", code=EXIT_STOPPED))

    def test_local_memory_is_made_up_for_a_border(self):
        tile = ("global int *a, local int *tile)\n{\n    tile[get_local_id(0) + 800] = 1;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n    a[get_global_id(0)] = tile[get_local_id(0) + 800];")
        self.assertIn("tile: 16384 bytes of local memory", self.made_up(tile, code=EXIT_OK))
        self.assertIn("outside of what the kernel was given",
                      self.made_up(tile, "--arg", "tile=local:8", code=EXIT_SURPRISE))

    def test_the_size_of_local_memory_makes_no_race(self):
        """But indices that a buffer may have can be why there is none."""
        swap = ("global int *a, local int *tile)\n{\n    int me = get_local_id(0);\n"
                "    tile[me] = a[get_global_id(0)];\n    a[get_global_id(0)] = tile[1 - me];")
        alone = ("--groups", "1", "--local-size", "2")
        told = self.made_up(swap, *alone, code=EXIT_SURPRISE)
        self.assertIn("it has data races Data race", told)
        self.assertIn("tile: 8 bytes of local memory", told)
        told = self.made_up(swap.replace("tile[me]", "tile[a[me]]").replace("tile[1 - me]", "tile[a[me]]"), *alone,
                            code=EXIT_STOPPED)
        self.assertIn("it has data races, unless it is for what is made up Data race", told)

    def test_images_have_neighbours(self):
        """Of one pixel only one work-item would access any."""
        smooth = ("read_write image2d_t image)\n{\n    int x = get_global_id(0);\n"
                  "    if (x > 0 && x < get_image_width(image))\n"
                  "        write_imagef(image, (int2)(x, 0), read_imagef(image, (int2)(x BEFORE, 0)));")
        options = [f"--build-options={STANDARD}", "--groups", "3"]
        told = self.made_up(smooth.replace("BEFORE", "- 1"), *options, code=EXIT_SURPRISE)
        self.assertRegex(told, r"it has data races Data race: group \d \w+ image\[1\] at made.cl:5")
        self.assertIn("Made up: image: an image of 16 pixels in each dimension", told)
        self.assertNotIn("race", self.made_up(smooth.replace("BEFORE", ""), *options, code=EXIT_OK))

    def test_groups_are_made_up_in_two_dimensions(self):
        column = ("global int *a, local int *row)\n{\n    row[get_local_id(1)] = 1;\n"
                  "    a[get_global_id(0) + 8 * get_global_id(1)] = row[get_local_id(1)];")
        self.assertIn("work-items of a group in the second dimension", self.made_up(column, code=EXIT_OK))
        self.assertIn("it has data races Data", self.made_up(column, "--local-size", "2", "--arg", "row=local:64",
                                                             code=EXIT_SURPRISE))

    def test_functions_of_the_group_ask_for_no_second_dimension(self):
        """They have the ids of all dimensions, which is not to say that the kernel is for several."""
        row = ("global int *a)\n{\n    if (get_local_id(0) > 0)\n        a[0] = 1;\n"
               "    a[get_local_linear_id() + 2 * get_group_id(0)] += work_group_reduce_add(1);")
        row = [row, f"--build-options={STANDARD}", "--groups", "2"]
        self.assertIn("it has data races Data", self.made_up(*row, "--local-size", "2", code=EXIT_SURPRISE))
        told = self.made_up(*row, code=EXIT_SURPRISE)
        self.assertNotIn("second dimension", told)

    def test_groups_are_in_one_row(self):
        wave = ("global atomic_uint *a)\n{\n    if (get_group_id(DIMENSION) > 0)\n        while (atomic_load(a) == 0)\n"
                "            ;\n    atomic_store(a, 1);")
        for dimension, is_said in (("1", True), ("0", False)):
            told = self.made_up(wave.replace("DIMENSION", dimension), f"--build-options={STANDARD}", code=EXIT_OK)
            self.assertEqual("groups in the first dimension alone" in told, is_said)

    def repeated(self):
        """The command by which explain says that the launch of the last run is repeated."""
        return self.run_gridlock("explain", "made.gridlock").out.split("Repeat it")[1].split()

    def test_a_second_dimension_is_tried(self):
        """In one row nothing is above."""
        row = "global int *a)\n{\n    int x = get_global_id(0), y = get_global_id(1);\n    a[8 * y + x] = BEFORE;"
        above = row.replace("BEFORE", "y > 0 ? a[8 * (y - 1) + x] : 0")
        told = self.made_up(above, "-o", "made.gridlock", code=EXIT_SURPRISE)
        self.assertIn("it has data races Data race: group 0 writes a[0] at made.cl:4, group 1 reads a[0]", told)
        self.assertIn("zero bytes, groups in the second dimension.", told)
        repeat = self.repeated()
        self.assertEqual(repeat[repeat.index("--groups") + 1], "1x2")
        self.made_up(above, "--groups", "2", code=EXIT_OK)
        self.assertIn("groups in the first dimension alone", self.made_up(row.replace("BEFORE", "1"), code=EXIT_OK))

    def test_four_work_items_are_tried(self):
        """Of two each one adds what it has written itself; a small array may be for two."""
        tree = ("global int *a, local int *s)\n{\n    int me = get_local_id(0);\n    s[me] = a[get_global_id(0)];\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int by = get_local_size(0) / 2; by > 0; by /= 2) {\n"
                "        if (me < by)\n            s[me] += s[me + by];\n        MEET\n    }\n"
                "    if (me == 0)\n        a[get_global_id(0)] = s[0];")
        told = self.made_up(tree.replace("MEET", ""), "-o", "made.gridlock", code=EXIT_SURPRISE)
        self.assertIn("it has data races Data race: group 0, work-item ", told)
        self.assertIn(" bytes of local memory, 4 work-items of a group.", told)
        repeat = self.repeated()
        self.assertEqual(repeat[repeat.index("--local-size") + 1], "4")
        self.made_up(tree.replace("MEET", ""), "--local-size", "2", code=EXIT_OK)
        self.made_up(tree.replace("MEET", "barrier(CLK_LOCAL_MEM_FENCE);"), code=EXIT_OK)
        self.made_up("global int *a)\n{\n    local int s[4];\n    int me = get_local_id(0);\n"
                     "    s[2 * me] = s[2 * me + 1] = 1;\n    a[get_global_id(0)] = s[2 * me];", code=EXIT_OK)

    def test_a_kernel_that_asks_for_no_id_is_launched_once(self):
        task = "global int *a)\n{\n    a[0] += 1;"
        self.assertIn("one group, for none asks which one it is", self.made_up(task, code=EXIT_OK))
        self.assertIn("it has data races Data", self.made_up(task, "--groups", "2", code=EXIT_SURPRISE))

    def test_groups_have_their_ids(self):
        """However many there are: each waits for the one before it, or for the one behind it."""
        kernel = self.folder / "chain.cl"
        kernel.write_text("kernel void chain(global atomic_uint *done)\n{\n"
                          "    uint me = get_group_id(0), after = me + STEP;\n"
                          "    while (after < get_num_groups(0) && atomic_load(&done[after]) == 0)\n        ;\n"
                          "    atomic_store(&done[me], 1);\n}\n")
        groups = ("--groups", "2,3,4,5,6,7")
        for launch in self.prove(kernel, *groups, build=f"{STANDARD} -DSTEP=-1"):
            with self.subTest(groups=launch["groups"]):
                self.assertEqual(launch["needs"], "needs: the lowest group gets turns (HSA)")
        for launch in self.prove(kernel, *groups, build=f"{STANDARD} -DSTEP=1"):
            with self.subTest(groups=launch["groups"]):
                self.assertEqual(launch["needs"], f"needs: all {launch['groups']} groups resident (FAIR)")
                told = [step["line"] for step in launch["stalls"][0]["steps"]]
                self.assertEqual(set(told), {"chain.cl:4"})

    def test_no_list_is_cut(self):
        """Neither lines, of which one begins as another one does, nor arguments."""
        kernel = self.folder / f"{'long' * 25}.cl"
        names = [f"{'argument' * 3}{i}" for i in range(12)]
        order = "memory_order_relaxed, memory_scope_device"
        kernel.write_text(f"kernel void buffers({', '.join(f'global atomic_int *{name}' for name in names)})\n{{\n"
                          f"global int *seen = (global int *){names[2]};\nif (get_group_id(0) == 0) {{\n"
                          f"#line 12\natomic_store_explicit({names[0]}, 1, {order});\n"
                          f"seen[0] = atomic_load_explicit({names[1]}, {order});\n}} else {{\n"
                          f"#line 1\natomic_store_explicit({names[1]}, 1, {order});\n"
                          f"seen[1] = atomic_load_explicit({names[0]}, {order});\n}}\n}}\n")
        launch, = self.prove(kernel, "--groups", "2")
        self.assertEqual(sorted(launch["sequential"].split(", ")),
                         sorted(f"{kernel.name}:{line}" for line in (1, 2, 12, 13)))
        self.assertEqual(launch["made_up"], ", ".join(f"{name}: 65536 zero bytes" for name in names))

    def test_two_and_three_groups_are_usual(self):
        launches = self.prove(LOCK, "--kernel", "mended")
        self.assertEqual([launch["groups"] for launch in launches], [2, 3])

    def test_same_again(self):
        """Nothing is left to chance, nor to the time of day."""
        command = ("prove", str(PHILOSOPHERS), f"--build-options={STANDARD}", "--format", "json", "-q")
        first, second = (self.run_gridlock(*command, code=EXIT_SURPRISE).json() for _ in range(2))
        self.assertEqual(without_times(first), without_times(second))
        self.assertEqual([launch["verdict"] for launch in first["devices"][0]["launches"]],
                         ["wrong", "wrong", "proved", "proved"])

    def test_arguments_by_number_and_name(self):
        numbers, names = (self.prove(LOCK, "--kernel", "mended", "--groups", "2", "--arg", f"{lock}=buffer:4",
                                     "--arg", f"{data}=buffer:4=zero") for lock, data in ((0, 1), ("lock", "sum")))
        self.assertEqual(without_times(numbers), without_times(names))

    def test_buffer_from_a_file(self):
        """What the file has decides where the launch goes."""
        kernel = self.folder / "gate.cl"
        kernel.write_text("kernel void gate(global uint *a, global uint *b)\n{\n    if (a[1] == 7)\n        b[0] = 1;\n"
                          "    else if (get_group_id(0) == 0)\n        b[0] = 1;\n}\n")
        (self.folder / "seven").write_bytes(bytes(4) + (7).to_bytes(4, "little"))
        for fill, verdict in (("file:seven", "race"), ("zero", "proved"), ("seq", "proved")):
            with self.subTest(fill):
                launch, = self.prove(kernel, "--groups", "2", "--arg", f"a=buffer:8={fill}", code=None)
                self.assertEqual(launch["verdict"], verdict)


class Statuses(prove_case.Case):
    LARGE = (str(FOLDER / "dat3m" / "ticketlock.cl"), "--groups", "4", "--local-size", "2", "--memory", "1")

    def test_memory_is_used_up(self):
        """What is not refuted is not proved."""
        launch, = self.prove(*self.LARGE, code=EXIT_STOPPED)
        self.assertEqual((launch["verdict"], launch["explored"]), ("not-refuted", "memory"))
        self.assertLess(launch["known_states"], launch["states"])

    def test_fails_on(self):
        proved = ("prove", str(LOCK), f"--build-options={STANDARD}", "--kernel", "mended", "--groups", "2", "-q")
        self.run_gridlock(*proved, "--fail-on", "proved", code=EXIT_SURPRISE)
        self.run_gridlock(*proved, "--fail-on", "race,wrong")
        self.run_gridlock("prove", *self.LARGE, f"--build-options={STANDARD}", "-q", "--fail-on", "not-refuted",
                          code=EXIT_SURPRISE)

    def test_exit_zero(self):
        self.run_gridlock("prove", str(PHILOSOPHERS), f"--build-options={STANDARD}", "--groups", "2", "--exit-zero")

    def test_too_many_work_items(self):
        launch, = self.prove(LOCK, "--kernel", "mended", "--groups", "2", "--local-size", "64", code=EXIT_UNSUPPORTED)
        self.assertEqual(launch["verdict"], "none")
        self.assertIn("2 groups of 64 work-items are too many", launch["note"])


@unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
class Schemas(prove_case.Case):
    def test_json(self):
        """Of each verdict but one whose memory was used up."""
        path = str(self.folder / "a.run")
        files = [str(FOLDER / name) for name in ("bugs/philosophers.cl", "bugs/lock_relaxed.cl",
                                                 "bugs/barrier_of_some.cl")]
        (self.folder / "broken.cl").write_text("kernel void broken(\n")
        self.run_gridlock("prove", *files, "broken.cl", f"--build-options={STANDARD}", "--groups", "2", "--local-size",
                          "2", "-q", "-o", path, code=EXIT_SURPRISE)
        document = self.run_gridlock("report", path, "--format", "json", code=EXIT_SURPRISE).json()
        schemas.validator("prove").validate(document)
        launches = document["devices"][0]["launches"]
        self.assertEqual({launch["verdict"] for launch in launches}, {"proved", "race", "wrong", "fault", "none"})
        lines = [json.loads(line) for line in
                 self.run_gridlock("report", path, "--format", "jsonl", code=EXIT_SURPRISE).out.splitlines()]
        for line in lines:
            schemas.validator("jsonl").validate(line)
        self.assertEqual([line["id"] for line in lines if line["type"] == "launch"],
                         [launch["id"] for launch in launches])


if __name__ == "__main__":
    gridlock_test.main()
