"""What kernels need in small launches, as results/needs.tsv has it: the line "needs:" of each says as much, and
no stored run contradicts it."""
import csv
import json
import lzma
import re

import gridlock_test
import prove_case
from needs import cell, options_of

RESULTS = gridlock_test.ROOT / "results"
SIZES = ("2x1", "3x1", "2x2", "3x2")
# From less to more; of two in a row neither contains the other.
STRENGTH = {"any": 0, "HSA": 2, "OBE": 2, "HSA_OBE": 3, "LOBE": 4, "FAIR": 5, "wrong": 6}
OBE_OR_LESS = ("any", "HSA|OBE", "OBE")
# What the line "needs:" may say, and what that means.
PHRASES = (("never works", "wrong"), (r"\bHSA\b", "HSA"), (r"\bOBE\b", "OBE"), ("resident|fair scheduling", "FAIR"),
           ("nothing", "any"))
# Lines about work-items of a group, or about what a device is measured by.
NOT_OF_GROUPS = ("divergent_barrier", "limits", "lock_items", "items_event", "items_branch", "litmus",
                 "litmus_compiled")
# What the line says of values that no scenario has, or that no model device shows.
NOT_SHOWN = {
    "reduce_atomic": "OBE",  # sums of long in OpenCL C without atomics of 64 bits
    "scan_lookback": "FAIR",  # order = reverse
}
# A dialect that model devices lack, sub-groups, or a range.
NOT_EXPLORED = {"publish_rounds", "handover_sub_groups", "work_group_size", "work_group_size_declared",
                "work_group_size_ragged"}
# What they are about is wrong.
WRONG = ("philosophers_naive", "divergent_barrier")
# Mutants that launches of 2 and 3 groups of 1 and 2 work-items do not show, and what it takes.
NOT_REFUTED = {"mutant_reduce_no_reset": "a second launch", "mutant_shared_flags": "4 groups"}
STARVED, STALLED = ("starved",), ("deadlock", "stalled", "livelock")
QUICK = ("barrier_central", "lock_ticket", "event", "scan_chained", "reduce_last", "philosophers_naive")


def table():
    with (RESULTS / "needs.tsv").open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def is_seeded(row):
    return row["scenario"].startswith(("mutant_", "cause_"))


def cells(row):
    """What was found, of each size that was explored whole."""
    found = [text for size in SIZES for text in row[size].split(" or ")]
    return [text for text in found if text != "-" and not text.startswith("not-refuted")]


def model(text):
    return text.split(" ")[-1].split("/")[0]


def most(row):
    """The model that is needed by the size that needs most: of two permits two groups need nothing."""
    found = max(map(model, cells(row)), key=lambda found: STRENGTH[found.split("|")[0]], default=None)
    left = {model(text) for size in SIZES for text in row[size].split(" or ") if text.startswith("not-refuted")}
    return None if found == "any" and left - {"any"} else found


def said(kernel):
    """The models that a kernel's line names."""
    text = (gridlock_test.ROOT / "kernels" / f"{kernel}.cl").read_text(encoding="ascii")
    line = re.search(r"\* needs: +(.*(?:\n \*  {8,}.*)*)", text)[1]
    return {needed for phrase, needed in PHRASES if re.search(phrase, line)}


def fits(row, given):
    """A row tells of a point with these options: of numbers, only those that some row has."""
    own = options_of(row["options"])
    return all(given.get(name, value) == value or given[name].isdigit() for name, value in own.items())


