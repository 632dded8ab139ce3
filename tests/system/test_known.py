"""Lists of what is known of a device, and when a run fails."""
import json

import gridlock_test

SCENARIO = """[scenario]
kernel = barrier_central
purpose = passes at 1 and 2 groups, and starves above, whatever it says below
teaches = With 2 threads a third group cannot start.
[sweep]
groups = 1, 2, 3, 4
[expect]
verdict = pass
"""
EXIT_SURPRISE, EXIT_STOPPED = 1, 75


class Known(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "known.ini").write_text(SCENARIO, encoding="utf-8")

    def list_of(self, *lines):
        path = self.folder / "list"
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return str(path)

    def sweep(self, *options, code):
        result = self.run_gridlock("run", str(self.folder / "known.ini"), "-d", "pocl", "-q", "--format", "json",
                                   *options, code=code, POCL_MAX_PTHREAD_COUNT=2)
        return result, json.loads(result.out)["devices"][0]["scenarios"][0]["points"] if result.out else None

    def test_surprises_are_run_again(self):
        _, points = self.sweep(code=EXIT_SURPRISE)
        self.assertEqual([(p["groups"], p["surprise"], p["batches"], p["surprising_batches"]) for p in points],
                         [(1, False, 1, 0), (2, False, 1, 0), (3, True, 3, 3), (4, True, 3, 3)])

    def test_baseline(self):
        known = self.list_of("# of PoCL with 2 threads", "known/cl30/l64/g3 starved", "known/cl30/l64/g4 starved",
                             "known/cl30/l64/g1 stale")
        _, points = self.sweep("--baseline", known, code=0)
        self.assertEqual([(p["known"], p["surprise"]) for p in points],
                         [("failure", False), (None, False), ("failure", False), ("failure", False)])

    def test_baseline_with_another_verdict(self):
        known = self.list_of("known/cl30/l64/g3 wrong", "known/cl30/l64/g4 starved")
        self.sweep("--baseline", known, code=EXIT_SURPRISE)

    def test_flakes(self):
        _, points = self.sweep("--flakes", self.list_of("/g[34]$"), code=0)
        self.assertEqual([p["known"] for p in points], [None, None, "flake", "flake"])
        self.sweep("--flakes", self.list_of("/g3$"), code=EXIT_SURPRISE)

    def test_skips(self):
        _, points = self.sweep("--skips", self.list_of("/g[34]$"), code=0)
        self.assertEqual([p["groups"] for p in points], [1, 2])

    def test_exit_zero(self):
        self.sweep("--exit-zero", code=0)

    def test_fail_on(self):
        known = self.list_of("/g[34]$")
        self.sweep("--flakes", known, "--fail-on", "stale,wrong", code=0)
        self.sweep("--flakes", known, "--fail-on", "stale,starved", code=EXIT_SURPRISE)
        result, _ = self.sweep("--fail-on", "blue", code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "blue")

    def test_stops_and_goes_on(self):
        path = str(self.folder / "stopped.gridlock")
        result, points = self.sweep("--max-fails", "1", "-o", path, code=EXIT_STOPPED)
        self.assertEqual([p["groups"] for p in points], [1, 2, 3])
        self.assert_sentence(result.err, "resume")
        result = self.run_gridlock("resume", path, code=EXIT_STOPPED, POCL_MAX_PTHREAD_COUNT=2)
        points = json.loads(result.out)["devices"][0]["scenarios"][0]["points"]
        self.assertEqual([p["groups"] for p in points], [1, 2, 3, 4])

    def test_failure_that_is_another_one_stops(self):
        known = self.list_of("known/cl30/l64/g3 wrong", "known/cl30/l64/g4 starved")
        _, points = self.sweep("--baseline", known, "--max-fails", "1", code=EXIT_STOPPED)
        self.assertEqual([p["groups"] for p in points], [1, 2, 3])
        _, points = self.sweep("--flakes", self.list_of("/g3$"), "--max-fails", "1", code=EXIT_STOPPED)
        self.assertEqual([p["groups"] for p in points], [1, 2, 3, 4])

    def test_bad_list(self):
        result, _ = self.sweep("--baseline", self.list_of("only-an-id"), code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "list:1:")


if __name__ == "__main__":
    gridlock_test.main()
