"""A day of a farm: eight devices of one name, three shards of which one is killed and resumed, their merge, the
reports, and the comparison with yesterday.

The day is played once, for all tests. The devices are PoCL's, of two threads each, so that every verdict is certain.
"""
import csv
import io
import re
import shutil
import sqlite3
import unittest
import xml.etree.ElementTree

import gridlock_test
from gridlock_test import EXIT_OK, EXIT_USAGE, scenario_text
from report_case import EXIT_SURPRISE, NOT_RUN

try:
    import junitparser
except ImportError:
    junitparser = None

EXIT_STOPPED = 75

DEVICES = 8
SHARDS = 3
SURPRISE = "optimist/cl30/l1/g3"
SCENARIOS = {
    "optimist": scenario_text(groups="1, 1x resident, 1x resident + 1", sweep="local-size = 1\niterations = 1"),
    "stalls": scenario_text(groups="1, 2, 3, 4, 2x resident + 1", sweep="local-size = 1, 2\niterations = 1",
                            verdict="pass when groups <= resident; starved otherwise"),
    "locks": scenario_text(kernel="lock_ticket", groups="1, 2", sweep="local-size = 1, 2\niterations = 2"),
}

# The exit status of a report of each file. The surprise is in the second shard; the third is the one that is killed.
STATUS = {
    "whole": EXIT_SURPRISE, "shard1": EXIT_OK, "shard2": EXIT_SURPRISE, "killed": EXIT_STOPPED,
    "with_killed": EXIT_STOPPED, "without_third": EXIT_SURPRISE, "without_second": EXIT_STOPPED, "shard3": EXIT_OK,
    "merged": EXIT_SURPRISE,
}
MERGES = {
    "with_killed": ("shard1", "killed"), "without_third": ("shard1", "shard2"), "without_second": ("shard3", "shard1"),
    "merged": ("shard3", "shard1", "shard2"),
}
COMPLETE = ("whole", "shard1", "shard2", "shard3", "merged")

POINT = "device || rtrim(rtrim(name, '0123456789'), '#')"

# What depends on time, and what says of which shards a report is.
OF_TIME = re.compile(r"_ns$|^(trials|extent|seen)$")


def same_part(value):
    """Of JSON, what two runs of the same plan share."""
    if isinstance(value, dict):
        return {name: same_part(part) for name, part in value.items() if not OF_TIME.search(name)}
    return [same_part(part) for part in value] if isinstance(value, list) else value


