"""Kernels with known truth (tests/truth), some of them, on model devices: no verdict and no cause is another one."""
import pathlib
import re
import shutil
import subprocess
import sys

import gridlock_test

TRUTH = pathlib.Path(__file__).resolve().parent.parent / "truth" / "truth.py"
ONES = ("beside_host", "buffer_lost", "circle_three", "condition_holds", "drowsy_lost", "event_lost",
        "flicker_endless", "hosts", "items_hand_back", "items_hand_on", "lookback_starved", "nameless_kept",
        "own_loop_stuck", "split_whole", "token_kept", "token_short")


BY_ORDER = ("lock_kept_above", "lookback_late", "lookback_starved", "meets_crossed", "permits_toil", "pipes_starved",
            "stages_short")


class Truth(gridlock_test.Case):
    def truth(self, device, names, *options, folder=TRUTH.parent):
        """How many launches were right; the exit status; what was printed."""
        done = subprocess.run([sys.executable, folder / TRUTH.name, gridlock_test.PROGRAM, "--device", device,
                               "--filter", f"^({'|'.join(names)})$", *options],
                              env=self.environment(TMPDIR=self.folder), capture_output=True, text=True, check=False)
        counts = re.search(r"(?m)^all +(\d+) +(\d+) +(\d+) +(\d+)", done.stdout)
        self.assertIsNotNone(counts, done.stdout + done.stderr)
        return [int(count) for count in counts.groups()], done.returncode, done.stdout

    def test_all_is_right(self):
        (launches, right, *_), code, out = self.truth("model:obe:3,order=chunked", ONES)
        self.assertEqual((right, code), (launches, 0), out)
        self.assertGreater(launches, 3 * len(ONES))

    def test_advice_where_nobody_said_who_has_the_lock(self):
        """All wait for any group, which makes a circle, but none of locks in two orders."""
        self.run_gridlock("run", str(TRUTH.parent / "nameless_kept.ini"), "-d", "model:obe:3,order=chunked", "-t",
                          "/g3", "-o", "run")
        told = " ".join(self.run_gridlock("explain", "run").out.split())
        self.assertIn("waits for any group that will write the word: all others wait, too, or have ended", told)
        self.assertIn("If the word is a lock, name it (gl_takes, gl_wait_lock)", told)
        self.assertNotIn("in the same order", told)

    def test_orders_in_which_groups_start(self):
        """Above the resident limit the truth of some is another one where low ids do not start first."""
        for order in ("down", "mixed", "lot,seed=5", "up"):
            (launches, right, *_), code, out = self.truth(f"model:obe:4,order={order}", BY_ORDER, "--iterations", "0.1")
            self.assertEqual((right, code), (launches, 0), out)

    def test_where_the_truth_is_another_one(self):
        """Who says that ids start with the lowest is told that they do not."""
        folder = self.folder / "truth"
        shutil.copytree(TRUTH.parent, folder)
        case = folder / "lookback_starved.ini"
        case.write_text(case.read_text().replace("down=pass ", ""))
        (_, _, false, _), code, out = self.truth("model:obe:3,order=down", ["lookback_starved"], folder=folder)
        self.assertGreater(false, 0)
        self.assertEqual(code, 1)
        self.assertIn("pass (none), wanted starved (occupancy", out)


if __name__ == "__main__":
    gridlock_test.main()
