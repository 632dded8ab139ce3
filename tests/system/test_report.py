"""`gridlock report`: every format, from run files that the tests write; no device is needed."""
import csv
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

import gridlock_test
import schemas
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE
from report_case import EXIT_SURPRISE, EXIT_WEDGED, FORMATS, NAMES, Case, limits_trials
from run_builder import ON_BOARD

try:
    import junitparser
except ImportError:
    junitparser = None


class Blocks(Case):
    """Blocks of litmus tests beside what a report is about."""

    def add_blocks(self):
        builder = self.builder()
        builder.block(1, tests=({}, {"stalled": 3, "confirmed": 1}))
        builder.block(1, tests=(), verdict="crash", outcome="crashed", suite="limit")
        builder.block(1, ended=False, suite="full")
        builder.close()

    def check_left_out(self, code):
        before = [self.report(form, code=code) for form in FORMATS]
        self.add_blocks()
        self.assertEqual([self.report(form, code=code) for form in FORMATS], before)

    def test_scenarios(self):
        self.write_mixed()
        self.check_left_out(EXIT_SURPRISE)

    def test_limits(self):
        self.write_limits()
        self.check_left_out(EXIT_OK)

    def test_nothing_else(self):
        builder = self.builder()
        builder.device()
        builder.close()
        self.add_blocks()
        self.assertIn("0 points of 0 scenarios", self.report("text", code=EXIT_UNSUPPORTED))
        same = self.run_gridlock("compare", str(self.path), str(self.path), code=EXIT_USAGE).err
        self.assert_sentence(same, "nothing to compare", "no points")
        name = "progress/limit/round-robin/table/l32/g64/i20/0123456789abcdef"
        shown = self.run_gridlock("explain", f"{self.path}:{name}")
        self.assertIn("The block did not finish", shown.out)
        self.assertNotIn("Nothing failed", self.run_gridlock("explain", str(self.path)).out)


