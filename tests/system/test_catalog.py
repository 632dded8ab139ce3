"""The scenarios and kernels that gridlock carries, and what it and their README say of them. No device is needed."""
import re
import textwrap

import gridlock_test
from gridlock_test import EXIT_USAGE, ROOT

SCENARIOS = sorted((ROOT / "scenarios").glob("*.ini"))
KERNELS = sorted((ROOT / "kernels").glob("*.cl"))
BENCHMARKS = sorted((ROOT / "tests" / "bench" / "scenarios").glob("*.ini"))

# What the tool itself runs: they measure limits, probe the device and its loops, and hold places in a second queue.
TOOLS = {"limits", "probe", "loop", "occupy", "litmus", "litmus_compiled", "litmus_shape"}
TOOLS |= {path.stem for path in KERNELS if path.stem.startswith("promise_")}  # of an audit

# Faults that no scenario sweeps: the one about locks without fences takes lock_ticket, whose order shows more.
FAULTS_OF_NO_SCENARIO = {("lock_tas", "no-fence")}

# Scenarios that do not run with 1 group, at the limit and one above, and why.
EXCEPTIONS = {
    "spin_late": "how many groups wait is swept; group 10000, which they wait for, must be among those launched",
    "handover_latency": "its points are times at the limit; mutant_handover_no_write has the same kernel around it",
    "spin_late_lot": "likewise, with those that wait drawn by lot",
    "items_branch": "no group waits for another one",
    "handover_sub_groups": "likewise",
}


def keys_of(text):
    """{key: value} of a scenario file, as it stands there."""
    keys, key = {}, None
    for line in text.splitlines():
        if re.match(r"\s+\S", line) and key:
            keys[key] += " " + line.strip()
        elif match := re.match(r"([\w-]+) = (.*)", line):
            key, keys[match[1]] = match[1], match[2]
    return keys


def header_of(path):
    return path.read_text().partition("*/")[0]


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.maxDiff = None
        self.keys = {path.stem: keys_of(path.read_text()) for path in SCENARIOS}
        self.assertGreater(len(self.keys), 50)

    def gridlock(self, *arguments, **options):
        """None of these commands looks for a device."""
        return self.run_gridlock(*arguments, OCL_ICD_VENDORS=self.folder, **options)


class Scenarios(Case):
    def test_each_passes_check(self):
        """Read from its file, in whose folder its kernel is not."""
        for paths in (SCENARIOS, BENCHMARKS):
            result = self.gridlock("check", *map(str, paths))
            self.assertEqual(result.out, "".join(f"{path}: ok\n" for path in paths))
            self.assertEqual(result.err, "")

    def test_list_shows_each_with_its_sentence(self):
        shown = {}
        for line in self.gridlock("list").out.splitlines():
            if line.startswith("    "):
                shown[name] += line.strip() + " "
            else:
                name = line.removesuffix(" (only with --live)")
                self.assertNotIn(name, shown)
                shown[name] = ""
        self.assertEqual(shown, {name: f"{keys['purpose']} {keys['teaches']} " for name, keys in self.keys.items()})

    def test_list_tells_which_need_live(self):
        marked = re.findall(r"(?m)^(\w+) \(only with --live\)$", self.gridlock("list").out)
        self.assertEqual(marked, [name for name, keys in self.keys.items() if keys.get("live") == "only"])
        self.assertTrue(marked)

    def test_list_has_no_long_lines(self):
        for line in self.gridlock("list").out.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_list_as_json(self):
        shown = self.gridlock("list", "--format", "json").json()["scenarios"]
        self.assertEqual([scenario["name"] for scenario in shown], sorted(self.keys))
        for scenario in shown:
            keys = self.keys[scenario["name"]]
            for key in ("kernel", "purpose", "teaches", "verdict"):
                self.assertEqual(scenario[key], keys[key])
            self.assertEqual(scenario["file"], f"scenarios/{scenario['name']}.ini")
            self.assertEqual(scenario["live_only"], "live" in keys)
            for key in ("needs", "fails", "source"):
                self.assertTrue(scenario[key], f"{scenario['name']}: {key}")

    def test_list_by_pattern(self):
        out = self.gridlock("list", "mutant_lock_*", "event").out
        names = re.findall(r"(?m)^\w+", out)
        self.assertEqual(names, [name for name in self.keys if name.startswith("mutant_lock_")] + ["event"])

    def test_list_of_what_is_not_there(self):
        result = self.gridlock("list", "nosuch_*", code=EXIT_USAGE)
        self.assertEqual(result.out, "")
        self.assert_sentence(result.err, "nosuch_*")

    def test_sentences(self):
        """Each teaches in whole sentences."""
        for name, keys in self.keys.items():
            self.assertRegex(keys["teaches"], r"^[A-Z].*[.?]$", name)

    def test_teaching_is_not_copied(self):
        self.assertEqual(len({keys["teaches"] for keys in self.keys.values()}), len(self.keys))

    def test_each_runs_below_at_and_above_the_limit(self):
        """Those aside that are there for a cause: each has the numbers of groups at which that shows."""
        wanted = {"1", "1x resident", "1x resident + 1"}
        lacking = {name for name, keys in self.keys.items()
                   if "shape" not in keys and not name.startswith("cause_")
                   and not wanted <= {value.strip() for value in keys["groups"].split(",")}}
        self.assertEqual(lacking, set(EXCEPTIONS))


