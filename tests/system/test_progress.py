"""`gridlock progress` on model devices, and what report, compare, explain, merge and resume make of its run files."""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import unittest
import xml.etree.ElementTree

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE
from run_builder import Builder

EXIT_SURPRISE, EXIT_WEDGED = 1, 5

FORMATS = ("text", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus")
MODELS = ("HSA", "OBE", "HSA_OBE", "LOBE", "FAIR")
CASES = [f"{model}-{fairness}" for model in MODELS for fairness in ("weak", "strong")]
# What depends on the time that a run took, or on when it was.
TIMES = re.compile(r' in \d+\.\d s;| of \d+\.\d\d ms|"(?:duration|stall)_ns": (?:\d+|null)| time="[\d.]+"| timestamp="\S+"'
                   r'|duration_s: [\d.]+|(?m:^gridlock_run_started\S+ .*\n)|(?m:^\{"schema_version": "1", "type": "run",.*\n)')
# 0 waits for 1: whichever of them starts later, only a device on which all are sure of turns ends it under each mapping.
LATER, EARLIER = "0,0,-,0|0,0,1,1", "0,0,1,1|0,0,-,0"
# 1 waits for 0.
UP = "0,0,1,1|0,0,-,0"
# Each takes a lock and releases it.
LOCK = "0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2"


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "a.run"

    def progress(self, *arguments, path=None, code=EXIT_OK, **variables):
        return self.run_gridlock("progress", "-q", *arguments, "-o", str(path or self.path), code=code, **variables).out

    def report(self, form="text", *options, path=None, code=EXIT_OK):
        return self.run_gridlock("report", str(path or self.path), "--format", form, *options, code=code).out

    def write_tests(self, *programs):
        path = self.folder / "tests.txt"
        path.write_text("".join(f"{program}\n" for program in programs))
        return str(path)

    def rows(self, query, path=None):
        connection = sqlite3.connect(f"file:{path or self.path}?mode=ro", uri=True, timeout=60)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def change(self, path, statement):
        connection = sqlite3.connect(path)
        connection.executescript(statement)
        connection.commit()
        connection.close()


class Reports(Case):
    def test_text_and_json_are_what_was_printed(self):
        for form in ("text", "json"):
            with self.subTest(form=form):
                path = self.folder / f"{form}.run"
                printed = self.progress("-d", "model:obe:8", "-d", "model:fair", "--format", form, path=path)
                self.assertEqual(self.report(form, path=path), printed)

    def test_cases(self):
        self.progress("-d", "model:obe:8")
        names = re.findall(r"(?m)^(?:not )?ok \d+ - progress/(\S+)", self.report("tap"))
        self.assertEqual(names, [*CASES, "blocks"])
        self.assertIn("progress/blocks", self.report("tap"))
        suite = xml.etree.ElementTree.fromstring(self.report("junit"))
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("11", "0", "0"))
        told = {case.get("name") for case in suite.iter("testcase") if case.find("system-out") is not None}
        self.assertEqual(told, set(CASES) - {"OBE-weak", "OBE-strong"})
        self.assertEqual(re.findall(r"TEST_CASE_ID=progress\.(\S+) RESULT=pass>", self.report("lava")), [*CASES, "blocks"])

    def test_rows(self):
        self.progress("-d", "model:obe:8", "--no-limit")
        rows = list(csv.DictReader(io.StringIO(self.report("csv"))))
        self.assertEqual([f"{row['model']}-{row['fairness']}" for row in rows], CASES)
        kept = {row["case"] for row in rows if row["broken"] == "false"}
        self.assertEqual(kept, {"OBE-weak", "OBE-strong"})
        self.assertEqual([row["case"] for row in rows if row["strongest"] == "true"], ["OBE-strong"])
        for row in rows:
            self.assertEqual(row["program"] != "", row["broken"] == "true", row)
            self.assertEqual(int(row["guaranteed"]),
                             int(row["ended"]) + int(row["stalled"]) + int(row["undecided"]), row)
        table = [line for line in self.report("markdown").splitlines() if re.match(r"\| [A-Z]", line)]
        self.assertEqual(len(table), len(CASES))
        metrics = self.report("prometheus")
        self.assertRegex(metrics, r'gridlock_model_broken\{.*,model="OBE",fairness="strong"\} 0\n')
        self.assertRegex(metrics, r'gridlock_model_broken\{.*,model="HSA",fairness="weak"\} 1\n')
        self.assertNotIn("gridlock_blocking_groups{", metrics)

    def test_limit(self):
        self.progress("-d", "model:obe:8", "--tests", self.write_tests(LATER))
        self.assertIn("gridlock_blocking_groups{device=\"model:obe:8\"", self.report("prometheus"))
        self.assertIn("groups that keep later ones from starting: **8**", self.report("markdown"))

    def test_expected(self):
        """What was expected is in the run file, however it was written."""
        for words in (("--expect", "hsa_obe:weak"), ("--expect=HSA_OBE:weak",), ("--exp", "HSA_OBE:weak")):
            with self.subTest(words=words):
                self.path.unlink(missing_ok=True)
                self.progress("-d", "model:obe:8", *words, code=EXIT_SURPRISE)
                failed = re.findall(r"(?m)^not ok \d+ - progress/(\S+)", self.report("tap", code=EXIT_SURPRISE))
                self.assertEqual(failed, ["HSA-weak", "HSA_OBE-weak"])
        suite = xml.etree.ElementTree.fromstring(self.report("junit", code=EXIT_SURPRISE))
        failure = suite.find(".//failure")
        self.assertIn("0,0,-,0|0,0,1,0", failure.get("message"))
        self.report("text", "--exit-zero")

    def test_expected_and_kept(self):
        printed = self.progress("-d", "model:obe:8", "--expect", "OBE")
        self.assertEqual(self.report(), printed)
        lines = [json.loads(line) for line in self.report("jsonl").splitlines()]
        self.assertEqual([f"{line['model']}-{line['fairness']}" for line in lines if line.get("expected")],
                         ["OBE-weak", "OBE-strong"])

    def test_not_tested_is_skipped(self):
        self.progress("-d", "model:fair", "--tests", self.write_tests(LATER), "--mapping", "chunked", "--no-limit")
        tap = self.report("tap")
        self.assertRegex(tap, r"(?m)^ok \d+ - progress/OBE-weak # SKIP not-tested$")
        self.assertRegex(tap, r"(?m)^ok \d+ - progress/FAIR-strong$")

    @unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
    def test_schemas(self):
        self.progress("-d", "model:obe:8", "-d", "model:fair")
        schemas.validator("progress").validate(json.loads(self.report("json")))
        validator = schemas.validator("jsonl")
        lines = [json.loads(line) for line in self.report("jsonl").splitlines()]
        for line in lines:
            validator.validate(line)
        self.assertEqual([line["type"] for line in lines], ["run", *["device", *["model"] * len(CASES)] * 2])
        self.assertEqual(lines[0]["of"], "progress")

    def test_nothing_was_run(self):
        self.progress("-d", "model:fair", "--tests", self.write_tests(LATER), "--mapping", "hybrid", "--no-limit",
                      code=EXIT_UNSUPPORTED)
        for form in FORMATS:
            self.report(form, code=EXIT_UNSUPPORTED)
        self.assertEqual(self.run_gridlock("explain", str(self.path)).out, "No litmus test was run.\n")


