"""Oclgrind simulates a device with as many work-groups at once as it has threads."""
import pathlib
import subprocess

import gridlock_test

TRUTH = pathlib.Path(__file__).resolve().parent.parent / "truth"


@gridlock_test.needs_oclgrind()
class Oclgrind(gridlock_test.Case):
    def test_threads(self):
        for threads in (1, 3):
            with self.subTest(threads=threads):
                device = self.limits("--icd", gridlock_test.OCLGRIND, "--local-size", "64", "--local-memory", "0",
                                     OCLGRIND_NUM_THREADS=threads)
                self.assert_limit(device["limits"][0], threads)
                self.assertEqual(device["safe_groups"], threads)

    def assert_predicted(self, scenario, trial):
        """One point of a kernel with known truth is what it must be."""
        result = self.run_gridlock("run", str(TRUTH / f"{scenario}.ini"), "--icd", gridlock_test.OCLGRIND, "--channel",
                                   "none", "-t", trial, "-o", "run", OCLGRIND_NUM_THREADS=3)
        self.assertIn("1 as predicted", result.out)

    def test_who_waits_is_not_taken_for_one_who_runs(self):
        """Its switch over two bits compares those above them, too: how a group waits is asked bit by bit."""
        self.assert_predicted("within_inside", "kind=owner,work=nap,ms=0,said=no/g2")

    def test_kernel_with_locks_is_made(self):
        """It knows no call by which compilers mark what a function returned in memory."""
        self.assert_predicted("behind_trylock", "work=nap,ms=0/g1")

    def test_program_finds_the_library(self):
        """By the command that is printed, though no loader knows of this driver."""
        self.run_gridlock("audit", "--icd", gridlock_test.OCLGRIND, "--promise", "kernel-local-called", "-o", "run",
                          code=1)
        out = self.run_gridlock("explain", "run:kernel-local-called", "--reproducer", "program").out
        command = out.strip().partition(": ")[2]
        self.assertIn(f" && OCL_ICD_VENDORS={gridlock_test.OCLGRIND} ./promise", command)
        done = subprocess.run(command, shell=True, cwd=self.folder / "program", env=self.environment(),
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.rpartition(": ")[2]), (1, "broken\n"), done.stderr)


if __name__ == "__main__":
    gridlock_test.main()
