#!/usr/bin/env python3
"""gridlock watch PROGRAM where something is short or forbidden: it says so, and the program's end is its own."""
import os
import shutil
import subprocess

import gridlock_test
from gridlock_test import needs_driver
from test_watch_stalls import Case as Stalls
from watch_case import Case


@needs_driver("pocl")
class Short(Case):
    def under(self, limit, *words):
        """By a shell that sets the limit first."""
        return subprocess.run(["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *words], env=self.environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def test_descriptors(self):
        """They are enough for the program, and for a watch that has few more."""
        self.assertEqual(self.bare("sum").returncode, 0)  # the driver has built it
        for most in (8, 12, 24):
            with self.subTest(most=most):
                bare = self.under(f"-n {most}", str(self.program), "sum")
                seen = self.under(f"-n {most}", gridlock_test.PROGRAM, "watch", str(self.program), "sum")
                self.assertEqual((seen.returncode, seen.stdout), (bare.returncode, bare.stdout), seen.stderr)
                self.assert_nothing_left()

    def test_descriptors_of_the_program(self):
        """The door takes none from it: its device is there if it is without, whether the page can be opened or not."""
        self.assertEqual(self.bare("sum").returncode, 0)  # the driver has built it
        for most in range(4, 14):
            with self.subTest(most=most):
                words = ("sh", "-c", f'ulimit -n {most}; exec "$0" sum', str(self.program))
                bare = subprocess.run(words, env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                                      text=True, check=False)
                seen = self.run_gridlock("watch", "--", *words, code=None)
                self.assertEqual((seen.code, seen.out), (bare.returncode, bare.stdout), seen.err)
                self.assertLessEqual(seen.err.count("its page"), 1)
                self.assert_nothing_left()

    def test_a_stall_with_few_descriptors(self):
        seen = self.under("-n 12", gridlock_test.PROGRAM, "watch", "--deadline", "0.2", "--on-stall", "end",
                          str(self.program), "user-event")
        self.assertEqual(seen.returncode, 143, seen.stderr)
        self.assertRegex(seen.stderr, r"\(watched\): host\n")
        self.assert_nothing_left()

    def test_none_at_all(self):
        seen = self.under("-n 4", gridlock_test.PROGRAM, "watch", str(self.program), "sum")
        self.assert_sentence(seen.stderr, "Too many open files")
        self.assertEqual(seen.returncode, 3)

    def test_large_files_are_forbidden(self):
        """A program that writes none is not killed for those of the door."""
        self.assertEqual(self.bare("sum").returncode, 0)  # the driver has built it
        for blocks in (8, 64, 512, 8192):
            with self.subTest(blocks=blocks):
                bare = self.under(f"-f {blocks}", str(self.program), "sum")
                seen = self.under(f"-f {blocks}", gridlock_test.PROGRAM, "watch", "--capture", str(self.folder),
                                  str(self.program), "sum")
                self.assertEqual(seen.stdout, bare.stdout, seen.stderr)
                self.assertEqual(seen.returncode, 128 - bare.returncode if bare.returncode < 0 else bare.returncode)


class Forbidden(Stalls):
    def test_threads_that_may_not_be_looked_at(self):
        """One sentence says so; all else is told, and the program goes on."""
        if shutil.which("setpriv") is None or os.geteuid() != 0:
            self.skipTest("needs root, and setpriv to be less")
        process = subprocess.Popen(["setpriv", "--inh-caps=-sys_ptrace", "--bounding-set=-sys_ptrace",
                                    gridlock_test.PROGRAM, "watch", "--deadline", "0.2", "--format", "json", "--log",
                                    str(self.log), self.compiled("host.c"), "kernel_out_of_sight"],
                                   env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.wait_until(lambda: [stall for stall in self.stalls() if "not_looked" in stall], "a stall is told")
        stall = self.stalls()[-1]
        self.assertEqual((stall["verdict"], stall["commands"][0]["kernel"]), ("long", "wait"))
        self.assertRegex(stall["not_looked"], "forbids")
        out, _ = process.communicate()
        self.assertEqual((process.returncode, out), (0, "launched\nended\n"))
        self.assert_nothing_left()


del Stalls, Case

if __name__ == "__main__":
    gridlock_test.main()