class Trouble(Case):
    """Files that no sound device leaves."""

    def builder(self, **device):
        builder = Builder(self.path, command_line="gridlock progress")
        builder.device(**device)
        return builder

    def failed(self, code=EXIT_SURPRISE):
        return re.findall(r"(?m)^not ok \d+ - progress/(\S+)", self.report("tap", code=code))

    def test_engines_disagree(self):
        builder = self.builder()
        for engine, stalls in (("table", 20), ("compiled", 0)):
            builder.block(1, tests=({"program": LATER, "stalled": stalls, "confirmed": stalls > 0},), engine=engine)
        builder.close()
        self.assertEqual(self.failed(), ["engines"])
        for form in FORMATS[3:6]:
            self.assertIn("stalls only by the table", self.report(form, code=EXIT_SURPRISE))
        last = list(csv.DictReader(io.StringIO(self.report("csv", code=EXIT_SURPRISE))))[-1]
        self.assertEqual((last["case"], last["model"]), ("engines", ""))

    def test_engines_agree(self):
        builder = self.builder()
        for engine in ("table", "compiled"):
            builder.block(1, tests=({"program": LATER},), engine=engine)
        builder.close()
        self.assertEqual(self.failed(EXIT_OK), [])
        self.assertIn("ok 11 - progress/engines\n", self.report("tap"))

    def test_block_that_did_not_end(self):
        builder = self.builder()
        builder.block(1, tests=({"program": LATER},))
        builder.block(1, tests=(), verdict="crash", outcome="crashed", note="it | broke", digest="0" * 16)
        builder.block(1, ended=False, digest="1" * 16)
        builder.close()
        self.assertEqual(self.failed(), ["blocks"])
        error = xml.etree.ElementTree.fromstring(self.report("junit", code=EXIT_SURPRISE)).find(".//error")
        self.assertIn("2 blocks of tests did not come to their end", error.get("message"))
        shown = self.run_gridlock("explain", str(self.path)).out
        self.assertIn("2 blocks of tests did not come to their end", shown)
        self.assertNotIn("Nothing failed", shown)
        name = f"progress/quick/round-robin/table/l32/g64/i20/{'0' * 16}"
        self.assertIn("it | broke", self.run_gridlock("explain", f"{self.path}:{name}").out)

    def test_strange_names(self):
        name = "a <b> & \"c\" | %s # \x07"
        builder = self.builder(name=name, platform=name, driver_version=name)
        builder.block(1, tests=({"program": LATER, "stalled": 2, "confirmed": 1},), note=name)
        builder.close()
        for form in FORMATS:
            self.assertNotIn("\x07", self.report(form), form)
        for command in (("explain", str(self.path)), ("compare", str(self.path), str(self.path))):
            self.assertNotIn("\x07", self.run_gridlock(*command).out)

    def test_wedged(self):
        builder = self.builder(wedged=1)
        builder.block(1, tests=({"program": LATER},))
        builder.close()
        for form in FORMATS:
            self.report(form, code=EXIT_WEDGED)

    def test_program_that_is_none(self):
        builder = self.builder()
        builder.block(1, tests=({"program": "0,0,-,0|nonsense"},))
        builder.close()
        for command in ("report", "explain"):
            result = self.run_gridlock(command, str(self.path), code=None)
            self.assertNotEqual(result.code, EXIT_OK)
            self.assert_sentence(result.err, "nonsense")

    def test_beside_another_command(self):
        """Of a merged file with runs of both, the scenarios are reported."""
        builder = self.builder()
        builder.block(1, tests=({"program": LATER, "stalled": 2, "confirmed": 1},))
        builder.insert("run", uuid="22345678-1234-4abc-8def-123456789abc", command_line="gridlock run toy")
        builder.trial(1)
        builder.close()
        self.assertIn("1 points of 1 scenarios", self.report())
        shown = self.run_gridlock("explain", str(self.path)).out
        self.assertNotIn("Nothing failed", shown)
        self.assertIn("broken by:", shown)


