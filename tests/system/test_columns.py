"""What is printed for people fits a terminal of 80 columns.

Longer is only what cannot be broken, a word or a line of a program's, and commands to copy.
"""
import re

import gridlock_test

COLUMNS = 80
EXIT_SURPRISE = 1
COMMAND = re.compile(r"^ *(env .*)?gridlock \w")


class Columns(gridlock_test.Case):
    def check(self, text):
        self.assertNotEqual(text, "")
        for line in text.splitlines():
            words = line.split()
            if len(line) > COLUMNS and len(words) > 1 and not COMMAND.match(line):
                self.fail(f"{len(line)} columns: {line}")

    def check_options(self, text):
        """Each stands in its column, and so does what it does."""
        options = text.partition("\n\n")[2].partition("\n\n")[0].splitlines()
        for line in options:
            self.assertRegex(line, r"^(  -., --\w|      --\w| {29}\S)", text)
            self.assertRegex(line, r"^.{29}( ?\S|$)|^.{1,28}$|^ *-[^ ]*( --[^ ]*)?$", text)

    def pocl(self, *arguments, code=0):
        return self.run_gridlock(*arguments, code=code, POCL_MAX_PTHREAD_COUNT=2).out

    def test_help(self):
        commands = re.findall(r"(?m)^  (\w+) ", self.run_gridlock("--help").out)
        self.assertIn("prove", commands)
        for command in commands:
            with self.subTest(command=command):
                text = self.run_gridlock(command, "--help").out
                self.check(text)
                self.check_options(text)
                self.check(self.run_gridlock(command, "--usage").out)
        self.check(self.run_gridlock("--help").out)
        self.check(self.run_gridlock("help", "words").out)

    def test_what_needs_no_run(self):
        for arguments in (("check", "--reference"), ("list",), ("list", "--kernels"), ("run", "--dry-run")):
            with self.subTest(arguments=arguments):
                self.check(self.run_gridlock(*arguments).out)

    def test_an_audit_with_many_outcomes(self):
        for run in sorted(gridlock_test.ROOT.glob("results/*/audit.run.xz")):
            with self.subTest(run=run.parent.name):
                self.check(self.run_gridlock("report", str(run), code=None).out)

    @gridlock_test.needs_driver("pocl")
    def test_devices(self):
        self.check(self.pocl("devices"))

    @gridlock_test.needs_driver("pocl")
    def test_a_run_of_each_kind(self):
        for name, arguments, code in (("limits", ("limits", "-d", "pocl", "--local-size", "1,64"), 0),
                                      ("run", ("run", "-d", "pocl", "barrier_central", "event", "-x", "g(8|16|32)$"),
                                       0),
                                      ("tests", ("progress", "-d", "pocl", "--mapping", "plain", "--iterations", "2"),
                                       0)):
            with self.subTest(name=name):
                path = str(self.folder / name)
                self.check(self.pocl(*arguments, "-o", path, code=code))
                self.check(self.pocl("report", path, code=code))
                self.check(self.pocl("explain", path))
                self.check(self.pocl("compare", path, path))

    @gridlock_test.needs_driver("pocl")
    def test_a_run_that_did_not_end(self):
        path = self.folder / "a run in a folder of blanks and words"
        scenario = self.folder / "point.ini"
        scenario.write_text(gridlock_test.scenario_text(groups="3, 4, 5"))
        self.pocl("run", str(scenario), "-d", "pocl", "--max-fails", "1", "-o", str(path), code=75)
        text = self.pocl("report", str(path), code=EXIT_SURPRISE)
        self.assertIn("were not run", " ".join(text.split()))
        self.check(text)
        self.pocl("run", str(scenario), "-d", "pocl", "--shard", "0/2", "-o", str(self.folder / "shard"), code=None)
        self.check(self.pocl("report", str(self.folder / "shard"), code=None))


if __name__ == "__main__":
    gridlock_test.main()
