"""PoCL's CPU device holds as many work-groups as it has threads: the limits must come out exactly."""
import contextlib
import re
import subprocess
import sys

import gridlock_test

ONE_FOOTPRINT = ("-d", "pocl", "--local-size", "64", "--local-memory", "0")


class Threads(gridlock_test.Case):
    def check(self, threads):
        device = self.limits(*ONE_FOOTPRINT, POCL_MAX_PTHREAD_COUNT=threads)
        self.assertEqual(len(device["limits"]), 1)
        self.assert_limit(device["limits"][0], threads)
        self.assertEqual(device["safe_groups"], threads)
        self.assertFalse(device["wedged"])

    def test_idle(self):
        for threads in (1, 2, 3, 13, 64):
            with self.subTest(threads=threads):
                self.check(threads)

    def test_under_load(self):
        """Two processes that keep two cores busy change nothing."""
        with contextlib.ExitStack() as stack:
            for _ in range(2):
                burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
                stack.callback(burner.wait)
                stack.callback(burner.kill)
            for threads in (2, 5):
                with self.subTest(threads=threads):
                    self.check(threads)

    def test_basic_device(self):
        """The device without threads runs one group after the other."""
        device = self.limits(*ONE_FOOTPRINT, POCL_DEVICES="basic")
        self.assert_limit(device["limits"][0], 1)


class Sweep(gridlock_test.Case):
    def test_all_footprints(self):
        path = str(self.folder / "a.run")
        rows = self.check_text(self.run_gridlock("limits", "-d", "pocl", "-o", path, POCL_MAX_PTHREAD_COUNT=2).out)
        device, = self.run_gridlock("report", "--format", "json", path).json()["devices"]
        self.assertEqual(len(device["limits"]), len(rows))
        self.check_json(device)

    def check_json(self, device):
        for limit in device["limits"]:
            self.assert_limit(limit, 2)
            self.assertEqual(limit["limited_by"], "CPU threads")
        self.assertEqual(device["safe_groups"], 2)

        footprints = [(limit["local_size"], limit["local_memory_bytes"], limit["private_bytes"])
                      for limit in device["limits"]]
        self.assertEqual(len(footprints), len(set(footprints)))
        self.assertEqual({size for size, _, _ in footprints}, {2**i for i in range(13)})
        self.assertIn(device["max_local_memory_bytes"], {memory for _, memory, _ in footprints})
        self.assertGreater(len({private for _, _, private in footprints}), 2)

    def check_text(self, out):
        """Its rows, one for each footprint."""
        self.assertNotRegex(out, r"[\x00-\x09\x0b-\x1f\x7f]")
        rows = [line for line in out.splitlines() if re.match(r" *\d+ +\d+ +\d+ +\d+ ", line)]
        self.assertGreaterEqual(len(rows), 20)
        for row in rows:
            self.assertRegex(row, r"^ *\d+ +\d+ +\d+ +2 +2 20/20 +3 20/20 +[\d.]+ +[\d.]+$")
            self.assertLessEqual(len(row), 80)
        for line in out.splitlines()[3:]:  # above, the driver's names set the length
            self.assertLessEqual(len(line), 80, line)
        self.assertRegex(out, r"(?m)^safe_groups +2 \(1 x 2 compute units\)")
        self.assertRegex(out, rf"(?m)^limited by +CPU threads: {len(rows)} of {len(rows)} footprints$")
        return rows


class Options(gridlock_test.Case):
    def test_groups(self):
        device = self.limits("-d", "pocl", "--groups", "1,2,3", POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual(len(device["limits"]), 1)
        points = {point["groups"]: point for point in device["limits"][0]["points"]}
        self.assertEqual(sorted(points), [1, 2, 3])
        self.assertEqual([points[n]["verdict"] for n in (1, 2, 3)], ["pass", "pass", "starved"])
        self.assertEqual([(points[n]["passes"], points[n]["stalls"], points[n]["launches"]) for n in (1, 2, 3)],
                         [(20, 0, 20), (20, 0, 20), (0, 20, 20)])

    def test_groups_as_text(self):
        out = self.run_gridlock("limits", "-d", "pocl", "--groups", "2,3", POCL_MAX_PTHREAD_COUNT=2).out
        self.assertRegex(out, r"2 groups: 20 of 20 passed\n")
        self.assertRegex(out, r"3 groups: 0 of 20 passed, otherwise starved\n")

    def test_census_alone(self):
        device = self.limits(*ONE_FOOTPRINT, "--estimator", "census", POCL_MAX_PTHREAD_COUNT=2)
        limit = device["limits"][0]
        self.assertEqual((limit["resident"], limit["census"]), (2, 2))
        self.assertTrue(limit["census_settled"])
        self.assertIsNone(limit["discovery"])
        self.assertIsNone(limit["barrier"]["passes_at"])
        self.assertIsNone(limit["barrier"]["stalls_at"])
        self.assertTrue(limit["barrier"]["stalls_at_reason"])
        self.assertIsNone(device["safe_groups"])

    def test_discovery_alone(self):
        device = self.limits(*ONE_FOOTPRINT, "--estimator", "discovery", POCL_MAX_PTHREAD_COUNT=2)
        discovery = device["limits"][0]["discovery"]
        self.assertTrue(1 <= discovery["mean"] <= discovery["max"] <= 2, discovery)

    def test_no_channel(self):
        """Without a channel the kernels' own fuses find the stalls."""
        device = self.limits(*ONE_FOOTPRINT, "--channel", "none", POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual(device["channel"], "none")
        self.assert_limit(device["limits"][0], 2)

    def test_iterations(self):
        device = self.limits(*ONE_FOOTPRINT, "--iterations", "3", POCL_MAX_PTHREAD_COUNT=2)
        self.assert_limit(device["limits"][0], 2, launches=3)

    def test_quiet(self):
        result = self.run_gridlock("limits", *ONE_FOOTPRINT, "--quiet", POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual(result.err, "")
        self.assertIn("safe_groups", result.out)


if __name__ == "__main__":
    gridlock_test.main()