class States(Case):
    """LOBE guarantees neither of these tests, and one of them stalled with a group that LOBE promises turns."""
    OWED = {"program": LATER, "stalled": 2, "confirmed": 1, "groups": 64, "started": 40, "stuck": 3, "instance": 4,
            "threads_started": 2, "positions": "- 0"}

    def build(self, **changes):
        builder = Builder(self.path, command_line="gridlock progress --expect LOBE:weak")
        builder.device()
        builder.block(1, tests=({**self.OWED, **changes}, {"program": UP}, {"program": LOCK}))
        builder.close()

    def rows_of(self, form, code):
        read = csv.DictReader(io.StringIO(self.report(form, code=code)))
        return {row["case"]: row for row in read}

    def test_a_state_breaks_a_model(self):
        self.build()
        lobe = self.rows_of("csv", EXIT_SURPRISE)["LOBE-weak"]
        self.assertEqual([lobe[name] for name in ("stalled", "states", "broken", "program")], ["0", "1", "true", LATER])
        self.assertIn("1 test stalled in a state that it does not allow", lobe["evidence"])
        self.assertEqual(re.findall(r"(?m)^not ok \d+ - progress/(\S+)", self.report("tap", code=EXIT_SURPRISE)),
                         ["LOBE-weak"])
        shown = self.report(code=EXIT_SURPRISE)
        self.assertIn("LOBE (weak), LOBE (strong), FAIR (weak), FAIR (strong) broken by:", shown)
        self.assertIn("Under LOBE threads 0, 1 would get turns, and thread 0 never got one.", shown)
        self.assertIn("LOBE (weak), LOBE (strong), FAIR (weak)", self.run_gridlock("explain", str(self.path)).out)
        self.assertRegex(self.report("prometheus", code=EXIT_SURPRISE),
                         r'gridlock_model_states\{.*model="LOBE",fairness="weak",confirmed="1"\} 1\n')

    def test_a_state_that_it_allows(self):
        """Only a later group never started."""
        self.build(threads_started=1, positions="0 -", started=5)
        self.assertEqual(self.rows_of("csv", EXIT_OK)["LOBE-weak"]["broken"], "false")

    def test_what_was_not_decided_is_said(self):
        """Each format that names the strongest model says it, and those of single models do."""
        self.build(stalled=0, undecided=2, confirmed=0)
        lobe = self.rows_of("csv", EXIT_OK)["LOBE-weak"]
        self.assertEqual([lobe[name] for name in ("doubtful", "broken")], ["1", "false"])
        device, = json.loads(self.report("json"))["devices"]
        self.assertEqual(device["strongest_undecided"], 1)
        self.assertIn("1 test might refute it, but was not decided.\n", self.report())
        self.assertIn("not decided: **1**", self.report("markdown"))
        for form in ("tap", "junit"):
            self.assertIn("1 test seemed to stall in a state", self.report(form), form)
        self.assertIn("progress.LOBE-weak RESULT=pass MEASUREMENT=1 UNITS=undecided>", self.report("lava"))
        self.assertIn('"strongest_undecided": 1,', self.report("jsonl"))


