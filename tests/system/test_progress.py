"""`gridlock progress` on model devices, and what report, compare, explain, merge and resume make of its run files."""
import csv
import io
import json
import re
import signal
import sqlite3
import unittest
import xml.etree.ElementTree

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE
from progress_case import CASES, EARLIER, EXIT_SURPRISE, EXIT_WEDGED, FORMATS, LATER, LOCK, UP, Case, timeless
from run_builder import Builder


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
        self.assertEqual(re.findall(r"TEST_CASE_ID=progress\.(\S+) RESULT=pass>", self.report("lava")),
                         [*CASES, "blocks"])

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

    def test_model_without_a_test_of_its_own(self):
        """Of a test that the weakest model guarantees nothing follows for stronger ones, though none of them is
        broken."""
        out = self.progress("-d", "model:lobe:8", "--tests", self.write_tests(UP), "--mapping", "plain", "--no-limit")
        self.assertRegex(out, r"(?m)^HSA +weak .* not broken$")
        for model in ("HSA +strong", "HSA_OBE +weak", "LOBE +strong", "FAIR +strong"):
            self.assertRegex(out, rf"(?m)^{model} .* no test of its own$")
        self.assertIn("a weaker model guarantees all of its tests", " ".join(out.split()))
        self.assertIn("The strongest model not broken, of those with a test of their own: HSA (weak)",
                      " ".join(out.split()))
        models = json.loads(self.report("json"))["devices"][0]["models"]
        self.assertEqual([f"{model['model']}-{model['fairness']}" for model in models if model["told_apart"]],
                         ["HSA-weak"])
        with self.subTest("csv"):
            self.progress("-d", "model:fair", "--tests", self.write_tests(LATER), "--mapping", "plain", "--no-limit",
                          path=self.folder / "b")
            rows = {row["case"]: row for row in csv.DictReader(io.StringIO(self.report("csv", path=self.folder / "b")))}
            names = ("guaranteed", "ended", "stalled", "undecided", "states", "doubtful", "broken")
            self.assertEqual([rows["OBE-weak"][name] for name in names], ["0", "", "", "", "", "", ""])
            self.assertEqual([rows["FAIR-weak"][name] for name in names], ["1", "1", "0", "0", "0", "0", "false"])
        self.assertRegex(self.report("markdown"), r"\| LOBE \| strong \|.*\| no test of its own \|")

    def test_each_model_has_tests_of_its_own(self):
        out = self.progress("-d", "model:lobe:8", "--no-limit")
        self.assertNotIn("of its own", out)
        self.assertIn("The strongest model not broken: LOBE.", out)
        self.assertTrue(all(model["told_apart"] for model in json.loads(self.report("json"))["devices"][0]["models"]))

    def test_limit_is_said_to_be_of_one_mapping(self):
        out = " ".join(self.progress("-d", "model:obe:8", "--tests", self.write_tests(LATER)).split())
        self.assertIn("Waits for later groups, mapping chunked: if 8 groups wait, the groups that they wait for never "
                      "start;"
                      " if 7 do, they start. ", out)
        self.assertIn("it is neither the number of resident groups", out)
        out = " ".join(self.progress("-d", "model:fair", "--tests", self.write_tests(LATER),
                                     path=self.folder / "b").split())
        self.assertRegex(out, r"mapping chunked: up to \d+ groups that wait keep no later group from starting\.")
        out = " ".join(self.progress("-d", "model:obe:1", "--tests", self.write_tests(LATER),
                                     path=self.folder / "c").split())
        self.assertIn("mapping chunked: a single waiting group keeps later groups from starting.", out)

    def test_limit(self):
        self.progress("-d", "model:obe:8", "--tests", self.write_tests(LATER))
        self.assertIn("gridlock_blocking_groups{device=\"model:obe:8\"", self.report("prometheus"))
        self.assertIn("waiting groups that keep later groups from starting, with mapping chunked: **8**",
                      self.report("markdown"))

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
        self.assertEqual(self.run_gridlock("explain", str(self.path)).out, "No litmus tests were run.\n")


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
            self.assertIn("stalls only when run by the table", self.report(form, code=EXIT_SURPRISE))
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
        self.assertIn("2 blocks of tests did not finish", error.get("message"))
        shown = self.run_gridlock("explain", str(self.path)).out
        self.assertIn("2 blocks of tests did not finish", shown)
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
        builder.run(uuid="22345678-1234-4abc-8def-123456789abc", command_line="gridlock run toy")
        builder.trial(1)
        builder.close()
        self.assertIn("1 point of 1 scenario", self.report())
        shown = self.run_gridlock("explain", str(self.path)).out
        self.assertNotIn("Nothing failed", shown)
        self.assertIn("broken by:", shown)


class States(Case):
    """LOBE guarantees neither of these tests, and one of them stalled with a group that LOBE promises turns."""
    OWED = {"program": LATER, "stalled": 2, "confirmed": 1, "groups": 64, "started": 40, "stuck": 3, "instance": 4,
            "threads_started": 2, "positions": "- 0"}

    def build(self, **changes):
        builder = Builder(self.path, command_line="gridlock progress --expect=LOBE:weak")
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
        self.assertIn("Under LOBE, threads 0, 1 would get turns, but thread 0 never got one.", shown)
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
        self.assertIn("1 test might refute it, but was undecided.\n", self.report())
        self.assertIn("undecided tests that might refute it: **1**", self.report("markdown"))
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
        whole = [timeless(self.report(form, code=EXIT_SURPRISE)) for form in FORMATS]
        for order in (paths, paths[::-1]):
            merged = self.folder / "merged.run"
            self.run_gridlock("merge", "-q", "-o", str(merged), *map(str, order))
            self.assertIn("2 of 2 shards", self.report("text", path=merged, code=EXIT_SURPRISE))
            with sqlite3.connect(merged) as database:  # but for that it is the whole
                database.execute("UPDATE run SET shard = NULL, shards = NULL, shard_by = NULL")
            database.close()
            for form, wanted in zip(FORMATS, whole):
                got = timeless(self.report(form, path=merged, code=EXIT_SURPRISE))
                self.assertEqual(got, wanted, form)
            merged.unlink()


class Resumed(Case):
    BOUNDS = ("-d", "model:lobe:8", "--suite", "published-bounds", "--mapping", "chunked")
    # All that a test came to, but for the time.
    OUTCOMES = ("SELECT suite, mapping, program, ran, stalled, undecided, confirmed, cut, positions, instance, memory"
                " FROM litmus JOIN trial ON trial.id = litmus.trial ORDER BY suite, mapping, program, trial.groups, "
                "ran")

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
        whole = self.kept_file(self.folder / "whole.run", self.BOUNDS,
                               lambda path: self.progress(*self.BOUNDS, path=path))
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
            self.assertTrue(timeless(self.report(form)) == timeless(self.report(form, path=whole)), form)

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


if __name__ == "__main__":
    gridlock_test.main()
