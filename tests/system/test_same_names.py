"""Devices of one name: numbered and told apart in every format, and chosen by explain and by the commands of a
report."""
import json
import re
import shlex
import unittest
import xml.etree.ElementTree

import gridlock_test
import schemas
from gridlock_test import EXIT_OK, EXIT_USAGE
from explain_case import starved_barrier
from report_case import EXIT_SURPRISE, FORMATS, Case
from run_builder import Builder

CARDS = (("0000:8a:00.0", "0b" * 16), ("0000:4f:00.0", "0a" * 16), ("0000:9c:00.0", "0c" * 16))
LABELS = ("card #2 (pci 0000:8a:00.0)", "card #1 (pci 0000:4f:00.0)", "card #3 (pci 0000:9c:00.0)")
POINT = "toy/cl30/l64/g4"
# How a format spells what is in a label.
SPELLINGS = {
    "lava": lambda label: re.sub(r"[^A-Za-z0-9._-]", "_", label),
    "tap": lambda label: label.replace("#", "\\#"),
    "markdown": lambda label: label.replace("#", "\\#"),
    "json": lambda label: f'"number": {label[6]},',
    "jsonl": lambda label: f'"number": {label[6]}, ',
    "prometheus": lambda label: f'ordinal="{int(label[6]) - 1}",pci="{label[13:-1]}"',
}