class Merged(Case):
    def test_shards_are_the_whole(self):
        command = ("-d", "model:hsa", "-d", "model:obe:8", "--engine", "table,compiled", "--expect", "OBE")
        paths = [self.folder / f"{shard}.run" for shard in range(2)]
        for shard, path in enumerate(paths):
            self.progress(*command, "--shard", f"{shard}/2", path=path, code=None)
        self.progress(*command, code=EXIT_SURPRISE)
        whole = [TIMES.sub("", self.report(form, code=EXIT_SURPRISE)) for form in FORMATS]
        for order in (paths, paths[::-1]):
            merged = self.folder / "merged.run"
            self.run_gridlock("merge", "-q", "-o", str(merged), *map(str, order))
            for form, wanted in zip(FORMATS, whole):
                got = TIMES.sub("", self.report(form, path=merged, code=EXIT_SURPRISE))
                self.assertEqual(got, wanted, form)
            merged.unlink()


class Resumed(Case):
    BOUNDS = ("-d", "model:lobe:8", "--suite", "published-bounds", "--mapping", "chunked")
    # All that a test came to, but for the time.
    OUTCOMES = ("SELECT suite, mapping, program, ran, stalled, undecided, confirmed, cut, positions, instance, memory"
                " FROM litmus JOIN trial ON trial.id = litmus.trial ORDER BY suite, mapping, program, trial.groups, ran")

    def kill_in_the_middle(self):
        """Returns what had ended."""
        process = self.start("progress", "-q", *self.BOUNDS, "-o", str(self.path))

        def begun():
            try:
                return self.rows("SELECT count(*) FROM trial")[0][0]
            except sqlite3.Error:
                return 0
        self.wait_until(lambda: begun() >= 20 or process.poll() is not None, "some blocks")
        process.kill()
        self.assertEqual(self.finish(process).code, -signal.SIGKILL)
        connection = sqlite3.connect(self.path)  # it undoes what the killed writer has left
        before = connection.execute("SELECT * FROM litmus").fetchall()
        connection.close()
        self.assertGreater(len(before), 0)
        return before

    def check_resumed(self, before, *arguments, code):
        """What had ended was kept, and all tests have come to what they come to in a run that nobody disturbs."""
        whole = self.folder / "whole.run"
        self.progress(*self.BOUNDS, path=whole)
        result = self.run_gridlock("resume", "-q", *arguments, str(self.path), code=code)
        self.assertLess(len(before), self.rows("SELECT count(*) FROM litmus", whole)[0][0])
        kept = {row[:2]: row for row in self.rows("SELECT * FROM litmus")}
        self.assertTrue(all(kept.get(row[:2]) == row for row in before), "what had ended was changed")
        self.assertTrue(self.rows(self.OUTCOMES) == self.rows(self.OUTCOMES, whole), "tests came to something else")
        self.assertEqual(self.report(code=result.code), result.out)
        return whole

    def test_after_a_kill(self):
        """The block that was running is tried again."""
        whole = self.check_resumed(self.kill_in_the_middle(), "--retry-incomplete", code=EXIT_OK)
        for form in FORMATS:
            self.assertTrue(TIMES.sub("", self.report(form)) == TIMES.sub("", self.report(form, path=whole)), form)

    def test_block_that_was_running_is_not_trusted(self):
        """Its tests are run one by one, and it stays one that did not end."""
        before = self.kill_in_the_middle()
        unfinished = self.rows("SELECT count(*) FROM trial WHERE duration_ns IS NULL")[0][0]
        self.check_resumed(before, code=EXIT_SURPRISE if unfinished > 0 else EXIT_OK)

    def test_other_tests_are_not_gone_on_with(self):
        tests = self.write_tests(LATER)
        self.progress("-d", "model:fair", "--tests", tests, "--no-limit")
        self.write_tests(LATER, EARLIER)
        result = self.run_gridlock("resume", str(self.path), code=EXIT_USAGE)
        self.assert_sentence(result.err.splitlines(keepends=True)[-1], "tests.txt", "--force")


