"""Kernels with known truth (tests/truth), some of them, on model devices: no verdict and no cause is another one."""
import pathlib
import re
import subprocess
import sys

import gridlock_test

TRUTH = pathlib.Path(__file__).resolve().parent.parent / "truth" / "truth.py"
ONES = ("buffer_lost", "circle_three", "event_lost", "flicker_endless", "hosts", "lookback_starved", "own_loop_stuck",
        "token_kept", "token_short")


class Truth(gridlock_test.Case):
    def truth(self, device, names, *options):
        """How many launches were right; the exit status; what was printed."""
        done = subprocess.run([sys.executable, TRUTH, gridlock_test.PROGRAM, "--device", device, "--filter",
                               f"^({'|'.join(names)})$", *options], env=self.environment(TMPDIR=self.folder),
                              capture_output=True, text=True, check=False)
        counts = re.search(r"(?m)^all +(\d+) +(\d+) +(\d+) +(\d+)", done.stdout)
        self.assertIsNotNone(counts, done.stdout + done.stderr)
        return [int(count) for count in counts.groups()], done.returncode, done.stdout

    def test_all_is_right(self):
        (launches, right, *_), code, out = self.truth("model:obe:3,order=chunked", ONES)
        self.assertEqual((right, code), (launches, 0), out)
        self.assertGreater(launches, 3 * len(ONES))

    def test_where_the_truth_is_another_one(self):
        """A scan against the ids starves, unless a device begins with the highest one."""
        (_, _, false, _), code, out = self.truth("model:obe:3,order=down", ["lookback_starved"])
        self.assertGreater(false, 0)
        self.assertEqual(code, 1)
        self.assertIn("pass (none), wanted starved (occupancy", out)


if __name__ == "__main__":
    gridlock_test.main()
