"""What compare and explain make of run files of `gridlock progress`, and what progress refuses."""
import json
import re

import gridlock_test
from gridlock_test import EXIT_OK, EXIT_USAGE
from progress_case import EARLIER, EXIT_SURPRISE, LATER, UP, Case
from run_builder import Builder


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
        self.assertIn("\nNewly broken models\n  HSA (weak): by 0,0,-,0|0,0,1,0, mapping ", worse)
        self.assertNotIn("no longer broken\n  ", worse)
        self.assertRegex(worse, r"Tests that now stall: \d+\n(  .*\n){8}  and \d+ more\n")
        better = self.compare("model:obe:8", "model:lobe:8")
        self.assertIn("\nModels no longer broken\n  HSA (weak)\n", better)
        self.assertIn("Tests that now end: ", better)
        self.assertNotIn("Tests that now stall", better)

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
        self.assertIn("| HSA | weak | no longer broken | ", page)

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
        self.assertIn("Models broken in one run only, which may be chance\n"
                      "  HSA (weak): in 0 of 20 launches, now in 1 of 20\n", shown)
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
        self.assertIn("keep later groups from starting: 8 -> 4\n", lower)
        self.assertIn("keep later groups from starting: 4 -> 8\n", self.compare("model:obe:4", "model:obe:8"))
        self.assertIn("8 -> none up to ", self.compare("model:obe:8", "model:fair"))
        self.compare("model:fair", "model:obe:8", code=EXIT_SURPRISE)

    def test_same(self):
        same = self.compare("model:obe:8", "model:obe:8")
        self.assertIn("Tests: 448 unchanged, 0 changed\n", same)
        self.assertNotRegex(same, "(?i)broken models|models no longer")

    def test_other_devices(self):
        paths = []
        for devices in (("model:obe:8", "model:hsa"), ("model:fair", "model:hsa", "model:unfair")):
            paths.append(self.folder / f"{len(devices)}.run")
            self.progress(*(word for device in devices for word in ("-d", device)), path=paths[-1])
        shown = self.run_gridlock("compare", *map(str, paths)).out
        self.assertIn("model:obe:8 (gridlock): only in the first run\n", shown)
        self.assertIn("model:fair (gridlock): only in the second run\n", shown)
        self.assertIn("model:hsa (gridlock): driver", shown)

    def test_other_tests(self):
        """What only one of them ran is no change."""
        self.progress("-d", "model:fair", "--tests", self.write_tests(LATER, EARLIER), "--no-limit")
        fewer = self.folder / "fewer.run"
        self.progress("-d", "model:fair", "--tests", self.write_tests(LATER), "--no-limit", path=fewer)
        shown = self.run_gridlock("compare", str(self.path), str(fewer)).out
        self.assertRegex(shown, r"(?m)^Tests: 5 unchanged, 0 changed; 5 only in the first run, 0 only in the second$")

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
                               r"8 of 30 groups had started, \d+ had ended$", shown)
            more = re.search(r"(?m)^  and (\d+) more$", shown)
            self.assertEqual(len(lines) + int(more[1] if more else 0), int(stalled), shown)
            self.assertEqual(self.explain(trial=f":{name.partition('#')[0]}").out, shown)

    def test_nothing_broken(self):
        self.progress("-d", "model:fair")
        shown = self.explain().out
        self.assertIn("No model is broken.", shown)
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
                (("--expect", ""), ('"": expected HSA',)),
                (("--groups", "2"), ("--groups 2", "3 threads")),
                (("-d", "model:obe:none"), ("model:obe:none",)),
                (("-d", "model:obe:999999999"), ("model:obe:999999999", "N from 1 to 65536")),
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


if __name__ == "__main__":
    gridlock_test.main()