class Kernels(gridlock_test.Case):
    def test_each_scenario_has_rows(self):
        names = {path.stem for path in (gridlock_test.ROOT / "scenarios").glob("*.ini")}
        self.assertEqual(names, {row["scenario"] for row in table()} | NOT_EXPLORED)

    def test_mutants_are_refuted(self):
        found = {}
        for row in table():
            if row["scenario"].startswith("mutant_"):
                found.setdefault(row["scenario"], []).extend(text.split(" ")[0] for text in cells(row))
        self.assertGreater(len(found), 20)
        missed = {name for name, words in found.items() if not {"wrong", "race", "wrong-result"} & set(words)}
        self.assertEqual(missed, set(NOT_REFUTED))

    def test_what_cannot_be_explored_is_said(self):
        err = self.run_gridlock("prove", "publish_rounds", code=gridlock_test.EXIT_UNSUPPORTED).err
        self.assert_sentence(err, "publish_rounds", "no launch that can be explored")

    def test_lines_say_no_more_and_no_less(self):
        found = {}
        for row in table():
            if not is_seeded(row) and row["kernel"] not in NOT_OF_GROUPS and most(row):
                found.setdefault(row["kernel"], set()).add(most(row))
        self.assertGreater(len(found), 25)
        for kernel, needed in found.items():
            with self.subTest(kernel):
                self.assertEqual(needed | {NOT_SHOWN[kernel]} if kernel in NOT_SHOWN else needed, said(kernel))

    def test_only_seeded_ones_are_wrong(self):
        for row in table():
            with self.subTest(row["scenario"], options=row["options"]):
                if not is_seeded(row) and row["scenario"] not in WRONG:
                    self.assertFalse([text for text in cells(row) if text.startswith("wrong")])
                if not row["scenario"].startswith(("mutant_", "publish_")):
                    self.assertFalse([text for text in cells(row) if text.startswith("race")])

    def test_rows_are_computed(self):
        told = self.run_gridlock("prove", *QUICK, "--groups", "2,3", "-q", "--format", "json", code=None).json()
        rows = {(row["scenario"], row["options"]): row for row in table()}
        for launch in told["devices"][0]["launches"]:
            options = ",".join("=".join(item) for item in options_of(launch["point"] or "").items()) or "-"
            with self.subTest(launch["id"]):
                row = rows[launch["scenario"], options]
                self.assertIn(cell(launch), row[f"{launch['groups']}x1"].split(" or "))


class Stored(gridlock_test.Case):
    """Stalls of real devices beside what was computed."""
    table = table()

    def stalls(self, path):
        """Scenario, options and verdict of each point of a stored run that stalled."""
        run = self.folder / "stored.run"
        run.write_bytes(lzma.decompress(path.read_bytes()))
        told = json.loads(self.run_gridlock("report", str(run), "--format", "json", code=None).out)
        return [(scenario["name"], options_of(point["id"].rpartition("/")[0].rpartition("/")[2]), point["verdict"])
                for device in told["devices"] for scenario in device["scenarios"] for point in scenario["points"]
                if point["verdict"] in STARVED + STALLED]

    def rows_of(self, scenario, given):
        return [row for row in self.table if row["scenario"] == scenario and fits(row, given)]

    def test_what_needs_obe_or_less_never_stalled(self):
        paths = sorted(RESULTS.glob("*/scenarios*.run.xz"))
        self.assertGreater(len(paths), 12)
        for path in paths:
            for scenario, given, verdict in self.stalls(path):
                needed = {most(row) for row in self.rows_of(scenario, given) if row["kernel"] not in NOT_OF_GROUPS}
                needed |= {None} if scenario in NOT_EXPLORED or not needed else set()
                with self.subTest(path.parent.name, scenario=scenario, given=given, verdict=verdict):
                    self.assertTrue(needed - set(OBE_OR_LESS), needed)

    def test_stalls_of_a_gpu_have_counterexamples_of_their_kind(self):
        """A group that never started: one place fewer stalls. All have started: no promise is enough."""
        for scenario, given, verdict in self.stalls(RESULTS / "nvidia-h200" / "scenarios.run.xz"):
            if scenario in NOT_EXPLORED:
                continue
            found = [text for row in self.rows_of(scenario, given) for text in cells(row)]
            with self.subTest(scenario, given=given, verdict=verdict):
                if verdict in STARVED:
                    self.assertTrue([text for text in found if model(text) in ("FAIR", "wrong")], found)
                else:
                    self.assertTrue([text for text in found if model(text) == "wrong"], found)


if __name__ == "__main__":
    gridlock_test.main()