class Large(Case):
    """A model device of which a single launch takes long."""

    def test_it_answers_signals(self):
        for wanted in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=wanted):
                self.path.unlink(missing_ok=True)
                process = self.start("progress", "-q", "-d", "model:obe:65531", "--mapping", "chunked", "-o",
                                     str(self.path))

                def begun():
                    try:
                        return self.rows("SELECT count(*) FROM trial")[0][0] > 0
                    except sqlite3.Error:
                        return False
                self.wait_until(begun, "a block")
                process.send_signal(wanted)
                self.assertEqual(self.finish(process).code, 128 + wanted)
                self.assertEqual(self.rows("SELECT outcome FROM observation"), [("interrupted",)])

    def test_status(self):
        """A line is there before the first of its tests has ended."""
        seen, _ = self.on_terminal("stderr", "progress", "-d", "model:obe:16000", "--tests", self.write_tests(LATER),
                                   "--mapping", "chunked", "--groups", "16000", "--iterations", "1", "--no-limit", "-o",
                                   str(self.path))
        self.assertRegex(seen, r"\r\x1b\[K0/1 tests, 0 stalled")


class Compared(Case):
    def compare(self, before, after, *options, code=EXIT_OK):
        """Two model devices as if they were one with two drivers."""
        paths = []
        for device in (before, after):
            path = self.folder / f"{device}.run"
            if not path.exists():
                self.progress("-d", device, path=path)
                self.change(path, "UPDATE device SET name = 'one'")
            paths.append(str(path))
        return self.run_gridlock("compare", *paths, *options, code=code).out

    def test_regression_and_fix(self):
        worse = self.compare("model:lobe:8", "model:obe:8", code=EXIT_SURPRISE)
        self.assertIn("\nModels that are broken now\n  HSA (weak): by 0,0,-,0|0,0,1,0, mapping ", worse)
        self.assertNotIn("no more\n  ", worse)
        self.assertRegex(worse, r"Tests that stall now: \d+\n(  .*\n){8}  and \d+ more\n")
        better = self.compare("model:obe:8", "model:lobe:8")
        self.assertIn("\nModels that are broken no more\n  HSA (weak)\n", better)
        self.assertIn("Tests that end now: ", better)
        self.assertNotIn("Tests that stall now", better)

    def test_both_at_once(self):
        found = json.loads(self.compare("model:obe:8", "model:hsa", "--format", "json", code=EXIT_SURPRISE))
        self.assertTrue(found["regression"])
        changes = {f"{model['model']}-{model['fairness']}": model["change"] for model in found["devices"][0]["models"]}
        self.assertEqual(changes, {"HSA-weak": "fix", "HSA-strong": "fix", "OBE-weak": "regression",
                                   "OBE-strong": "regression"})
        device, = found["devices"]
        self.assertEqual(device["same"] + len(device["tests"]), 448)
        page = self.compare("model:obe:8", "model:hsa", "--format", "markdown", code=EXIT_SURPRISE)
        self.assertIn("| OBE | weak | **broken** | ", page)
        self.assertIn("| HSA | weak | broken no more | ", page)

    def build(self, name, stalled, **changes):
        """A run in which a test that HSA guarantees stalled so often, of 20 launches."""
        path = self.folder / name
        builder = Builder(path, command_line="gridlock progress")
        builder.device()
        builder.block(1, tests=({"program": UP, "stalled": stalled, "confirmed": stalled > 0, **changes},))
        builder.close()
        return str(path)

    def test_chance(self):
        """One stall of 20 launches more is no change, in either direction; nor are four, and five are one."""
        never = self.build("never.run", 0)
        for stalled, change in ((1, "chance"), (4, "chance"), (5, "regression"), (20, "regression")):
            often = self.build(f"{stalled}.run", stalled)
            with self.subTest(stalled=stalled):
                code = EXIT_SURPRISE if change == "regression" else EXIT_OK
                for paths, wanted in (((never, often), change), ((often, never), change.replace("regression", "fix"))):
                    result = self.run_gridlock("compare", *paths, "--format", "json",
                                               code=code if paths[0] == never else EXIT_OK)
                    models = json.loads(result.out)["devices"][0]["models"]
                    self.assertIn(("HSA", wanted), {(model["model"], model["change"]) for model in models})
                    self.assertEqual({model["change"] for model in models}, {wanted})
        shown = self.run_gridlock("compare", never, self.build("one.run", 1)).out
        self.assertIn("Models that are broken in one run only, which may be chance\n"
                      "  HSA (weak): by 0 of 20 launches, and now by 1 of 20\n", shown)
        page = self.run_gridlock("compare", never, str(self.folder / "one.run"), "--format", "markdown").out
        self.assertIn("| HSA | weak | broken in one run only, which may be chance |", page)

    def test_state_is_one_launch(self):
        """Of the launches of a test that FAIR alone guarantees one stood in a state that LOBE does not allow."""
        never = self.build("never.run", 0, program=LATER)
        often = self.build("often.run", 20, program=LATER)
        models = json.loads(self.run_gridlock("compare", never, often, "--format", "json", code=EXIT_SURPRISE).out)
        changes = {model["model"]: (model["change"], model["seen_after"]["refuting"])
                   for model in models["devices"][0]["models"]}
        self.assertEqual(changes, {"FAIR": ("regression", 20), "LOBE": ("chance", 1), "HSA": ("chance", 1),
                                   "HSA_OBE": ("chance", 1)})

    def test_limit(self):
        lower = self.compare("model:obe:8", "model:obe:4", code=EXIT_SURPRISE)
        self.assertIn("keep these from starting: 8 -> 4\n", lower)
        self.assertIn("keep these from starting: 4 -> 8\n", self.compare("model:obe:4", "model:obe:8"))
        self.assertIn("8 -> none up to ", self.compare("model:obe:8", "model:fair"))
        self.compare("model:fair", "model:obe:8", code=EXIT_SURPRISE)

    def test_same(self):
        same = self.compare("model:obe:8", "model:obe:8")
        self.assertIn("448 tests as before, 0 not\n", same)
        self.assertNotIn("Models that", same)

    def test_other_device(self):
        for device in ("model:obe:8", "model:fair"):
            self.progress("-d", device, path=self.folder / f"{device}.run")
        shown = self.run_gridlock("compare", *(str(self.folder / f"{device}.run")
                                               for device in ("model:obe:8", "model:fair"))).out
        self.assertIn("model:obe:8 (gridlock): only in the first run\n", shown)
        self.assertIn("model:fair (gridlock): only in the second run\n", shown)

    def test_other_tests(self):
        """What only one of them ran is no change."""
        self.progress("-d", "model:fair", "--tests", self.write_tests(LATER, EARLIER), "--no-limit")
        fewer = self.folder / "fewer.run"
        self.progress("-d", "model:fair", "--tests", self.write_tests(LATER), "--no-limit", path=fewer)
        shown = self.run_gridlock("compare", str(self.path), str(fewer)).out
        self.assertRegex(shown, r"(?m)^5 tests as before, 0 not; 5 only in the first run, 0 only in the second$")

    def test_run_of_something_else(self):
        self.progress("-d", "model:fair", "--tests", self.write_tests(LATER), "--no-limit")
        other = self.folder / "other.run"
        builder = Builder(other)
        builder.trial(builder.device())
        builder.close()
        for paths in ((self.path, other), (other, self.path)):
            result = self.run_gridlock("compare", *map(str, paths), code=EXIT_USAGE)
            self.assert_sentence(result.err, f"'{self.path}' is a run of litmus tests", f"'{other}' is not")