class Cards(Case):
    """Three cards, of which the third alone was to pass, and another device."""

    def setUp(self):
        super().setUp()
        builder = self.builder()
        for pci, uuid in CARDS:
            device = builder.device(name="card", pci=pci, uuid=uuid)
            builder.trial(device, ("starved",), {"started": 2, "waiting": 2, "done": 0, "witnesses": 0},
                          cause="occupancy", expected="pass" if pci == CARDS[2][0] else "starved",
                          board=starved_barrier(4, 2), sync_words=1)
        builder.trial(builder.device(name="other"), groups=9)
        builder.close()

    def explain(self, *options, trial=POINT, code=EXIT_OK):
        return self.run_gridlock("explain", f"{self.path}:{trial}" if trial else str(self.path), *options, code=code)

    def test_every_format_has_the_label(self):
        for form in FORMATS:
            report = self.report(form, code=EXIT_SURPRISE)
            for label in LABELS:
                spelt = SPELLINGS.get(form, str)(label)
                with self.subTest(form=form, label=label):
                    self.assertIn(spelt, report)
        self.assertIn("# card #1 (pci 0000:4f:00.0) (some platform, driver 1.2)\n",
                      self.report("baseline", code=EXIT_SURPRISE))

    def test_device_that_is_alone_of_its_name(self):
        text = self.report("text", code=EXIT_SURPRISE)
        self.assertIn("\nother (some platform, driver 1.2)\n", text)
        devices = json.loads(self.report("json", code=EXIT_SURPRISE))["devices"]
        self.assertEqual([device.get("number") for device in devices], [2, 1, 3, None])
        self.assertIn('device="other",platform="some platform",driver="1.2",ordinal="0"}',
                      self.report("prometheus", code=EXIT_SURPRISE))

    @unittest.skipIf(schemas.jsonschema is None, "jsonschema is not installed")
    def test_json_is_what_its_schemas_say(self):
        schemas.validator("run").validate(json.loads(self.report("json", code=EXIT_SURPRISE)))
        for line in self.report("jsonl", code=EXIT_SURPRISE).splitlines():
            schemas.validator("jsonl").validate(json.loads(line))
        shown = json.loads(self.explain("--format", "json").out)
        schemas.validator("explain").validate(shown)
        self.assertEqual((shown["number"], shown["pci"], shown["uuid"]), (3, *CARDS[2]))

    def test_junit_names_each_case_once(self):
        root = xml.etree.ElementTree.fromstring(self.report("junit", code=EXIT_SURPRISE))
        self.assertEqual([suite.get("name") for suite in root.iter("testsuite")], [*LABELS, "other"])
        cases = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
        self.assertEqual(cases[1], ("toy", "cl30/l64/g4 on card #1 (pci 0000:4f:00.0)"))
        self.assertEqual(cases[-1], ("toy", "cl30/l64/g9"))
        self.assertEqual(len(set(cases)), len(cases))

    def test_commands_choose_the_device(self):
        text = self.report("text", code=EXIT_SURPRISE)
        self.assertIn(f"gridlock explain {self.path}:{POINT} -d 'card#3'\n", text)
        self.assertIn(" -d pci:0000:9c:00.0 -t ", text)
        self.assertIn(" -d pci:0000:9c:00.0 -t ", self.explain().out)

    def test_command_of_a_second_device_with_another_name(self):
        builder = self.builder()
        builder.trial(4, ("stale",), {"checked": 9, "stale": 4}, expected="pass")
        builder.close()
        command = f"gridlock explain {self.path}:{POINT} -d 'other#1'\n"
        self.assertIn(command, self.report("text", code=EXIT_SURPRISE))
        self.assertIn("  on other, ", self.run_gridlock(*shlex.split(command)[1:]).out)

    # --- explain

    def test_surprise_goes_first(self):
        shown = self.explain()
        self.assertIn(f"  on {LABELS[2]}, driver 1.2", shown.out)
        self.assertEqual(shown.err, f"gridlock: this was run on {', '.join(LABELS)}; explained as on {LABELS[2]}; "
                                    "--device chooses\n")

    def test_device_is_chosen(self):
        for selector, label in (("card#1", LABELS[1]), ("card #1", LABELS[1]), ("pci:" + CARDS[0][0], LABELS[0]),
                                ("uuid:" + CARDS[1][1], LABELS[1])):
            for trial in (POINT, POINT + "#0", None):
                with self.subTest(selector=selector, trial=trial):
                    shown = self.explain("--device", selector, trial=trial)
                    self.assertIn(f"  on {label}, driver 1.2", shown.out)
                    self.assertEqual(shown.err, "")

    def test_every_format_of_explain(self):
        for form in ("text", "trace", "dot"):
            self.assertIn(LABELS[1], self.explain("-d", "card#1", "--format", form).out)
        shown = json.loads(self.explain("-d", "card#1", "--format", "json").out)
        self.assertEqual((shown["device"], shown["number"]), ("card", 1))

    def test_device_that_the_run_has_not(self):
        for selector in ("card#4", "pci:0000:00:00.0", "nothing"):
            for trial in (POINT, None):
                with self.subTest(selector=selector, trial=trial):
                    err = self.explain("-d", selector, trial=trial, code=EXIT_USAGE).err
                    self.assertEqual(err, f'gridlock: no device of this run matches "{selector}"; '
                                          f"it has {', '.join(LABELS)}, other\n")

    def test_point_that_the_device_has_not(self):
        err = self.explain("-d", "other", code=EXIT_USAGE).err
        self.assertIn(f"unknown trial '{POINT}' on this device", err)

    # --- two runs

    def test_compare(self):
        other = self.folder / "other.gridlock"
        builder = Builder(other)
        for pci, uuid in CARDS[:2]:
            builder.trial(builder.device(name="card", pci=pci, uuid=uuid, driver_version="2"), expected="starved")
        builder.close()
        shown = self.run_gridlock("compare", str(self.path), str(other), code=None).out
        self.assertIn("card #2 (pci 0000:8a:00.0) (some platform): driver 1.2 -> 2", shown)
        self.assertIn("card #3 (pci 0000:9c:00.0) (some platform): only in the first run", shown)
        shown = self.run_gridlock("compare", str(self.path), str(other), "--match", "card#3=card#1", code=None).out
        self.assertIn("In the first run: card #3 (pci 0000:9c:00.0)\n  (paired by --match)", shown)
        shown = self.run_gridlock("compare", str(self.path), str(other), "--format", "json", code=None).json()
        self.assertEqual([(device.get("number"), device.get("number_before")) for device in shown["devices"]],
                         [(2, 2), (1, 1), (3, 3), (None, None)])

    def test_merge_keeps_the_numbers(self):
        merged = self.folder / "merged.gridlock"
        self.run_gridlock("merge", str(self.path), str(self.path), "-o", str(merged), "-q")
        self.path = merged
        devices = json.loads(self.report("json", code=EXIT_SURPRISE))["devices"]
        self.assertEqual({(device["pci"], device.get("number")) for device in devices},
                         {(CARDS[0][0], 2), (CARDS[1][0], 1), (CARDS[2][0], 3), (None, None)})


class Blocks(Case):
    def test_blocks_of_litmus_tests(self):
        builder = self.builder(command_line="gridlock progress")
        for pci, uuid in CARDS[:2]:
            builder.block(builder.device(name="card", pci=pci, uuid=uuid), tests=({"stalled": 3, "confirmed": 1},))
        builder.close()
        block = re.search(r"progress/\S+(?=: )", self.run_gridlock("explain", str(self.path)).out).group()
        for selector, count in ((), 2), (("-d", "card#1"), 1):
            shown = self.run_gridlock("explain", f"{self.path}:{block}", *selector).out
            self.assertEqual(shown.count(" of 1 tests stalled on card #"), count)
            shown = self.run_gridlock("explain", str(self.path), *selector).out
            self.assertEqual(shown.count("Blocks with stalled tests"), count)
        self.assertIn("card #1 (pci 0000:4f:00.0)", shown)


