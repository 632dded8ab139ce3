"""Oclgrind simulates a device with as many work-groups at once as it has threads."""
import subprocess

import gridlock_test


@gridlock_test.needs_oclgrind()
class Oclgrind(gridlock_test.Case):
    def test_threads(self):
        for threads in (1, 3):
            with self.subTest(threads=threads):
                device = self.limits("--icd", gridlock_test.OCLGRIND, "--local-size", "64", "--local-memory", "0",
                                     OCLGRIND_NUM_THREADS=threads)
                self.assert_limit(device["limits"][0], threads)
                self.assertEqual(device["safe_groups"], threads)

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