class Explained(Case):
    def explain(self, *arguments, trial="", code=EXIT_OK):
        return self.run_gridlock("explain", f"{self.path}{trial}", *arguments, code=code)

    def test_reasons_are_those_of_the_report(self):
        printed = self.progress("-d", "model:obe:8")
        shown = self.explain().out
        reasons = re.findall(r"(?ms)^[^\n]+ broken by:\n.*?never got one\.$", printed)
        self.assertEqual(len(reasons), 2)
        for reason in reasons:
            self.assertIn(reason, shown)

    def test_each_block_that_is_named(self):
        self.progress("-d", "model:obe:8")
        names = re.findall(r"(?m)^  (progress/\S+): (\d+) of (\d+)$", self.explain().out)
        self.assertEqual(sum(int(stalled) for _, stalled, _ in names),
                         self.rows("SELECT count(*) FROM litmus JOIN trial ON trial.id = trial WHERE stalled > 0 "
                                   "AND suite <> 'limit'")[0][0])
        for name, stalled, tests in names:
            shown = self.explain(trial=f":{name}").out
            self.assertIn(f"{name}: {stalled} of {tests} tests stalled\n", shown)
            lines = re.findall(r"(?m)^  [-\d,;|]+: 20 of 20 stalled; x=[01] y=[01]; thread 0 .*; "
                               r"8 of 30 groups had started, \d+ ended$", shown)
            more = re.search(r"(?m)^  and (\d+) more$", shown)
            self.assertEqual(len(lines) + int(more[1] if more else 0), int(stalled), shown)
            self.assertEqual(self.explain(trial=f":{name.partition('#')[0]}").out, shown)

    def test_nothing_broken(self):
        self.progress("-d", "model:fair")
        shown = self.explain().out
        self.assertIn("No model was seen to be broken.", shown)
        self.assertNotIn("Nothing failed", shown)

    def test_what_cannot_be_drawn(self):
        self.progress("-d", "model:obe:8")
        for arguments in (("--format", "dot"), ("--format", "svg"), ("--format", "trace"), ("--format", "json"),
                          ("--reproducer", str(self.folder / "out"))):
            result = self.explain(*arguments, code=EXIT_USAGE)
            self.assertEqual(result.out, "")
            self.assert_sentence(result.err, "litmus tests")
        self.assert_sentence(self.explain(trial=":nosuch", code=EXIT_USAGE).err, "nosuch")


