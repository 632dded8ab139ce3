"""`gridlock report`: exit status, damaged and incomplete run files, live runs, words and colors."""
import json
import os
import re
import sqlite3
import xml.etree.ElementTree

import gridlock_test
import schemas
from gridlock_test import EXIT_HARNESS, EXIT_OK, EXIT_UNSUPPORTED, EXIT_USAGE
from report_case import EXIT_SURPRISE, EXIT_WEDGED, FORMATS, Case, limits_trials


class Messages(Case):
    def refuse(self, *arguments, words):
        result = self.run_gridlock("report", *arguments, code=EXIT_USAGE)
        self.assertEqual(result.out, "")
        self.assertEqual(result.err.count("\n"), 1, result.err)
        self.assert_sentence(result.err, *words)

    def test_bad_format(self):
        self.write_mixed()
        self.refuse(str(self.path), "--format", "pdf", words=("--format pdf", *FORMATS))

    def test_missing_file(self):
        self.refuse(str(self.folder / "none"), words=("cannot open", "No such file"))

    def test_folder(self):
        self.refuse(str(self.folder), words=("not a regular file",))

    def test_no_run_file(self):
        self.path.write_text("hello " * 1000)
        self.refuse(str(self.path), words=("is not a run file",))
        self.path.write_bytes(b"")
        self.refuse(str(self.path), words=("is not a run file",))

    def test_no_file_or_two(self):
        for arguments in ((), ("a", "b")):
            self.assert_sentence(self.run_gridlock("report", *arguments, code=EXIT_USAGE).err, "run file")


class Status(Case):
    def status(self, verdicts, expected="pass", **device):
        self.path.unlink(missing_ok=True)
        builder = self.builder()
        row = builder.device(**device)
        for groups, verdict in enumerate(verdicts, 1):
            builder.trial(row, (verdict,), groups=groups, expected=expected)
        builder.close()
        codes = {form: self.run_gridlock("report", str(self.path), "--format", form, code=None).code
                 for form in FORMATS}
        self.assertEqual(len(set(codes.values())), 1, codes)
        return codes["text"]

    def test_status_is_that_of_the_run(self):
        self.assertEqual(self.status(["pass", "unsupported"]), EXIT_OK)
        self.assertEqual(self.status(["pass", "stale"]), EXIT_SURPRISE)
        self.assertEqual(self.status(["unsupported"]), EXIT_UNSUPPORTED)
        self.assertEqual(self.status([]), EXIT_UNSUPPORTED)
        self.assertEqual(self.status(["pass"], wedged=1), EXIT_WEDGED)

    def test_verdicts_are_taken_as_stored(self):
        self.assertEqual(self.status(["wrong"], expected="wrong"), EXIT_OK)


class ExitOptions(Case):
    """As run has them."""

    def status(self, *options):
        return self.run_gridlock("report", str(self.path), *options, code=None).code

    def test_fail_on(self):
        builder = self.builder()
        device = builder.device()
        builder.trial(device, ("pass", "pass"), groups=1, expected="pass")
        builder.trial(device, ("pass", "stale"), groups=2, expected="pass or stale")
        builder.close()
        self.assertEqual(self.status(), EXIT_OK)
        self.assertEqual(self.status("--fail-on", "wrong,starved"), EXIT_OK)
        self.assertEqual(self.status("--fail-on", "wrong,stale"), EXIT_SURPRISE)
        self.assertEqual(self.status("--fail-on", "stale", "--exit-zero"), EXIT_OK)
        self.assertEqual(self.status("--fail-on", "blue"), EXIT_USAGE)

    def test_exit_zero(self):
        """Of a surprise, and of nothing worse."""
        self.write_mixed()
        self.assertEqual(self.status(), EXIT_SURPRISE)
        self.assertEqual(self.status("--exit-zero"), EXIT_OK)
        self.path.unlink()
        self.write_mixed(wedged=1)
        self.assertEqual(self.status("--exit-zero"), EXIT_WEDGED)

    def test_footprint_that_was_not_measured(self):
        self.write_limits()
        builder = sqlite3.connect(self.path)
        builder.execute("UPDATE trial SET duration_ns = NULL, build_ns = NULL WHERE local_size = 128")
        builder.commit()
        builder.close()
        self.assertEqual(self.status("--fail-on", "starved,unsupported"), EXIT_OK)
        self.assertEqual(self.status("--fail-on", "incomplete"), EXIT_SURPRISE)