@gridlock_test.needs_driver("pocl")
class Pocl(Case):
    """PoCL has as many devices of one name as it is asked for, without PCI addresses and UUIDs."""

    def environment(self, **changes):
        return super().environment(POCL_DEVICES="pthread pthread pthread", POCL_MAX_PTHREAD_COUNT=2, **changes)

    def measure(self, *selectors, expected="stale"):
        """Runs a scenario of which each device surprises."""
        scenario = self.folder / "wrong.ini"
        scenario.write_text(gridlock_test.scenario_text(groups="2", verdict=expected))
        self.path.unlink(missing_ok=True)
        return self.run_gridlock("run", *(word for selector in selectors for word in ("-d", selector)), "-q", "-o",
                                 str(self.path), str(scenario), code=EXIT_SURPRISE).out

    def ordinals(self):
        found = gridlock_test.RunFile(self.path)
        rows = [row["ordinal"] for row in found.rows("SELECT ordinal FROM device ORDER BY id")]
        found.close()
        return rows

    def commands(self, text, begin):
        """What a shell would make of a report's commands of this beginning: words."""
        lines = [line.strip() for line in text.splitlines()]
        words = [shlex.split(line) for line in lines if begin in line]
        return [found[found.index("gridlock") + 1:] for found in words]

    def test_devices_lists_them_by_number(self):
        devices = self.run_gridlock("devices", "-d", "pocl", "--format", "json").json()["devices"]
        self.assertEqual([device["number"] for device in devices], [1, 2, 3])
        text = self.run_gridlock("devices", "-d", "pocl").out
        for number in (1, 2, 3):
            self.assertIn(f"{devices[0]['name']} #{number}\n", text)
            self.assertEqual(len(self.run_gridlock("devices", "-d", f"{devices[0]['name']}#{number}", "--format",
                                                   "json").json()["devices"]), 1)
        err = self.run_gridlock("devices", "-d", f"{devices[0]['name']}#4", code=gridlock_test.EXIT_NO_DEVICE).err
        self.assertIn(f"{devices[0]['name']} #1 (Portable Computing Language)", err, "as many as there is room for")

    def test_what_was_printed_is_what_is_stored(self):
        self.assertEqual(self.measure("pocl"), self.report("text", code=EXIT_SURPRISE))

    def test_commands_explain_and_repeat_on_the_same_device(self):
        self.measure("pocl")
        self.assertEqual(self.ordinals(), [0, 1, 2])
        text = self.report("text", code=EXIT_SURPRISE)
        explains = self.commands(text, "gridlock explain")
        repeats = self.commands(text, "gridlock run")
        self.assertEqual((len(explains), len(repeats)), (3, 3))
        for i in range(3):
            shown = self.run_gridlock(*explains[i])
            self.assertIn(f" #{i + 1}, driver ", shown.out)
            self.assertEqual(shown.err, "")
            self.assertEqual(self.commands(shown.out, "gridlock run")[0][-3:-1], repeats[i][-3:-1])
            self.path = self.folder / f"again{i}.gridlock"
            self.run_gridlock(*repeats[i], "-q", "-o", str(self.path), code=EXIT_SURPRISE)
            self.assertEqual(self.ordinals(), [i])

    def test_some_of_them(self):
        """Their numbers are those by which they were chosen."""
        self.measure("*#3", "*#2")
        self.assertEqual(self.ordinals(), [1, 2])
        text = self.report("text", code=EXIT_SURPRISE)
        self.assertEqual(re.findall(r"(?m) (#\d) \(Portable", text), ["#2", "#3"])
        self.assertEqual([re.search(r"#\d", " ".join(words)).group() for words in self.commands(text, "gridlock run")],
                         ["#2", "#3"])

    def test_one_of_them(self):
        """It is alone in the run, but not on the machine."""
        for selector in ("*#1", "*#3", "0:1"):
            with self.subTest(selector=selector):
                self.measure(selector)
                chosen = self.ordinals()
                text = self.report("text", code=EXIT_SURPRISE)
                self.assertNotRegex(text.splitlines()[0], "#")
                repeat, = self.commands(text, "gridlock run")
                self.path = self.folder / "again.gridlock"
                self.path.unlink(missing_ok=True)
                self.run_gridlock(*repeat, "-q", "-o", str(self.path), code=EXIT_SURPRISE)
                self.assertEqual(self.ordinals(), chosen)

    def test_every_format(self):
        self.measure("pocl")
        for form in FORMATS:
            spell = SPELLINGS.get(form, str) if form in ("lava", "tap", "markdown") else str
            report = self.report(form, code=EXIT_SURPRISE)
            if form in ("json", "jsonl"):
                self.assertEqual(re.findall(r'"number": ?(\d)', report), ["1", "2", "3"])
            elif form == "prometheus":
                self.assertEqual(set(re.findall(r'ordinal="(\d)"', report)), {"0", "1", "2"})
            else:
                for number in (1, 2, 3):
                    self.assertIn(spell(f" #{number}"), report)


if __name__ == "__main__":
    gridlock_test.main()