class Refused(Case):
    def check(self, *arguments, words):
        result = self.run_gridlock("progress", "-d", "model:fair", "-o", str(self.path), *arguments, code=EXIT_USAGE)
        self.assertEqual(result.out, "")
        for word in words:
            self.assertIn(word, result.err)
        self.assertFalse(self.path.exists())

    def test_names(self):
        for arguments, words in (
                (("--suite", "all"), ("quick", "published-bounds")),
                (("--mapping", "plain,diagonal"), ("diagonal", "round-robin", "shuffled")),
                (("--engine", "steam"), ("steam", "table", "compiled")),
                (("--guard", "maybe"), ("maybe", "off", "on")),
                (("--expect", "best"), ("best", "HSA_OBE", "LOBE", ":weak")),
                (("--expect", "OBE:rather"), ("OBE:rather", "HSA_OBE")),
                (("--mapping", "plain,"), ('--mapping "":', "shuffled")),
                (("--expect", ""), ('"": HSA',)),
                (("--groups", "2"), ("--groups 2", "3 threads")),
                (("-d", "model:obe:none"), ("model:obe:none",)),
                (("-d", "model:obe:999999999"), ("model:obe:999999999", "N from 1 to 65531")),
                (("-d", "model:best:8"), ("model:best",)),
                (("--live",), ("fuse",))):
            with self.subTest(arguments=arguments):
                self.check(*arguments, words=words)

    def test_tests(self):
        for text, words in (
                ("0,0,-,0|0,0,1,0\n0,0,-,0|0,7,1,0\n", ("line 2, column 11",)),
                ("0,0,-,9\n", ("line 1, column 7",)),
                ("\n", ("no test",)),
                ("\0\xff", ("line 1",)),
                ("|".join(["0,0,-,0"] * 17), ("line 1, column 129", "16 threads")),
                (";".join(["0,0,-,0"] * 65), ("line 1, column 513", "64 instructions"))):
            with self.subTest(text=text[:40]):
                path = self.folder / "tests.txt"
                path.write_text(text, encoding="latin-1")
                self.check("--tests", str(path), words=(str(path), *words))
        self.check("--tests", str(self.folder / "nosuch"), words=("nosuch", "No such file or directory"))
        self.check("--tests", str(self.folder), words=(str(self.folder), "Is a directory"))

    def test_large_tests_are_judged_or_refused(self):
        counter = "|".join(["0,0,-,0;1,0,1,1;0,1,0,2;1,1,-,3"] * 16)
        for program in (counter, ";".join(f"{i % 2},0,-,{i}" for i in range(64)), "|".join(["0,0,-,0"] * 16)):
            result = self.run_gridlock("progress", "-q", "-d", "model:fair", "--tests", self.write_tests(program),
                                       "-o", str(self.path), code=None)
            self.assertIn(result.code, (EXIT_OK, EXIT_USAGE), str(result))
            self.path.unlink(missing_ok=True)