class Damage(Case):
    def damaged(self, form):
        result = self.run_gridlock("report", str(self.path), "--format", form, code=EXIT_HARNESS)
        self.assertEqual(result.err.count("\n"), 1, result.err)
        self.assert_sentence(result.err, "reading stopped after trial")
        return result.out

    def test_value_that_is_none(self):
        builder = self.builder()
        device = builder.device()
        for groups in range(1, 1001):
            builder.trial(device, ("pass" if groups != 701 else "splendid",), groups=groups, expected="pass")
        builder.close()
        lines = [json.loads(line) for line in self.damaged("jsonl").splitlines()]
        self.assertEqual([line["groups"] for line in lines if line["type"] == "point"], list(range(1, 701)))
        self.assertEqual(len(xml.etree.ElementTree.fromstring(self.damaged("junit")).findall(".//testcase")), 700)
        self.assertIn("700 points of 1 scenario", self.damaged("text"))
        json.loads(self.damaged("json"))
        for form in FORMATS:
            self.assertTrue(self.damaged(form), form)

    def write_points(self):
        builder = self.builder()
        device = builder.device()
        for groups in range(1, 2001):
            builder.trial(device, groups=groups, expected="pass")
        builder.close()

    def check_beginning(self):
        """Of these points the report has the first ones."""
        lines = [json.loads(line) for line in self.damaged("jsonl").splitlines()]
        self.assertEqual(lines[0]["type"], "run")
        points = [line["groups"] for line in lines if line["type"] == "point"]
        self.assertEqual(points, list(range(1, len(points) + 1)))
        self.assertGreater(len(points), 0)

    def test_pages_that_are_gone(self):
        self.write_points()
        with open(self.path, "r+b") as file:
            file.seek(0, os.SEEK_END)
            size = file.tell()
            file.seek(size // 2)
            file.write(b"\xff" * (size - size // 2))
        self.check_beginning()

    def test_end_that_is_missing(self):
        self.write_points()
        whole = self.path.read_bytes()
        for part in (1, 2):
            self.path.write_bytes(whole[:len(whole) - part * len(whole) // 8 - 1])
            self.check_beginning()
        self.path.write_bytes(whole[:5000])
        result = self.run_gridlock("report", str(self.path), code=EXIT_HARNESS)
        self.assertEqual(result.out, "")
        self.assert_sentence(result.err, str(self.path), "malformed")

    def test_limits(self):
        self.write_limits()
        database = sqlite3.connect(self.path)
        database.execute("UPDATE observation SET outcome = 'splendid' WHERE trial = 5")
        database.commit()
        database.close()
        lines = [json.loads(line) for line in self.damaged("jsonl").splitlines()]
        self.assertEqual([line["local_size"] for line in lines if line["type"] == "limit"], [64, 128])


class Incomplete(Case):
    def test_limits_that_were_killed(self):
        builder = self.builder()
        device = builder.device(search_estimators="census,barrier", search_repeats=20, search_max_groups=100000,
                                search_compute_units=2)
        limits_trials(builder, device, 64, 4)
        limits_trials(builder, device, 128, 2, ended=False)
        builder.close()
        text = self.report("text")
        self.assertRegex(text, r"(?m)^   128 +0 +0  incomplete$")
        self.assertIn("incomplete   1 of 2 footprints", text)
        cases = xml.etree.ElementTree.fromstring(self.report("junit")).findall(".//testcase")
        self.assertEqual([[(child.tag, child.get("type")) for child in case] for case in cases],
                         [[], [("skipped", "incomplete")]])


@gridlock_test.needs_driver("pocl")
class Live(Case):
    def test_report_is_what_run_printed(self):
        for form in ("text", "json"):
            with self.subTest(form):
                self.path.unlink(missing_ok=True)
                run = self.run_gridlock("run", "barrier_central", "lock_tas", "-d", "pocl", "-o", str(self.path),
                                        "--format", form, POCL_MAX_PTHREAD_COUNT=2)
                self.assertEqual(self.report(form, code=run.code), run.out)

    def test_report_is_what_limits_printed(self):
        for form in ("text", "json"):
            with self.subTest(form):
                self.path.unlink(missing_ok=True)
                run = self.run_gridlock("limits", "-d", "pocl", "-o", str(self.path), "--format", form, "--local-size",
                                        "1,64", POCL_MAX_PTHREAD_COUNT=2)
                self.assertEqual(self.report(form, code=run.code), run.out)


class Words(Case):
    def scenarios(self, *trials, code=EXIT_OK, **device):
        """{name: what JSON says of the scenario}, and the text, of trials as (scenario, groups, verdict, values)."""
        builder = self.builder()
        number = builder.device(**device)
        for scenario, groups, verdict, values in trials:
            builder.trial(number, (verdict,), scenario=scenario, groups=groups, **{"resident": 2, **values})
        builder.close()
        text = self.report("text", code=code)
        run, = json.loads(self.report("json", code=code))["devices"]
        return {scenario["name"]: scenario for scenario in run["scenarios"]}, text

    def test_all_is_said_with_the_most_that_was_tried(self):
        found, text = self.scenarios(
            ("all", 1, "pass", {}), ("all", 16, "pass", {}), ("some", 1, "pass", {}), ("some", 16, "starved", {}),
            ("open", 1, "pass", {}), ("open", 16, "unsupported", {}), ("none", 1, "starved", {}))
        self.assertEqual({name: (scenario["safe_groups"], scenario["all_safe"]) for name, scenario in found.items()},
                         {"all": (16, True), "some": (1, False), "open": (1, False), "none": (None, False)})
        self.assertRegex(text, r"(?m)^all +all to 16 ")
        self.assertRegex(text, r"(?m)^open +1 +0.5 +0.5 +- ")
        self.assertIn("| all | all to 16 | - |", self.report("markdown"))

    def test_mutant_that_cannot_be_seen_is_not_missed(self):
        found, text = self.scenarios(
            ("mutant_a", 2, "wrong", {"expected": "pass or wrong"}),
            ("mutant_b", 2, "pass", {"expected": "pass or wrong"}),
            ("mutant_c", 2, "pass", {"expected": "pass"}), ("mutant_d", 2, "unsupported", {"expected": "wrong"}),
            ("mutant_e", 3, "pass", {"expected": "pass or starved"}), ("mutant_f", 2, "pass", {}),
            ("mutant_g", 2, "pass", {"expected": "pass", "expected_some": "pass or wrong"}),
            ("lock", 2, "pass", {"expected": "pass or wrong"}))
        self.assertIn("mutants caught: 1 of 7; missed: mutant_b, mutant_g; not visible in these points: mutant_c, "
                      "mutant_d, mutant_e, mutant_f\n", text)
        self.assertEqual({name: (scenario["mutant_caught"], scenario["mutant_missed"]) for name,
                          scenario in found.items()},
                         {"mutant_a": (True, False), "mutant_b": (False, True), "mutant_g": (False, True),
                          **dict.fromkeys(("mutant_c", "mutant_d", "mutant_e", "mutant_f"), (False, False)),
                          "lock": (None, None)})

    def test_each_point_is_counted_once(self):
        known = {"expected": "pass", "known": "failure", "known_verdicts": "stale"}
        found, text = self.scenarios(
            ("toy", 1, "pass", {"expected": "pass"}), ("toy", 2, "stale", {"expected": "pass"}),
            ("toy", 3, "stale", known), ("toy", 4, "pass", {}), ("toy", 5, "unsupported", {}),
            ("toy", 6, "inconclusive", {"expected": "pass"}), code=EXIT_SURPRISE, loops_cut_at=100)
        counts = [found["toy"][name] for name in ("as_predicted", "surprises", "known", "undecided", "unpredicted",
                                                  "unsupported", "incomplete")]
        self.assertEqual(counts, [1, 1, 1, 1, 1, 1, 0])
        self.assertRegex(text, r"(?m)^toy .* 1 of 3\n *1 SURPRISE, 1 undecided, 1 not predicted$")
        self.assertIn(":\n1 as predicted, 1 surprise, 1 not predicted, 1 undecided, 1 unsupported\n"
                      "known failures: 1 failed again, ", text)


class Colors(Case):
    RED, YELLOW, GREEN, END = "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[0m"

    def test_each_means_one_thing(self):
        self.write_mixed()
        text = self.report("text", "-v", "--color", "always", code=EXIT_SURPRISE)
        self.assertIn(f" {self.RED}3 of 5\n{'2 SURPRISES, 1 undecided':>80}{self.END}\n", text)
        self.assertIn(f"launches:\n4 as predicted, {self.RED}2 surprises{self.END}, 0 not predicted, {self.YELLOW}1 "
                      f"undecided{self.END},"
                      " 1 unsupported\n", text)
        for groups, color, counts in ((2, self.GREEN, "pass"), (3, self.GREEN, "starved"),
                                      (4, self.RED, "pass 1/2, stale 1/2"), (7, self.RED, "crash"),
                                      (8, self.YELLOW, "inconclusive"), (9, self.GREEN, "hang")):
            self.assertIn(f"  toy/cl30/l64/g{groups}: {color}{counts}{self.END} (", text)
        self.assertIn("  toy/cl30/l64/g5: unsupported (", text)
        self.assertIn("  toy/cl30/l64/g6: incomplete (", text)
        self.assertEqual(re.sub(r"\x1b\[\d+m", "", text), self.report("text", "-v", code=EXIT_SURPRISE))

    def test_limits(self):
        self.write_limits()
        self.assertNotIn("\x1b", self.report("text", "--color", "always"), "nothing is unexpected")
        database = sqlite3.connect(self.path)
        database.execute("UPDATE observation SET counted = 5 WHERE counted = 4")
        database.commit()
        database.close()
        text = self.report("text", "--color", "always", code=EXIT_SURPRISE)
        self.assertRegex(text, r"(?m)^    64 .*\x1b\[31m !\x1b\[0m$")
        self.assertRegex(text, r"(?m)^\x1b\[31m! size 64, .*\x1b\[0m$")
        self.assertEqual(text.count(self.END), 2)

    def test_machine_formats_have_none(self):
        self.write_mixed()
        for form in FORMATS[1:]:
            with self.subTest(form=form):
                self.assertNotIn("\x1b", self.report(form, "--color", "always", code=EXIT_SURPRISE))

    def test_terminal_and_environment(self):
        self.write_mixed()
        command = ("report", str(self.path))
        for colored, variables, options in (
                (True, {}, ()), (False, {"NO_COLOR": "1"}, ()), (True, {"NO_COLOR": ""}, ()),
                (False, {}, ("--color", "never")), (True, {"NO_COLOR": "1"}, ("--color", "always"))):
            with self.subTest(variables=variables, options=options):
                seen, _ = self.on_terminal("stdout", *command, *options, code=EXIT_SURPRISE, **variables)
                self.assertEqual("\x1b" in seen, colored)
        for colored, variables in ((False, {}), (True, {"CLICOLOR_FORCE": "1"}), (False, {"CLICOLOR_FORCE": "0"}),
                                   (False, {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"})):
            with self.subTest(variables=variables):
                self.assertEqual("\x1b" in self.report("text", code=EXIT_SURPRISE, **variables), colored)

    def test_unknown(self):
        result = self.run_gridlock("report", "a", "--color", "blue", code=EXIT_USAGE)
        self.assert_sentence(result.err, "--color blue", "auto, always or never")


class BusyMachine(Case):
    """What others did while trials ran, where verdicts hung on it."""

    def write(self, verdicts=("inconclusive",), others=1500, kind="CPU", **values):
        builder = self.builder()
        device = builder.device(kind=kind, compute_units=2)
        builder.trial(device, groups=1, expected="pass", processors=2, others_used=others, pressure=900)
        builder.trial(device, verdicts, groups=2, processors=2, others_used=others, pressure=900, duration_ns=20000000,
                      **{"expected": "pass", **values})
        builder.close()

    def machine(self, code=EXIT_SURPRISE):
        machine = json.loads(self.report("json", code=code))["devices"][0]["machine"]
        if schemas.jsonschema is not None:
            schemas.validator("run").validate(json.loads(self.report("json", code=code)))
        return machine

    def test_undecided_on_a_busy_machine(self):
        self.write()
        machine = self.machine()
        remark = machine.pop("remark")
        self.assertEqual(machine, {
            "processors": 2, "busy": True, "busy_in_doubt": True, "trials_in_doubt": 1,
            "load": {"others_permille": 1500, "pressure_permille": 900},
            "load_in_doubt": {"others_permille": 1500, "pressure_permille": 900}})
        text = " ".join(self.report("text", code=EXIT_SURPRISE).split())
        self.assertIn("some device: the machine was busy: other processes used 1.5 of 2 processors, and for 90 % of "
                      "the "
                      "time some process waited for one, while 1 trial ran that was in doubt", text)
        self.assertIn(f"some device: {remark}", text)
        told = " ".join(self.run_gridlock("explain", str(self.path)).out.split())
        self.assertIn("the machine was busy: other processes used 1.5 of 2 processors", told)
        self.assertIs(self.run_gridlock("explain", str(self.path), "--format", "json").json()["machine_busy"], True)
        self.assertIn(json.dumps(remark), self.report("html", code=EXIT_SURPRISE))

    def test_others_that_leave_room_are_not_named(self):
        for number, values in enumerate(({"others": 100}, {"others": 1000, "kind": "GPU"})):
            with self.subTest(**values):
                self.path = self.folder / f"{number}.gridlock"
                self.write(**values)
                machine = self.machine()
                self.assertEqual((machine["busy_in_doubt"], machine["remark"]), (False, None))
                self.assertNotIn("the machine was busy", self.report("text", code=EXIT_SURPRISE))
                self.assertNotIn("the machine was busy", self.run_gridlock("explain", str(self.path)).out)

    def test_verdicts_without_doubt_did_not_hang_on_it(self):
        for number, values in enumerate(({"verdicts": ("pass",)}, {"expected": "pass or inconclusive"})):
            with self.subTest(**values):
                self.path = self.folder / f"{number}.gridlock"
                self.write(**values)
                self.assertEqual((self.machine(0)["busy"], self.machine(0)["trials_in_doubt"]), (True, 0))
                self.assertIsNone(self.machine(0)["load_in_doubt"])
                self.assertNotIn("the machine was busy", self.report("text"))

    def test_point_that_was_run_again_is_in_doubt(self):
        self.write(("pass",), sequence=1, name="toy/cl30/l64/g2#1")
        self.assertIs(self.machine(0)["busy_in_doubt"], True)

    def test_older_file_says_nothing(self):
        self.write()
        builder = self.builder()
        builder.database.execute("UPDATE trial SET processors = NULL, others_used = NULL, pressure = NULL")
        builder.close()
        self.assertIsNone(self.machine())
        self.assertIsNone(self.run_gridlock("explain", str(self.path), "--format", "json").json()["machine_busy"])


if __name__ == "__main__":
    gridlock_test.main()