"""The status line of a long run: on a terminal alone, and never among the results."""
import gridlock_test


class Progress:
    COMMAND, LINE, WORD = None, None, None

    def shown(self, *options):
        """What a terminal at stderr gets, and stdout."""
        return self.on_terminal("stderr", *self.COMMAND, *options, POCL_MAX_PTHREAD_COUNT=2)

    def test_terminal(self):
        seen, out = self.shown()
        self.assertRegex(seen, r"\r\x1b\[K" + self.LINE)
        self.assertNotIn("\x1b", out)
        self.assertTrue(seen.rstrip().endswith("\x1b[K"), repr(seen[-80:]))

    def test_none(self):
        for options in (["--progress", "none"], ["-q"]):
            with self.subTest(options=options):
                self.assertNotIn(self.WORD, self.shown(*options)[0])

    def test_no_terminal(self):
        result = self.run_gridlock(*self.COMMAND, POCL_MAX_PTHREAD_COUNT=2)
        self.assertNotIn("\x1b", result.err + result.out)
        self.assertNotIn(self.WORD, result.err)

    def test_bad_value(self):
        result = self.run_gridlock(*self.COMMAND, "--progress", "html", code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "--progress html")


class Run(Progress, gridlock_test.Case):
    COMMAND = ["run", "barrier_central", "barrier_sense", "barrier_tree", "-d", "pocl"]
    LINE = r"\d+/\d+ points, [\d.]+/s, \d+:\d\d left, 0 surprises"
    WORD = "points,"


class Prove(Progress, gridlock_test.Case):
    """One launch does not end in each schedule, which counts as failed; others do."""
    COMMAND = ["prove", "one.cl", "--groups", ",".join(map(str, range(1, 33))), "--exit-zero"]
    LINE = r"\d+/32 launches, [\d.]+/s, \d+:\d\d left, 1 failed"
    WORD = "launches,"

    def setUp(self):
        super().setUp()
        # Each work-item computes long enough that all of them together take some of the line's periods on any machine.
        (self.folder / "one.cl").write_text(
            "kernel void one(global uint *a)\n{\n    uint x = get_group_id(0);\n"
            "    for (int i = 0; i < 1000000; ++i)\n        x = x * 1664525 + (x >> 3);\n"
            "    a[get_num_groups(0) == 1 ? 1 << 28 : get_group_id(0)] = x;\n}\n")


class Limits(Progress, gridlock_test.Case):
    COMMAND = ["limits", "-d", "pocl", "--local-size", "1,2,4,8", "--iterations", "5"]
    LINE = r"footprint [1-4]/4, \d+ trials?, [\d.]+/s, 0 surprises"
    WORD = "footprint"

    def test_footprints_of_the_shard_are_counted(self):
        seen, out = self.shown("--shard", "0/2")
        rows = len([line for line in out.splitlines() if line[:6].strip().isdigit()])
        self.assertIn(rows, (1, 2, 3), out)
        self.assertRegex(seen, rf"footprint [1-{rows}]/{rows}, ")


if __name__ == "__main__":
    gridlock_test.main()