class Kernels(Case):
    def test_list_shows_each_that_checks_or_has_results(self):
        out = self.gridlock("list", "--kernels").out
        shown = dict(re.findall(r"(?m)^(\w+): (.+)$", out))
        wanted = {}
        for path in KERNELS:
            header = header_of(path)
            if re.search(r"(?m)^ \* (checks|result): ", header):
                wanted[path.stem] = re.search(r"(?m)^ \* purpose: (.+)$", header)[1]
        self.assertEqual({name: text[:20] for name, text in shown.items()},
                         {name: text[:20] for name, text in wanted.items()})
        self.assertEqual({path.stem for path in KERNELS} - set(wanted), TOOLS)

    def test_list_shows_options_and_parameters(self):
        out = self.gridlock("list", "--kernels").out
        entries = {text.partition(":")[0]: text for text in re.split(r"(?m)^(?=\w)", out) if text}
        for path in KERNELS:
            for field, name in re.findall(r"(?m)^ \* (option|param): +(\S+) = ", header_of(path)):
                if path.stem not in TOOLS:
                    self.assertRegex(entries[path.stem], rf"(?m)^    {field} +{name} = ")

    def test_list_shows_the_range(self):
        """Of kernels that have one, and of no others."""
        out = self.gridlock("list", "--kernels").out
        wanted = [value for path in KERNELS for value in re.findall(r"(?m)^ \* range: +(.+)$", header_of(path))]
        self.assertTrue(wanted)
        self.assertEqual(re.findall(r"(?m)^    range +(.+)$", out), wanted)

    def test_each_is_used(self):
        used = {keys["kernel"] for keys in self.keys.values()}
        self.assertEqual({path.stem for path in KERNELS} - used, TOOLS)

    def test_each_fault_is_used(self):
        """A value of `fault` is a seeded fault: a scenario shows that it is caught."""
        swept = {(keys["kernel"], value.strip()) for keys in self.keys.values()
                 for value in keys.get("fault", "none").split(",")}
        offered = {(path.stem, value) for path in KERNELS
                   for values in re.findall(r"(?m)^ \* option: +fault = (.+)$", header_of(path))
                   for value in values.split(" | ") if value != "none"}
        self.assertGreater(len(offered), 15)
        self.assertEqual(offered - swept, FAULTS_OF_NO_SCENARIO)


class Readme(Case):
    TEXT = (ROOT / "scenarios" / "README.md").read_text()

    def test_reference(self):
        """The page has the reference as the program prints it, indented by 4 blanks."""
        reference = self.gridlock("check", "--reference").out
        section = self.TEXT.partition("## All keys\n")[2].partition("\n## ")[0]
        self.assertEqual(section.strip("\n"), textwrap.indent(reference, "    ").strip("\n"))

    def test_example(self):
        """The example is the scenario of its kernel, but for the comment and where lines end."""
        blocks = re.findall(r"(?m)^    # A comment\.\n((?:(?:    .*)?\n)+)", self.TEXT)
        self.assertEqual(len(blocks), 1)
        file = ROOT / "scenarios" / "barrier_central.ini"
        self.assertEqual(keys_of(textwrap.dedent(blocks[0])), keys_of(file.read_text()))

    def test_commands(self):
        """Those that need no device, and the files that they name, do what is said."""
        self.assertIn("    gridlock list --kernels ", self.TEXT)
        self.assertIn("    gridlock check my.ini ", self.TEXT)
        (self.folder / "my.ini").write_text(gridlock_test.scenario_text())
        self.assertEqual(self.gridlock("check", "my.ini").out, "my.ini: ok\n")
        self.assertTrue(self.gridlock("run", "--dry-run", "my.ini").out.startswith("my\n"))


if __name__ == "__main__":
    gridlock_test.main()