@gridlock_test.needs_driver("pocl")
class Pocl(Case):
    def change_kernel(self, text, instead):
        """A folder of kernels, in which one place of litmus.h is another."""
        kernels = self.folder / "kernels"
        shutil.copytree(gridlock_test.ROOT / "kernels", kernels)
        path = kernels / "litmus.h"
        self.assertEqual(path.read_text().count(text), 1)
        path.write_text(path.read_text().replace(text, instead))
        return kernels

    def test_report_is_what_was_printed(self):
        tests = self.write_tests(LATER, EARLIER)
        printed = self.progress("-d", "pocl", "--tests", tests, "--mapping", "chunked,plain", "--iterations", "2",
                                "--no-limit", code=None, POCL_MAX_PTHREAD_COUNT=2)
        self.assertIn("4 tests, ", printed)
        code = self.run_gridlock("report", str(self.path), code=None).code
        self.assertEqual(self.report(code=code), printed)
        self.assertEqual(len(list(csv.DictReader(io.StringIO(self.report("csv", code=code))))), len(CASES))
        self.run_gridlock("explain", str(self.path))

    def test_a_worker_that_dies_loses_no_other_test(self):
        """The rest of its block is run test by test, and the run goes on."""
        programs = [LATER, EARLIER, LOCK] * 6
        process = self.start("progress", "-q", "-d", "pocl", "--tests", self.write_tests(*programs), "--mapping",
                             "plain,chunked", "--iterations", "50", "--no-limit", "-o", str(self.path),
                             POCL_MAX_PTHREAD_COUNT=2)

        def is_running():
            try:
                return self.rows("SELECT 1 FROM trial WHERE estimator = 'progress' AND duration_ns IS NULL")
            except sqlite3.Error:
                return []
        self.wait_until(lambda: is_running() or process.poll() is not None, "a block")
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
        worker, = children.split()
        os.kill(int(worker), signal.SIGKILL)
        result = self.finish(process)
        self.assertEqual(result.code, EXIT_SURPRISE, str(result))
        self.assertRegex(result.out, r"did not come to (its|their) end: .*signal 9")
        notes = self.rows("SELECT mapping, note FROM trial WHERE estimator = 'progress' AND note <> ''")
        self.assertEqual(len(notes), 1, notes)
        for mapping in ("plain", "chunked"):
            ran = self.rows("SELECT program FROM litmus JOIN trial ON trial.id = litmus.trial "
                            f"WHERE mapping = '{mapping}'")
            self.assertEqual(sorted(program for program, in ran), sorted(programs), mapping)
        each = self.rows("SELECT count(*) FROM (SELECT trial FROM litmus JOIN trial ON trial.id = litmus.trial "
                         f"WHERE mapping = '{notes[0][0]}' GROUP BY trial HAVING count(*) = 1)")
        self.assertGreater(each[0][0], 1)

    def test_who_gets_no_turns_has_not_stalled(self):
        """A group that stands for long between two instructions, as if others had all processors, breaks no model."""
        after = "    gl_fence_total();\n    return value;"
        stands = "    if (exchange == 1 && value == 0)\n        for (volatile uint i = 0; i < 600000000u; ++i)\n            ;\n"
        kernels = self.change_kernel(after, stands + after)
        shown = json.loads(self.progress(
            "-d", "pocl", "--tests", self.write_tests(LOCK), "--mapping", "round-robin", "--groups", "8", "--iterations",
            "1", "--no-limit", "--kernel-dir", str(kernels), "--format", "json", "--expect", "OBE", code=EXIT_OK,
            POCL_MAX_PTHREAD_COUNT=4))
        device, = shown["devices"]
        self.assertEqual(device["stalled_launches"], 0)
        self.assertFalse(any(model["broken"] for model in device["models"]), device["models"])

    def test_what_still_moves_has_not_stalled(self):
        """Of launches that nobody watches, those that a total fuse ends, while groups go on starting or ending."""
        counted = "    self->idle = moves != self->moves ? 0 : self->idle + 1;\n"
        moving = self.change_kernel(counted, "    self->idle = 0;\n")
        for kernels, stalled in ((gridlock_test.ROOT / "kernels", 2), (moving, 0)):
            shown = json.loads(self.progress(
                "-d", "pocl", "--tests", self.write_tests(LATER), "--mapping", "chunked", "--iterations", "2",
                "--channel", "none", "--no-limit", "--kernel-dir", str(kernels), "--format", "json", code=EXIT_OK,
                POCL_MAX_PTHREAD_COUNT=1))
            device, = shown["devices"]
            self.assertEqual(device["stalled_launches"], stalled, device)
            self.assertEqual(device["undecided_launches"], 2 - stalled, device)
            self.path.unlink()


if __name__ == "__main__":
    gridlock_test.main()
