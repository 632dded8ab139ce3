"""The status line of a long run: on a terminal alone, and never among the results."""
import gridlock_test


class Progress(gridlock_test.Case):
    COMMAND = ["run", "barrier_*", "-d", "pocl"]

    def shown(self, *options):
        """What a terminal at stderr gets, and stdout."""
        return self.on_terminal("stderr", *self.COMMAND, *options, POCL_MAX_PTHREAD_COUNT=2)

    def test_terminal(self):
        seen, out = self.shown()
        self.assertRegex(seen, r"\r\x1b\[K\d+/\d+ points, [\d.]+/s, \d+:\d\d left, 0 surprises")
        self.assertNotIn("\x1b", out)
        self.assertTrue(seen.rstrip().endswith("\x1b[K"), repr(seen[-80:]))

    def test_none(self):
        for options in (["--progress", "none"], ["-q"]):
            with self.subTest(options=options):
                self.assertNotIn("points,", self.shown(*options)[0])

    def test_no_terminal(self):
        result = self.run_gridlock(*self.COMMAND, POCL_MAX_PTHREAD_COUNT=2)
        self.assertNotIn("\x1b", result.err + result.out)
        self.assertNotIn("points,", result.err)

    def test_bad_value(self):
        result = self.run_gridlock(*self.COMMAND, "--progress", "html", code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "--progress html")


if __name__ == "__main__":
    gridlock_test.main()