class Formats(Case):
    def test_text_counts_all(self):
        self.write_mixed()
        text = self.report("text", code=EXIT_SURPRISE)
        self.assertIn("9 points of 2 scenarios in 10 trials, 11 launches:\n4 as predicted, 2 surprises, 0 not "
                      "predicted, 1 undecided,"
                      " 1 unsupported\nincomplete points, which began but did not end: 1\n", text)
        self.assertRegex(text, r"(?m)^toy +2 +1 +1 +3 starved +3 of 5\n +2 SURPRISES, 1 undecided$")
        self.assertIn("toy/cl30/l64/g4\n    pass 1/2, stale 1/2, expected pass; in 1 of 1 batches\n"
                      "    4 of 9 reads across groups were stale\n", text)
        self.assertNotIn("g6: incomplete", text)
        self.assertIn("  toy/cl30/l64/g6: incomplete (pass)", self.report("text", "-v", code=EXIT_SURPRISE))

    def test_text_of_limits(self):
        self.write_limits()
        text = self.report("text")
        self.assertRegex(text, r"(?m)^    64 +0 +0 +4 +4 20/20 +5 20/20")
        self.assertIn("safe_groups  2 ", text)
        self.assertNotIn("groups: 20 of 20 passed", text)
        self.assertIn("  4 groups: 20 of 20 passed\n", self.report("text", "-v"))
        for name in ("64", "64/0/0"):  # as the table has it
            self.assertRegex(self.run_gridlock("explain", f"{self.path}:{name}").out, r"^limits/\w+/\S*l64\b")
        self.run_gridlock("explain", f"{self.path}:63", code=EXIT_USAGE)

    def test_junit(self):
        self.write_mixed()
        root = xml.etree.ElementTree.fromstring(self.report("junit", code=EXIT_SURPRISE))
        suite, = root.findall("testsuite")
        for element in (root, suite):
            self.assertEqual([element.get(name) for name in ("tests", "failures", "errors", "skipped")],
                             ["9", "1", "1", "3"])
        self.assertEqual(suite.get("name"), "some device")
        self.assertEqual(suite.get("timestamp"), "2023-11-14T22:13:20Z")
        outcomes = {(case.get("classname"), case.get("name")): [(child.tag, child.get("type")) for child in case]
                    for case in suite.findall("testcase")}
        self.assertEqual(outcomes, {
            ("toy", "cl30/l64/g2"): [], ("toy", "cl30/l64/g3"): [], ("toy", "cl30/l64/g4"): [("failure", "stale")],
            ("toy", "cl30/l64/g5"): [("skipped", "unsupported")], ("toy", "cl30/l64/g6"): [("skipped", "incomplete")],
            ("toy", "cl30/l64/g7"): [("error", "crash")], ("toy", "cl30/l64/g8"): [("skipped", "inconclusive")],
            ("toy", "cl30/l64/g9"): [], ("other", "cl30/l64/g2"): []})
        self.assertEqual(suite.find("testcase").get("time"), "0.002000")
        self.assertIn("4 of 9 reads across groups were stale", suite.find("testcase/failure").text)

    @unittest.skipIf(junitparser is None, "python3-junitparser is not installed")
    def test_junit_is_read_by_junitparser(self):
        for write in (self.write_mixed, self.write_names, self.write_limits):
            with self.subTest(write.__name__):
                self.path.unlink(missing_ok=True)
                write()
                path = self.folder / "results.xml"
                path.write_text(self.report("junit", code=None), encoding="utf-8")
                parsed = junitparser.JUnitXml.fromfile(str(path))
                cases = [case for suite in parsed for case in suite]
                self.assertEqual(parsed.tests, len(cases))
                self.assertEqual(sum(suite.failures for suite in parsed), parsed.failures)
                counted = [type(result) for case in cases for result in case.result]
                self.assertEqual((counted.count(junitparser.Failure), counted.count(junitparser.Error),
                                  counted.count(junitparser.Skipped)), (parsed.failures, parsed.errors, parsed.skipped))

    def prove(self, text):
        path = self.folder / "results.tap"
        path.write_text(text, encoding="utf-8")
        return subprocess.run(["prove", "-e", "cat", "-v", str(path)], capture_output=True, text=True, check=False,
                              env=dict(os.environ, LC_ALL="C"))

    @unittest.skipUnless(shutil.which("prove"), "prove is not installed")
    def test_tap_is_read_by_prove(self):
        self.write_mixed()
        text = self.report("tap", code=EXIT_SURPRISE)
        self.assertTrue(text.startswith("TAP version 13\n1..9\n# some device (some platform, driver 1.2)\n"), text)
        self.assertIn("\nok 2 - toy/cl30/l64/g3\n", text)
        self.assertIn("\nok 4 - toy/cl30/l64/g5 # SKIP unsupported\n", text)
        self.assertIn('\nnot ok 3 - toy/cl30/l64/g4\n  ---\n  verdict: stale\n  message: "pass 1/2, stale 1/2, '
                      'expected', text)
        proved = self.prove(text)
        self.assertIn("Failed 2/9 subtests", proved.stdout)
        self.assertIn("3 skipped", proved.stdout)
        self.assertIn("Failed tests:  3, 6", proved.stdout)
        self.assertNotIn("Parse errors", proved.stdout)

    @unittest.skipUnless(shutil.which("prove"), "prove is not installed")
    def test_tap_of_what_passed(self):
        self.write_limits()
        proved = self.prove(self.report("tap"))
        self.assertEqual(proved.returncode, 0, proved.stdout)
        self.assertIn("Result: PASS", proved.stdout)

    @unittest.skipUnless(shutil.which("prove"), "prove is not installed")
    def test_tap_of_strange_names(self):
        self.write_names()
        proved = self.prove(self.report("tap", code=EXIT_SURPRISE))
        self.assertIn(f"Failed {len(NAMES)}/{len(NAMES)} subtests", proved.stdout)
        self.assertNotIn("Parse errors", proved.stdout)

    @unittest.skipUnless(shutil.which("prove"), "prove is not installed")
    def test_wedged_device(self):
        self.write_mixed(wedged=1)
        text = self.report("tap", code=EXIT_WEDGED)
        self.assertTrue(text.endswith("Bail out! some device: the device stopped working; the rest was not run\n"),
                        text)
        self.assertIn("Bailout called", self.prove(text).stdout + self.prove(text).stderr)
        root = xml.etree.ElementTree.fromstring(self.report("junit", code=EXIT_WEDGED))
        self.assertEqual((root.get("tests"), root.get("errors")), ("10", "2"))
        self.assertIn("TEST_CASE_ID=gridlock.device RESULT=fail", self.report("lava", code=EXIT_WEDGED))

    def test_csv(self):
        self.write_mixed()
        text = self.report_bytes("csv", EXIT_SURPRISE)
        self.assertEqual(text.count(b"\n"), text.count(b"\r\n"))
        rows = list(csv.DictReader(io.StringIO(text.decode(), newline=""), strict=True))
        self.assertEqual(len(rows), 9)
        self.assertEqual([row["verdict"] for row in rows], ["pass", "starved", "stale", "unsupported", "incomplete",
                                                            "crash", "inconclusive", "hang", "pass"])
        self.assertEqual(rows[2]["surprise"], "true")
        self.assertEqual((rows[2]["launches"], rows[2]["passes"], rows[2]["expected"]), ("2", "1", "pass"))
        self.assertIn('needs wings, | and "more"', rows[3]["evidence"])

    def test_csv_has_no_numbers_of_what_did_not_run(self):
        self.write_mixed()
        rows = {row["verdict"]: row for row in csv.DictReader(io.StringIO(self.report("csv", code=EXIT_SURPRISE)))}
        for verdict, told in (("unsupported", "nothing was launched; needs wings"),
                              ("incomplete", "it began and did not end")):
            self.assertEqual((rows[verdict]["launches"], rows[verdict]["passes"]), ("", ""))
            self.assertIn(f"{verdict}, expected pass: {told}", rows[verdict]["evidence"])
        self.assertNotIn("0 groups started", rows["unsupported"]["evidence"] + rows["incomplete"]["evidence"])
        for verdict in ("starved", "crash", "inconclusive"):
            self.assertEqual((rows[verdict]["launches"], rows[verdict]["passes"]), ("1", "0"))

    def test_groups_of_which_nothing_was_read(self):
        builder = self.builder()
        builder.trial(builder.device(), ("hang",), {"outcome": "killed", "groups": 3, **dict.fromkeys(
            ("started", "done", "witnesses", "waiting", *ON_BOARD))}, groups=3, expected="pass")
        builder.close()
        row, = csv.DictReader(io.StringIO(self.report("csv", code=EXIT_SURPRISE)))
        self.assertIn("hang, expected pass: what its groups did could not be read", row["evidence"])

    def test_verdict_that_was_the_predicted_one(self):
        builder = self.builder()
        device = builder.device()
        builder.trial(device, ("inconclusive",) * 2, groups=2, expected="inconclusive")
        builder.trial(device, ("livelock",), groups=3, expected="livelock")
        builder.trial(device, ("stale", "pass"), groups=4, expected="pass or stale")
        builder.trial(device, ("inconclusive",), groups=5, expected="livelock", known="failure",
                      known_verdicts="inconclusive")
        builder.trial(device, ("inconclusive",), groups=6, expected="pass")
        builder.close()
        told = [row["evidence"].partition(": ") for row in csv.DictReader(io.StringIO(self.report("csv", code=None)))]
        self.assertEqual([before for before, _, _ in told[:3]], [
            "inconclusive, which decides nothing, as predicted", "livelock, as predicted",
            "pass 1/2, stale 1/2, expected pass or stale"])
        self.assertRegex(told[3][2], "^inconclusive, which decides nothing, expected livelock: ")
        self.assertEqual(told[4][0], "inconclusive, which decides nothing, expected pass")

    def report_bytes(self, form, code=EXIT_OK):
        done = subprocess.run([gridlock_test.PROGRAM, "report", str(self.path), "--format", form], check=False,
                              env=self.environment(), capture_output=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def test_csv_of_limits(self):
        self.write_limits()
        rows = list(csv.DictReader(io.StringIO(self.report("csv")), strict=True))
        self.assertEqual([(row["local_size"], row["resident"], row["passes_at"], row["stalls_at"]) for row in rows],
                         [("64", "4", "4", "5"), ("128", "2", "2", "3")])
        self.assertEqual([(row["estimators_agree"], row["monotone"]) for row in rows], [("true", "true")] * 2)

    def test_csv_of_a_footprint_that_was_not_measured(self):
        builder = self.builder(command_line="gridlock limits")
        limits_trials(builder, builder.device(), 64, 4, ended=False)
        builder.close()
        row, = csv.DictReader(io.StringIO(self.report("csv", code=None)))
        self.assertEqual([row[name] for name in ("measured", "resident", "estimators_agree", "monotone")],
                         ["false", "", "", ""])

    def test_no_barrier_is_blamed_that_was_not_tried(self):
        for began in (True, False):
            with self.subTest(began=began):
                self.path.unlink(missing_ok=True)
                builder = self.builder(command_line="gridlock limits")
                device = builder.device()
                if began:
                    limits_trials(builder, device, 64, 4, ended=False)
                builder.close()
                text = self.report("text", code=None)
                self.assertIn("some device", text)
                self.assertNotIn("safe_groups", text)
                found, = json.loads(self.report("json", code=None))["devices"]
                self.assertEqual((found["safe_groups"], found["safe_groups_reason"]), (None, "nothing was measured"))

    def test_csv_cells_are_no_formulas(self):
        self.write_names()
        text = self.report_bytes("csv", EXIT_SURPRISE).decode()
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        self.assertEqual(len(rows), 1 + len(NAMES))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        for row in rows:
            for cell in row:
                self.assertNotRegex(cell, r"\A[=+\-@\t\r]")
        self.assertIn("'=cmd|' /C calc'!A0", rows[1 + NAMES.index("=cmd|' /C calc'!A0")])

    def test_markdown_rows_have_as_many_cells(self):
        self.write_names()
        cells = None
        for row in self.report("markdown", "-v", code=EXIT_SURPRISE).splitlines():
            if not row.startswith("|"):
                cells = None
                continue
            found = len(re.findall(r"(?<!\\)\|", row.replace("\\\\", "")))
            cells = found if cells is None else cells
            self.assertEqual(found, cells, row)
            self.assertNotIn("<", row)

    def test_markdown(self):
        self.write_mixed()
        text = self.report("markdown", code=EXIT_SURPRISE)
        self.assertIn("| toy | 2 | 3 starved | 8 | 2 | 2 |\n", text)
        self.assertIn("| toy/cl30/l64/g4 | **stale** | pass 1/2, stale 1/2, expected pass: ", text)
        self.path.unlink()
        self.write_limits()
        self.assertIn("| 64 | 0 | 0 | 4 | 4 | 5 | ", self.report("markdown"))

    def test_lava(self):
        self.write_mixed()
        lines = self.report("lava", code=EXIT_SURPRISE).splitlines()
        self.assertEqual(lines[0], "<LAVA_SIGNAL_TESTSET START some_device>")
        self.assertEqual(lines[-1], "<LAVA_SIGNAL_TESTSET STOP>")
        found = [re.fullmatch(r"<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=([A-Za-z0-9._-]+) RESULT=([a-z]+)>", line).groups()
                 for line in lines[1:-1]]
        self.assertEqual([result for _, result in found],
                         ["pass", "pass", "fail", "skip", "unknown", "fail", "unknown", "pass", "pass"])
        self.assertEqual(found[0][0], "toy.cl30_l64_g2")

    def test_lava_of_strange_names(self):
        self.write_names()
        for line in self.report("lava", code=EXIT_SURPRISE).splitlines():
            self.assertRegex(line, r"^<LAVA_SIGNAL_(TESTSET (START [\w.-]+|STOP)|TESTCASE TEST_CASE_ID=[\w.-]+"
                                   r" RESULT=fail)>$")

    def samples(self, text):
        """{(metric, labels as written): value}; each metric once with its help and type, and all its samples behind
        them."""
        found, declared = {}, []
        for line in text.splitlines():
            if line.startswith("# HELP "):
                declared.append(line.split()[2])
                continue
            if line.startswith("# TYPE "):
                self.assertEqual(line.split()[2], declared[-1])
                continue
            matched = re.fullmatch(r'(\w+)(\{(?:\w+="(?:[^"\\]|\\[\\"n])*",?)*\}) ([0-9.]+)', line)
            self.assertIsNotNone(matched, line)
            self.assertEqual(matched[1], declared[-1], line)
            self.assertNotIn(matched.group(1, 2), found, line)
            found[matched.group(1, 2)] = float(matched[3])
        self.assertEqual(len(declared), len(set(declared)))
        return found

    def test_prometheus(self):
        self.write_mixed()
        found = self.samples(self.report("prometheus", code=EXIT_SURPRISE))
        device = 'device="some device",platform="some platform",driver="1.2",ordinal="0"'
        self.assertEqual(found["gridlock_safe_groups", f'{{{device},scenario="toy"}}'], 2)
        self.assertEqual(found["gridlock_unsafe_groups", f'{{{device},scenario="toy"}}'], 3)
        self.assertEqual(found["gridlock_resident_groups", f'{{{device},scenario="toy"}}'], 2)
        self.assertEqual(found["gridlock_points_total",
                               f'{{{device},scenario="toy",verdict="stale",outcome="surprise"}}'], 1)
        self.assertEqual(sum(value for (name, _), value in found.items() if name == "gridlock_points_total"), 9)
        self.assertIn(1700000000.123, found.values())

    def test_prometheus_of_limits(self):
        self.write_limits()
        found = self.samples(self.report("prometheus"))
        device = 'device="some device",platform="some platform",driver="1.2",ordinal="0"'
        self.assertEqual(found["gridlock_safe_groups", f"{{{device}}}"], 2)
        self.assertEqual(found["gridlock_resident_groups",
                               f'{{{device},local_size="64",local_memory_bytes="0",private_bytes="0"}}'], 4)

    def test_prometheus_of_strange_names(self):
        self.write_names()
        self.samples(self.report("prometheus", code=EXIT_SURPRISE))

    def test_devices_of_the_same_name_are_told_apart(self):
        builder = self.builder()
        for _ in range(2):
            builder.trial(builder.device(), expected="pass")
        builder.close()
        self.samples(self.report("prometheus"))
        suites = xml.etree.ElementTree.fromstring(self.report("junit")).findall("testsuite")
        self.assertEqual([suite.get("name") for suite in suites], ["some device #1", "some device #2"])
        self.assertEqual(self.report("lava").count("TESTSET START some_device"), 2)
        self.assertIn("TESTSET START some_device__1>", self.report("lava"))

    def test_what_was_not_predicted(self):
        """In each format: a verdict that the scenario's rule leaves open is no surprise, another one is."""
        self.write_unpredicted()
        surprising = [5, 6, 7, 9]
        text = self.report("text", code=EXIT_SURPRISE)
        self.assertEqual([int(groups) for groups in re.findall(r"(?m)^toy/cl30/l64/g(\d)$", text)], surprising)
        self.assertIn("0 as predicted, 4 surprises, 4 not predicted, 1 undecided", text)
        self.assertIn("    wrong, not predicted, allowed pass or starved; in 1 of 1 batches\n", text)
        self.assertIn("    hang, not predicted; in 1 of 1 batches\n", text)
        for form in ("json", "jsonl"):
            found = re.findall(r'"id":\s*"toy/cl30/l64/g(\d)".*?"surprise":\s*(true|false)', self.report(form, code=1),
                               re.S)
            self.assertEqual([int(groups) for groups, surprise in found if surprise == "true"], surprising)
        cases = xml.etree.ElementTree.fromstring(self.report("junit", code=EXIT_SURPRISE)).findall(".//testcase")
        self.assertEqual([[child.tag for child in case][:1] for case in cases], [
            [], [], [], ["skipped"], ["failure"], ["error"], ["failure"], [], ["error"]])
        self.assertRegex(cases[4].find("failure").get("message"), "^wrong, not predicted, allowed pass or starved: ")
        self.assertEqual(re.findall(r"(?m)^(not ok|ok) (\d)", self.report("tap", code=EXIT_SURPRISE)), [
            ("not ok" if groups in surprising else "ok", str(groups)) for groups in range(1, 10)])
        rows = list(csv.DictReader(io.StringIO(self.report("csv", code=EXIT_SURPRISE))))
        self.assertEqual([int(row["groups"]) for row in rows if row["surprise"] == "true"], surprising)
        self.assertEqual([row["allowed"] for row in rows][4:], ["pass or starved", "pass", "pass", "", ""])
        self.assertIn("| 9 | 4 | 0 |", self.report("markdown", code=EXIT_SURPRISE))
        self.assertEqual(re.findall("RESULT=([a-z]+)", self.report("lava", code=EXIT_SURPRISE)), [
            "pass", "pass", "pass", "unknown", "fail", "fail", "fail", "pass", "fail"])
        counts = re.findall(r'verdict="(\w+)",outcome="surprise".* (\d)', self.report("prometheus", code=EXIT_SURPRISE))
        self.assertEqual(sorted(counts), [("cut", "1"), ("hang", "2"), ("wrong", "1")])


    def test_reader_that_has_seen_enough(self):
        """A report and its exit status are the same whether or not it is read to its end."""
        self.write_mixed()
        status = self.run_gridlock("report", str(self.path), code=None).code
        for form in (*FORMATS, "html"):
            with self.subTest(form=form):
                self.assertEqual(self.run_unread("report", str(self.path), "--format", form, code=status).err, "")


class Output(Case):
    """-o FILE: what stdout gets otherwise."""

    def printed(self, *arguments, path="out", code=EXIT_OK):
        """In FILE; stdout has nothing, and nothing else is left."""
        result = self.run_gridlock(*arguments, "-o", str(self.folder / path), code=code, CLICOLOR_FORCE="0")
        self.assertEqual((result.out, result.err), ("", ""))
        self.assertEqual([path.name for path in self.folder.glob("*.part")], [])
        return (self.folder / path).read_text(encoding="utf-8")

    def test_each_command(self):
        self.write_mixed()
        path = str(self.path)
        for arguments, code in ((("report", path), EXIT_SURPRISE),
                                (("report", path, "--format", "html"), EXIT_SURPRISE),
                                (("report", path, "-v", "--exit-zero"), EXIT_OK), (("explain", path), EXIT_OK),
                                (("explain", path, "--format", "json"), EXIT_OK), (("compare", path, path), None)):
            with self.subTest(arguments=arguments):
                shown = self.run_gridlock(*arguments, code=code)
                self.assertEqual(self.printed(*arguments, code=shown.code), shown.out)

    def test_replaced_once_it_is_whole(self):
        self.write_mixed()
        (self.folder / "out").write_text("old\n" * 9999)
        shown = self.run_gridlock("report", str(self.path), code=EXIT_SURPRISE)
        self.assertEqual(self.printed("report", str(self.path), code=EXIT_SURPRISE), shown.out)
        for arguments in (("report", "nosuch"), ("report", str(self.path), "--fail-on", "kept"),
                          ("explain", str(self.path), "nosuch"), ("compare", str(self.path), "nosuch")):
            with self.subTest(arguments=arguments):
                self.run_gridlock(*arguments, "-o", "out", code=EXIT_USAGE)
                self.assertEqual((self.folder / "out").read_text(), shown.out)
                self.assertFalse((self.folder / "out.part").exists())

    def test_run_files_stay(self):
        self.write_mixed()
        database, packed = self.folder / "other.run", self.folder / "other.run.xz"
        shutil.copy(self.path, database)
        packed.write_bytes(lzma.compress(self.path.read_bytes()))
        for path in (self.path, database, packed):
            before = path.read_bytes()
            for arguments in (("report", str(self.path)), ("explain", str(self.path)),
                              ("compare", str(self.path), str(self.path))):
                with self.subTest(path=path.name, arguments=arguments):
                    result = self.run_gridlock(*arguments, "-o", str(path), code=EXIT_USAGE)
                    self.assert_sentence(result.err, str(path), "it is a run file")
                    self.assertEqual(path.read_bytes(), before)

    def test_what_is_no_file(self):
        self.write_mixed()
        shown = self.run_gridlock("report", str(self.path), code=EXIT_SURPRISE).out
        for place in ("-", "/dev/stdout"):
            self.assertEqual(self.run_gridlock("report", str(self.path), "-o", place, code=EXIT_SURPRISE).out, shown)
        for place, words, code in (("/dev/full", "No space left", EXIT_HARNESS),
                                   (str(self.folder), "Is a directory", EXIT_USAGE),
                                   ("missing/out", "No such file", EXIT_USAGE), ("x" * 5000, "too long", EXIT_USAGE)):
            with self.subTest(place=place[:20]):
                result = self.run_gridlock("report", str(self.path), "-o", place, code=code)
                self.assert_sentence(result.err, place[:50], words)


class Known(Case):
    """Failures that the lists of a run knew."""

    def write(self):
        builder = self.builder()
        device = builder.device()
        builder.trial(device, ("stale",), groups=1, expected="pass", known="failure", known_verdicts="stale or wrong")
        builder.trial(device, ("pass",), groups=2, expected="pass", known="failure", known_verdicts="stale")
        builder.trial(device, ("crash",), groups=3, expected="pass", known="failure", known_verdicts="stale")
        builder.trial(device, ("wrong",), groups=4, expected="pass", known="flake")
        builder.trial(device, ("pass",), groups=4, expected="pass", known="flake", sequence=1, position=4)
        builder.close()

    def test_text_and_json(self):
        self.write()
        text = self.report("text", code=EXIT_SURPRISE)
        self.assertIn("known failures: 2 failed again, 1 did not\n", text)
        self.assertEqual(re.findall(r"(?m)^toy/cl30/l64/(.*)$", text), ["g3"])
        points = {line["id"]: line for line in map(json.loads, self.report("jsonl", code=EXIT_SURPRISE).splitlines())
                  if line["type"] == "point"}
        flake = points["toy/cl30/l64/g4"]
        self.assertEqual((flake["verdict"], flake["known"], flake["batches"], flake["surprising_batches"]),
                         ("wrong", "flake", 2, 1))

    def test_a_known_failure_passes_with_a_note(self):
        self.write()
        cases = xml.etree.ElementTree.fromstring(self.report("junit", code=EXIT_SURPRISE)).findall(".//testcase")
        self.assertEqual([[child.tag for child in case] for case in cases], [["system-out"], [], ["error"],
                                                                             ["system-out"]])
        self.assertTrue(cases[3].find("system-out").text.startswith("known flake: wrong, expected pass"))
        self.assertEqual(re.findall("RESULT=([a-z]+)", self.report("lava", code=EXIT_SURPRISE)),
                         ["pass", "pass", "fail", "pass"])
        self.assertEqual(re.findall('outcome="([a-z]+)"', self.report("prometheus", code=EXIT_SURPRISE)),
                         ["expected", "known", "known", "surprise"])

    def test_only_what_always_fails_is_a_todo(self):
        self.write()
        text = self.report("tap", code=EXIT_SURPRISE)
        self.assertEqual(re.findall(r"(?m)^(?:not )?ok .*$", text), [
            "not ok 1 - toy/cl30/l64/g1 # TODO known failure", "ok 2 - toy/cl30/l64/g2", "not ok 3 - toy/cl30/l64/g3",
            "ok 4 - toy/cl30/l64/g4"])


@unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed")
class Schemas(Case):
    def check(self, write, schema, code):
        write()
        schemas.validator(schema).validate(json.loads(self.report("json", code=code)))
        lines = [json.loads(line) for line in self.report("jsonl", code=code).splitlines()]
        validator = schemas.validator("jsonl")
        for line in lines:
            validator.validate(line)
        return lines

    def test_run(self):
        lines = self.check(self.write_mixed, "run", EXIT_SURPRISE)
        self.assertEqual([line["type"] for line in lines], ["run", "device", "scenario", *["point"] * 8, "scenario",
                                                            "point"])
        self.assertEqual(lines[0]["uuid"], "12345678-1234-4abc-8def-123456789abc")
        points = {line["id"]: line for line in lines if line["type"] == "point"}
        self.assertEqual(points["toy/cl30/l64/g4"]["verdicts"], {"pass": 1, "stale": 1})
        self.assertEqual(points["toy/cl30/l64/g6"]["verdict"], "incomplete")
        self.assertEqual(points["toy/cl30/l64/g9"]["expected"], ["hang", "crash"])

    def test_unpredicted(self):
        lines = self.check(self.write_unpredicted, "run", EXIT_SURPRISE)
        self.assertEqual([line["allowed"] for line in lines if line["type"] == "point"][2::5], [["pass", "hang"], None])

    def test_limits(self):
        lines = self.check(self.write_limits, "limits", EXIT_OK)
        self.assertEqual([line["type"] for line in lines], ["run", "device", "limit", "limit"])
        self.assertEqual([line["resident"] for line in lines[2:]], [4, 2])

    def test_strange_names(self):
        lines = self.check(self.write_names, "run", EXIT_SURPRISE)
        self.assertEqual([line["name"] for line in lines if line["type"] == "device"], list(NAMES))

    def test_shapes(self):
        builder = self.builder()
        device = builder.device()
        for shape, local in (("64", 64), ("driver-1d", 0)):
            builder.trial(device, observations={"shape_x": 64, "shape_y": 1, "shape_z": 1, "launched": 8}, groups=1,
                          dimensions=1, local_x=local, local_y=0 if local == 0 else 1, local_z=0 if local == 0 else 1,
                          global_x=512, global_y=1, global_z=1, name=f"toy/cl30/{shape}#0")
        builder.close()
        schemas.validator("run").validate(json.loads(self.report("json")))

    def test_schema_refuses_what_is_wrong(self):
        self.write_mixed()
        report = json.loads(self.report("json", code=EXIT_SURPRISE))
        report["devices"][0]["scenarios"][0]["points"][0]["verdict"] = "fine"
        with self.assertRaises(schemas.jsonschema.ValidationError):
            schemas.validator("run").validate(report)


class Order(Case):
    def points(self):
        return [json.loads(line) for line in self.report("jsonl", code=None).splitlines() if '"point"' in line]

    def test_points_are_in_the_order_of_the_plan(self):
        builder = self.builder()
        first, second = builder.device(name="first"), builder.device(name="second")
        for device, scenario, groups, position in ((second, "b", 1, 5), (first, "b", 2, 9), (first, "b", 1, 7),
                                                   (first, "a", 3, 3), (first, "c", 10, 11), (first, "c", 9, 11)):
            builder.trial(device, scenario=scenario, groups=groups, position=position)
        builder.close()
        self.assertEqual([(point["device"], point["id"]) for point in self.points()],
                         [(0, "a/cl30/l64/g3"), (0, "b/cl30/l64/g1"), (0, "b/cl30/l64/g2"), (0, "c/cl30/l64/g10"),
                          (0, "c/cl30/l64/g9"), (1, "b/cl30/l64/g1")])

    def test_last_batch_counts_wherever_its_row_is(self):
        builder = self.builder()
        device = builder.device()
        for sequence, verdict in ((10, "stale"), (2, "pass"), (9, "wrong")):
            builder.trial(device, (verdict,), sequence=sequence, position=1)
        builder.close()
        self.assertEqual([point["verdict"] for point in self.points()], ["stale"])
        self.assertEqual(self.points()[0]["duration_ns"], 3 * 2000000)

    def test_many_points_in_any_order(self):
        builder = self.builder()
        device = builder.device()
        count = 3001
        for i in range(count):
            groups = i * 1000 % count + 1
            builder.trial(device, scenario=f"s{groups % 3}", groups=groups, position=groups)
        builder.close()
        points = self.points()
        self.assertEqual(len(points), count)
        for scenario in range(3):
            groups = [point["groups"] for point in points if point["scenario"] == f"s{scenario}"]
            self.assertEqual(groups, sorted(groups))
            self.assertEqual(len(groups), len(set(groups)))


class Locale(Case):
    def test_locale_changes_nothing(self):
        german = self.locale()
        shown = subprocess.run(["bash", "-c", "printf %.1f 1,5"], check=False, capture_output=True, text=True,
                               env=self.environment(**german))
        self.assertEqual(shown.stdout, "1,5", "the locale has a decimal comma")
        for write in (self.write_mixed, self.write_limits):
            self.path.unlink(missing_ok=True)
            write()
            for form in FORMATS:
                with self.subTest(f"{write.__name__} {form}"):
                    plain = self.report(form, "-v", code=None)
                    self.assertTrue(plain)
                    self.assertEqual(self.report(form, "-v", code=None, **german), plain)


if __name__ == "__main__":
    gridlock_test.main()
