"""Lists of what is known of a device, and when a run fails."""
import json
import re
import shlex
import xml.etree.ElementTree

import gridlock_test

SCENARIO = """[scenario]
kernel = barrier_central
purpose = passes at 1 and 2 groups, and starves above, whatever it says below
teaches = With 2 threads a third group cannot start.
[sweep]
groups = 1, 2, 3, 4
iterations = 2
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

    def test_lines_that_match_no_point_are_named(self):
        """Those of points that were left out match one."""
        flakes = self.folder / "flakes"
        flakes.write_text("/g3$\n# a remark\n/g33$\n", encoding="utf-8")
        known = self.list_of("known/cl30/l64/g4 starved", "", "known/cl30/l64/g44 starved", "known/cl30/l64/g1 wrong")
        lists = ("--baseline", known, "--flakes", str(flakes), "-x", "/g1$")
        err = self.run_gridlock("run", str(self.folder / "known.ini"), "-d", "pocl", *lists,
                                POCL_MAX_PTHREAD_COUNT=2).err
        self.assertEqual(sorted(line for line in err.splitlines() if "no point" in line),
                         [f"gridlock: {flakes}:3: no point of this run matches '/g33$'",
                          f"gridlock: {known}:3: no point of this run matches 'known/cl30/l64/g44'"])
        result, _ = self.sweep(*lists, code=0)
        self.assertEqual(result.err, "")

    def test_many_lines_that_match_no_point(self):
        known = self.list_of(*(f"known/cl30/l64/g{groups} starved" for groups in range(3, 30)))
        err = self.run_gridlock("run", str(self.folder / "known.ini"), "-d", "pocl", "--baseline", known,
                                POCL_MAX_PTHREAD_COUNT=2).err
        self.assertEqual(err.count("no point of this run matches '"), 10)
        self.assertIn("\ngridlock: no point of this run matches 15 more lines of these lists\n", err)

    def report(self, path, *options, code):
        return self.run_gridlock("report", path, *options, code=code).out

    def test_baseline_of_a_run(self):
        """A run that is given what another one came to has no surprise, and its own baseline says the same."""
        first, second = str(self.folder / "first.gridlock"), str(self.folder / "second.gridlock")
        (self.folder / "known.ini").rename(self.folder / "with blanks.ini")
        (self.folder / "known.ini").write_text(SCENARIO + "some = stale\n", encoding="utf-8")
        scenarios = (str(self.folder / "known.ini"), str(self.folder / "with blanks.ini"))
        self.run_gridlock("run", *scenarios, "-d", "pocl", "-o", first, code=EXIT_SURPRISE, POCL_MAX_PTHREAD_COUNT=2)
        written = self.report(first, "--format", "baseline", code=EXIT_SURPRISE)
        self.assertEqual([line for line in written.splitlines() if not line.startswith("#")],
                         ["known/cl30/l64/g1 pass", "known/cl30/l64/g2 pass", "known/cl30/l64/g3 starved",
                          "known/cl30/l64/g4 starved", "with blanks/cl30/l64/g3 starved",
                          "with blanks/cl30/l64/g4 starved"])
        known = self.list_of(*written.splitlines())
        err = self.run_gridlock("run", *scenarios, "-d", "pocl", "-o", second, "--baseline", known,
                                POCL_MAX_PTHREAD_COUNT=2).err
        self.assertNotIn("no point", err)
        self.assertEqual(self.report(second, "--format", "baseline", code=0), written)

    def test_baseline_of_several_devices(self):
        """Of a point that is in the list several times all lines count."""
        known = self.list_of("known/cl30/l64/g3 wrong", "known/cl30/l64/g3 starved", "known/cl30/l64/g3 crash",
                             "known/cl30/l64/g4 starved")
        self.sweep("--baseline", known, code=0)

    def test_baseline_of_limits_is_none(self):
        path = str(self.folder / "limits.gridlock")
        self.run_gridlock("limits", "-d", "pocl", "-o", path, "--local-size", "64", "--groups", "1")
        err = self.run_gridlock("report", path, "--format", "baseline", code=gridlock_test.EXIT_USAGE).err
        self.assert_sentence(err, "scenarios")

    def test_known_that_passes_is_named(self):
        path = str(self.folder / "fixed.gridlock")
        known = self.list_of(*(f"known/cl30/l64/g{groups} starved" for groups in (1, 2, 3, 4)))
        text = self.run_gridlock("run", str(self.folder / "known.ini"), "-d", "pocl", "--baseline", known, "-o", path,
                                 POCL_MAX_PTHREAD_COUNT=2).out
        for shown in (text, self.report(path, code=0)):
            self.assertIn("known failures: 2 failed again, 2 did not\n    did not fail: known/cl30/l64/g1\n"
                          "    did not fail: known/cl30/l64/g2\n", shown)
            self.assertEqual(shown.count("did not fail"), 2)

    def commands(self, text):
        return [shlex.split(line) for line in text.splitlines()
                if re.match(r" *(env .*)?gridlock (explain|run) ", line)]

    def test_surprises_come_with_commands(self):
        """The commands in text and JUnit are the same, and do what they promise; none stands at what is no surprise."""
        path = str(self.folder / "the run.gridlock")
        (self.folder / "known.ini").rename(self.folder / "with blanks.ini")
        result = self.run_gridlock("run", "with blanks.ini", "-d", "pocl", "--seed", "7", "-o", path, "--flakes",
                                   self.list_of("/g4$"), code=EXIT_SURPRISE, POCL_MAX_PTHREAD_COUNT=2)
        self.assertIn(f"\ngridlock: gridlock explain '{path}' explains the first surprise\n", result.err)
        explain, repeat = self.commands(result.out)
        self.assertEqual(self.commands(self.report(path, code=EXIT_SURPRISE)), [explain, repeat])
        junit = xml.etree.ElementTree.fromstring(self.report(path, "--format", "junit", code=EXIT_SURPRISE))
        self.assertEqual([self.commands(case.text) for case in junit.iter("failure")], [[explain, repeat]])
        self.assertEqual([case.get("message").count("gridlock") for case in junit.iter("failure")], [0])
        self.assertIn("starvation", self.run_gridlock(*explain[1:]).out)
        self.assertEqual(repeat[:2], ["env", "POCL_MAX_PTHREAD_COUNT=2"])
        self.assertEqual(repeat[repeat.index("--seed") + 1], "7")
        again = self.run_gridlock(*repeat[repeat.index("gridlock") + 1:], "--format", "json", code=EXIT_SURPRISE,
                                  POCL_MAX_PTHREAD_COUNT=2).json()
        self.assertEqual([point["id"] for point in again["devices"][0]["scenarios"][0]["points"]],
                         ["with blanks/cl30/l64/g3"])

    def test_what_is_expected_has_no_commands(self):
        result = self.run_gridlock("run", "known.ini", "-d", "pocl", "--flakes", self.list_of("/g[34]$"),
                                   POCL_MAX_PTHREAD_COUNT=2)
        self.assertEqual((self.commands(result.out), result.err.count("explain")), ([], 0))

    def test_bad_list(self):
        result, _ = self.sweep("--baseline", self.list_of("only-an-id"), code=gridlock_test.EXIT_USAGE)
        self.assert_sentence(result.err, "list:1:")


if __name__ == "__main__":
    gridlock_test.main()
