"""The status line of a long run: on a terminal alone, and never among the results."""
import os
import pty
import subprocess

import gridlock_test


class Progress(gridlock_test.Case):
    COMMAND = ["run", "barrier_*", "-d", "pocl"]

    def on_terminal(self, *options):
        """What a terminal at stderr gets, and stdout."""
        parent, child = pty.openpty()
        results = self.folder / "results"
        with results.open("wb") as out:
            process = subprocess.Popen([gridlock_test.PROGRAM, *self.COMMAND, *options], stdout=out, stderr=child,
                                       env=self.environment(POCL_MAX_PTHREAD_COUNT=2), cwd=self.folder)
        os.close(child)
        seen = b""
        while True:
            try:
                part = os.read(parent, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            seen += part
        os.close(parent)
        self.assertEqual(process.wait(), 0)
        return seen.decode(), results.read_text(encoding="utf-8")

    def test_terminal(self):
        seen, out = self.on_terminal()
        self.assertRegex(seen, r"\r\x1b\[K\d+/\d+ points, [\d.]+/s, \d+:\d\d left, 0 surprises")
        self.assertNotIn("\x1b", out)
        self.assertTrue(seen.rstrip().endswith("\x1b[K"), repr(seen[-80:]))

    def test_none(self):
        for options in (["--progress", "none"], ["-q"]):
            with self.subTest(options=options):
                self.assertNotIn("points,", self.on_terminal(*options)[0])

    def test_no_terminal(self):
        result = self.run_gridlock(*self.COMMAND, POCL_MAX_PTHREAD_COUNT=2)
        self.assertNotIn("\x1b", result.err + result.out)
        self.assertNotIn("points,", result.err)

    def test_bad_value(self):
        result = self.run_gridlock(*self.COMMAND, "--progress", "html", code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "--progress html")


if __name__ == "__main__":
    gridlock_test.main()
