"""The run files in the user's state folder: listed, removed, and taken where none is named."""
import os
import re

import gridlock_test
from run_builder import Builder

EXIT_SURPRISE, EXIT_STOPPED = 1, 75
DAY_S = 86400


class Runs(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.runs = self.state / "gridlock"

    def write(self, name, days_old=0, verdict="pass"):
        self.runs.mkdir(parents=True, exist_ok=True)
        path = self.runs / f"{name}.gridlock"
        builder = Builder(path)
        device = builder.device(name=f"device of {name}")
        builder.trial(device, expected="pass")
        builder.trial(device, (verdict,), groups=5, expected="pass")
        builder.close()
        written_s = 1700000000 - days_old * DAY_S
        os.utime(path, (written_s, written_s))
        return path

    def left(self):
        return sorted(path.name for path in self.runs.iterdir())

    def age(self, path, days):
        """Its age by the clock of the machine, which --older-than goes by."""
        written_s = int(path.stat().st_ctime) - days * DAY_S
        os.utime(path, (written_s, written_s))

    def test_list(self):
        self.write("old", days_old=3)
        self.write("new", verdict="wrong")
        (self.runs / "bad.gridlock").write_text("this is no run file")
        os.utime(self.runs / "bad.gridlock", (0, 0))
        (self.runs / "other").write_text("nor is this")
        result = self.run_gridlock("runs", TZ="UTC")
        self.assertRegex(result.out, r"\Anew\.gridlock  2023-11-14 22:13  \d+ kB\n    run: 1 passed, 1 failed\n"
                         r"    device of new\nold\.gridlock  2023-11-11 22:13  \d+ kB\n    run: 2 passed\n"
                         r"    device of old\nbad\.gridlock  1970-01-01 00:00  1 kB\n    .*not a run file.*\n\Z")
        self.assertEqual(result.err, f"gridlock: run files in {self.runs}: 3\n")
        self.assertTrue(self.run_gridlock("runs", "old.gridlock").out.startswith("old.gridlock "))

    def test_none(self):
        result = self.run_gridlock("runs")
        self.assertEqual((result.out, result.err), ("", f"gridlock: run files in {self.runs}: 0\n"))
        for command in ("report", "explain"):
            err = self.run_gridlock(command, code=gridlock_test.EXIT_USAGE).err
            self.assert_sentence(err, "no run file", str(self.runs))

    def test_newest_is_taken(self):
        self.write("old", days_old=3)
        path = self.write("new", verdict="wrong")
        for command, code in (("report", EXIT_SURPRISE), ("explain", 0)):
            with self.subTest(command=command):
                result, named = self.run_gridlock(command, code=code), self.run_gridlock(command, str(path), code=code)
                self.assertEqual((result.out, result.err), (named.out, f"gridlock: run file {path}\n"))
                self.assertEqual(named.err, "")
        self.assertEqual(self.run_gridlock("explain", ":toy/cl30/l64/g5").out,
                         self.run_gridlock("explain", f"{path}:toy/cl30/l64/g5").out)

    def test_prune_by_age(self):
        for name, days in (("a", 1), ("b", 10), ("c", 11)):
            self.age(self.write(name), days)
        (self.runs / "c.gridlock-journal").write_text("")
        other = self.runs / "other.txt"
        other.write_text("")
        os.utime(other, (0, 0))
        shown = self.run_gridlock("runs", "--older-than", "10").out
        self.assertEqual(re.findall(r"(?m)^\w\.gridlock", shown), ["b.gridlock", "c.gridlock"])
        self.assertEqual(self.run_gridlock("runs", "--prune", "--older-than", "10").out,
                         "removed: b.gridlock\nremoved: c.gridlock\n")
        self.assertEqual(self.left(), ["a.gridlock", "other.txt"])

    def test_prune_by_name(self):
        for name in "abc":
            self.write(name)
        self.run_gridlock("runs", "--prune", "a.gridlock", "c.gridlock")
        self.assertEqual(self.left(), ["b.gridlock"])

    def test_what_is_in_use_is_kept(self):
        for name in "ab":
            self.write(name, days_old=100)
        with (self.runs / "a.gridlock").open("rb"):
            result = self.run_gridlock("runs", "--prune", "--older-than", "1", code=EXIT_STOPPED)
        self.assertEqual(sorted(result.out.splitlines()), ["kept, in use: a.gridlock", "removed: b.gridlock"])
        self.assertEqual(self.left(), ["a.gridlock"])

    def test_refused(self):
        self.write("a")
        for arguments, word in ((["--prune"], "--older-than"), (["--prune", "b.gridlock"], "'b.gridlock'"),
                                (["--prune", "a.gridlock", "b.gridlock"], "'b.gridlock'"),
                                (["--prune", "../gridlock/a.gridlock"], "../gridlock"),
                                (["--older-than", "x"], "--older-than x"), (["--older-than", "-1"], "--older-than -1")):
            with self.subTest(arguments=arguments):
                result = self.run_gridlock("runs", *arguments, code=gridlock_test.EXIT_USAGE)
                self.assert_sentence(result.err, word)
                self.assertEqual(self.left(), ["a.gridlock"])


if __name__ == "__main__":
    gridlock_test.main()