class Day(gridlock_test.Case):
    played = None  # the case that played it, and has its files

    # --- the day

    def environment(self, **changes):
        return super().environment(POCL_DEVICES=" ".join(["pthread"] * DEVICES), POCL_MAX_PTHREAD_COUNT=2, **changes)

    def file(self, name):
        return str(Day.played.folder / f"{name}.run")

    def play(self):
        for name, text in SCENARIOS.items():
            (self.folder / f"{name}.ini").write_text(text)
        self.run_gridlock(*self.sweep("whole"), code=EXIT_SURPRISE, **self.place(2))
        for number in (1, 2):
            self.run_gridlock(*self.sweep(f"shard{number}", "--shard=env"), code=STATUS[f"shard{number}"],
                              **self.place(number))
        self.kill_in_the_middle(self.start(*self.sweep("shard3", "--shard=env"), **self.place(3)))
        self.report("shard3", "text", code=EXIT_STOPPED)
        for path in self.folder.glob("shard3.run*"):
            shutil.copy(path, self.folder / path.name.replace("shard3", "killed"))
        self.run_gridlock("resume", "--retry-incomplete", self.file("shard3"))
        for name, parts in MERGES.items():
            self.run_gridlock("merge", "-o", self.file(name), *map(self.file, parts))

    def sweep(self, name, *arguments):
        return ("run", *(f"{scenario}.ini" for scenario in SCENARIOS), "-d", "pocl", "-q", "-o", self.file(name),
                *arguments)

    @staticmethod
    def place(number):
        return {"CI_NODE_INDEX": number, "CI_NODE_TOTAL": SHARDS}

    def kill_in_the_middle(self, process):
        """On one of the devices in the middle."""
        self.wait_until(lambda: self.device_begun() >= DEVICES // 2 or process.poll() is not None, "a trial")
        self.assertIsNone(process.poll())
        process.kill()
        self.finish(process)
        self.wait_until(lambda: not self.processes(), "the end of the worker")

    def device_begun(self):
        try:
            return self.run_file(self.file("shard3")).one("SELECT ifnull(max(device), 0) AS device FROM trial"
                                                          " WHERE estimator = 'work'")["device"]
        except (AssertionError, sqlite3.Error):  # it is just being made
            return 0

    # --- its files

    def report(self, name, form, code=None):
        """None: the status that it must have."""
        return self.run_gridlock("report", self.file(name), "--format", form, code=STATUS.get(name) if code is None
                                 else code)

    def value(self, name, query):
        return self.run_file(self.file(name)).one(f"SELECT {query} AS value FROM trial LEFT JOIN verdict ON trial = "
                                                  f"trial.id"
                                                  " WHERE estimator = 'work'")["value"]

    def yesterday(self, name, *statements, of="whole"):
        """A copy in which something is changed."""
        shutil.copy(self.file(of), self.folder / name)
        connection = sqlite3.connect(self.folder / name)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return str(self.folder / name)


def setUpModule():
    if gridlock_test.registered_library("pocl") is None:
        raise unittest.SkipTest("PoCL is not registered")
    Day.played = Day("play")
    unittest.addModuleCleanup(Day.played.doCleanups)
    Day.played.setUp()
    Day.played.play()


class Shards(Day):
    def test_there_are_eight_devices_of_one_name(self):
        for name in COMPLETE:
            rows = self.run_file(self.file(name)).rows("SELECT name, ordinal FROM device ORDER BY ordinal")
            self.assertEqual([row["ordinal"] for row in rows], list(range(DEVICES)), name)
            self.assertEqual(len({row["name"] for row in rows}), 1, name)

    def test_variables_of_an_engine_shard_only_when_asked(self):
        of = {name: self.run_file(self.file(name)).one("SELECT shard, shard_by FROM run") for name in COMPLETE[:-1]}
        self.assertEqual([(row["shard"], row["shard_by"]) for row in of.values()],
                         [(None, None), *((index, "CI_NODE_INDEX") for index in range(SHARDS))])

    def test_each_point_is_in_one_shard(self):
        counts = [self.value(name, f"count(DISTINCT {POINT})") for name in COMPLETE]
        self.assertEqual(counts[0], sum(counts[1:4]))
        self.assertEqual(counts[0], counts[4])
        self.assertTrue(all(counts))
        self.assertTrue(0 < self.value("killed", f"count(DISTINCT {POINT})") < counts[3])


class Reports(Day):
    def test_nothing_is_green_that_is_not(self):
        for name, status in STATUS.items():
            for form in NOT_RUN:
                with self.subTest(file=name, format=form):
                    out = self.report(name, form, status).out
                    if name in COMPLETE:
                        self.assertNotRegex(out, NOT_RUN[form])
                    else:
                        self.assertRegex(out, NOT_RUN[form])

    def both(self, form):
        return [self.report(name, form) for name in ("merged", "whole")]

    def test_merged_json_is_that_of_the_whole(self):
        merged, whole = (same_part(report.json()) for report in self.both("json"))
        for device in merged["devices"] + whole["devices"]:
            del device["launches"]  # those that count the residents are among them, and of these a few may be repeated
            del device["global_memory_bytes"]  # PoCL's is a share of the machine's, which may change while it runs
            del device["machine"]  # how busy it was
        self.assertEqual(merged, whole)
        self.assertEqual(len(merged["devices"]), DEVICES)
        for device in merged["devices"]:
            found = {scenario["name"]: [scenario[name]
                                        for name in ("safe_groups", "unsafe_groups", "as_predicted", "surprises")]
                     for scenario in device["scenarios"]}
            self.assertEqual(found, {"optimist": [2, 3, 2, 1], "stalls": [2, 3, 10, 0], "locks": [2, None, 4, 0]})
            surprises = [point["id"] for scenario in device["scenarios"] for point in scenario["points"]
                         if point["surprise"]]
            self.assertEqual(surprises, [SURPRISE])

    def test_merged_text_is_that_of_the_whole(self):
        numbers = re.compile(r"(?m)^(?:\w+ +(?:all to )?\d.* of .*|\d+ points? of \d+ scenarios?|\d+ as predicted.*"
                             r"|optimist/.*)$")
        merged, whole = (numbers.findall(report.out) for report in self.both("text"))
        self.assertEqual(merged, whole)
        self.assertEqual(len([line for line in merged if line.startswith("16 as predicted, 1 surprise")]), DEVICES)
        self.assertEqual(merged.count(SURPRISE), DEVICES)

    def test_merged_junit_is_that_of_the_whole(self):
        def cases(report):
            root = xml.etree.ElementTree.fromstring(report.out)
            return [[(case.get("classname"), case.get("name"), [(child.tag, child.get("type")) for child in case])
                     for case in suite.findall("testcase")] for suite in root.findall("testsuite")]
        merged, whole = map(cases, self.both("junit"))
        self.assertEqual(merged, whole)
        self.assertEqual(len(merged), DEVICES)
        root = xml.etree.ElementTree.fromstring(self.both("junit")[0].out)
        names = [suite.get("name") for suite in root.findall("testsuite")]
        self.assertTrue(all([case[:2] for case in suite if case[2]] == [("optimist", f"cl30/l1/g3 on {name}")]
                            for suite, name in zip(merged, names)))

    def test_merged_tap_is_that_of_the_whole(self):
        merged, whole = (re.findall(r"(?m)^(?:1\.\.|ok|not ok).*$", report.out) for report in self.both("tap"))
        self.assertEqual(merged, whole)
        self.assertEqual(len([line for line in merged if line.startswith("not ok")]), DEVICES)

    def test_merged_csv_is_that_of_the_whole(self):
        def rows(report):
            return [[(name, value) for name, value in row.items() if not OF_TIME.search(name)]
                    for row in csv.DictReader(io.StringIO(report.out), strict=True) if row["scenario"] != ""]
        merged, whole = map(rows, self.both("csv"))
        self.assertEqual(merged, whole)
        self.assertEqual(sum(("surprise", "true") in row for row in merged), DEVICES)

    def test_merged_baseline_is_that_of_the_whole(self):
        merged, whole = (re.findall(r"(?m)^[^#].*$", report.out) for report in self.both("baseline"))
        self.assertEqual(merged, whole)
        self.assertEqual(merged, DEVICES * [f"{SURPRISE} starved"])

    @unittest.skipIf(junitparser is None, "python3-junitparser is not installed")
    def test_junit_counts_the_rows_of_the_file(self):
        for name in STATUS:
            with self.subTest(file=name):
                path = self.folder / "results.xml"
                path.write_text(self.report(name, "junit").out, encoding="utf-8")
                parsed = junitparser.JUnitXml.fromfile(str(path))
                cases = [case for suite in parsed for case in suite]
                not_run = [case for case in cases if [result.type for result in case.result] == ["not-run"]]
                self.assertEqual(not_run == [], name in COMPLETE)
                self.assertEqual((len(cases), parsed.failures, parsed.errors, parsed.skipped), (
                    self.value(name, f"count(DISTINCT {POINT})") + len(not_run),
                    self.value(name, f"count(DISTINCT CASE WHEN verdict <> expected THEN {POINT} END)"), len(not_run),
                    self.value(name, f"count(DISTINCT CASE WHEN verdict IS NULL THEN {POINT} END)")))
                self.assertEqual(parsed.tests, len(cases))
                devices = self.run_file(self.file(name)).rows("SELECT id FROM device")
                self.assertEqual(len(list(parsed)), len(devices))


class Yesterday(Day):
    CALM = ("UPDATE verdict SET verdict = 'pass', cause = NULL WHERE trial IN"
            " (SELECT id FROM trial WHERE scenario = 'optimist')")
    OTHER_DRIVER = "UPDATE device SET driver_version = 'of yesterday'"
    OTHER_NAMES = "UPDATE device SET name = 'cpu-' || name"
    UUIDS = "UPDATE device SET uuid = printf('%032x', ordinal + 1)"

    def check(self, before, after, *pairings):
        """The surprise of today is told of each device, and the rule by which it was paired."""
        devices = self.run_gridlock("compare", before, after, "--format", "json", code=EXIT_SURPRISE).json()["devices"]
        self.assertEqual([device["paired_by"] for device in devices], list(pairings))
        for device in devices:
            self.assertEqual(device["driver_before"], "of yesterday")
            self.assertEqual([(point["id"], point["change"]) for point in device["points"]], [(SURPRISE, "regression")])
            self.assertEqual(device["same"], 16)
        return self.run_gridlock("compare", before, after, code=EXIT_SURPRISE).out

    def strict(self, before, code):
        return self.run_gridlock("compare", before, self.file("merged"), "--strict", code=code).err

    def test_other_driver(self):
        before = self.yesterday("driver", self.CALM, self.OTHER_DRIVER)
        out = self.check(before, self.file("merged"), *DEVICES * ["same"])
        self.assertEqual(out.count(f"  {SURPRISE}: pass -> starved\n"), DEVICES)
        self.strict(before, EXIT_SURPRISE)

    def test_other_names_and_uuids(self):
        before = self.yesterday("names", self.CALM, self.OTHER_DRIVER, self.OTHER_NAMES, self.UUIDS)
        after = self.yesterday("today", self.UUIDS, of="merged")
        self.assertEqual(self.check(before, after, *DEVICES * ["uuid"]).count("paired by UUID"), DEVICES)

    def test_other_names_alone(self):
        before = self.yesterday("names", self.CALM, self.OTHER_DRIVER, self.OTHER_NAMES)
        out = self.check(before, self.file("merged"), *DEVICES * ["left"])
        self.assertEqual(out.count("paired because no other is left"), DEVICES)
        self.assert_sentence(self.strict(before, EXIT_USAGE), "--match OLD=NEW", "'cpu-", "and 5 more")

    def test_other_name_of_one(self):
        before = self.yesterday("one", self.CALM, self.OTHER_DRIVER,
                                f"{self.OTHER_NAMES}, ordinal = 0 WHERE ordinal = 3")
        out = self.check(before, self.file("merged"), *["left" if place == 3 else "same" for place in range(DEVICES)])
        self.assertEqual(out.count("paired because no other is left"), 1)
        self.strict(before, EXIT_USAGE)

    def test_what_lacks_points_is_not_green(self):
        """Where the surprise is not in the file, it is the points that are gone which must not be overlooked."""
        before = self.yesterday("driver", self.CALM, self.OTHER_DRIVER)
        for name in ("killed", "with_killed", "without_second"):
            out = self.run_gridlock("compare", before, self.file(name), code=EXIT_STOPPED).out
            self.assertIn(f"The second run, {self.file(name)}, did not end or lacks a shard", out)
        self.run_gridlock("compare", before, self.file("without_third"), code=EXIT_SURPRISE)

    def test_a_fix_is_none(self):
        """The other way round, what surprised no longer does."""
        before = self.yesterday("driver", self.CALM, self.OTHER_DRIVER)
        devices = self.run_gridlock("compare", self.file("merged"), before, "--format", "json").json()["devices"]
        self.assertEqual([[point["change"] for point in device["points"]] for device in devices], DEVICES * [["fix"]])


if __name__ == "__main__":
    gridlock_test.main()
