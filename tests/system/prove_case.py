"""Kernels whose truth is known (tests/prove/expected.tsv), and what `gridlock prove` says of them."""
import csv
import sys

import gridlock_test
from gridlock_test import EXIT_OK

FOLDER = gridlock_test.ROOT / "tests" / "prove"
sys.path.append(str(FOLDER))
from needs import needs_of  # noqa: E402 (it is in that folder)

EXIT_SURPRISE, EXIT_STOPPED = 1, 75
STANDARD = "-cl-std=CL3.0"

# What is said of a fault that the table names.
FAULTS = {
    "divergent-barrier": "at a barrier that others of its group never reach|of its group at another one",
    "other-turn": "of its group there, too, in another turn of a loop around it",
    "out-of-bounds": "outside of what the kernel was given",
    "endless": "in a loop that accesses no memory, and did not leave it for 0.8 s: by this time it is taken to be "
               "endless",
}
UNKNOWN = "?"

# It goes round for ever, in a circle of 6000 steps.
COUNTS_ROUND = """kernel void count(global atomic_uint *a)
{
    if (get_group_id(0) == 1)
        atomic_load(a);
    else
        for (;;)
            atomic_store(a, (atomic_load(a) + 1) % 3000);
}
"""


def table():
    with (FOLDER / "expected.tsv").open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def name_of(row):
    return f"{row['file']}:{row['kernel']} {row['options']}, {row['groups']} groups of {row['local-size']}"


class Case(gridlock_test.Case):
    def prove(self, file, *options, build=STANDARD, code=EXIT_OK):
        """The launches of a file, from JSON."""
        result = self.run_gridlock("prove", str(file), f"--build-options={build}", "--format", "json", "--quiet",
                                   *options, code=code)
        return result.json()["devices"][0]["launches"]

    def launch_of(self, row):
        options = [f"--arg={argument}" for argument in row["args"].split()] if row["args"] != "-" else []
        build = STANDARD if row["options"] == "-" else f"{STANDARD} {row['options']}"
        launch, = self.prove(FOLDER / row["file"], "--kernel", row["kernel"], "--groups", row["groups"],
                             "--local-size", row["local-size"], "--timeout", "5", *options, build=build, code=None)
        return launch

    def check_row(self, row):
        launch, fault = self.launch_of(row), row["fault"]
        if "endless_plain" in row["file"]:  # the word is looked at once
            self.assertEqual((launch["verdict"], launch["explored"]), ("wrong", "all"))
        elif fault in FAULTS:  # of what comes behind it nothing is said
            self.assertEqual((launch["verdict"], launch["explored"], launch["promises"]), ("fault", "fault", []))
            self.assertRegex(launch["fault"], FAULTS[fault])
            if row["race"] == "no":
                self.assertEqual(launch["races"], 0)
        else:
            ends = {0: "-", 1: "one"}.get(launch["ends"], "many")
            found = (*needs_of(launch), "yes" if launch["races"] > 0 else "no", ends)
            wanted = tuple(row[column] for column in ("needs", "places", "fairness", "race", "outcomes"))
            self.assertEqual(found, wanted)
            self.assertEqual((launch["fault"], launch["explored"], launch["races_known"]), (None, "all", True))
            self.assertEqual(launch["verdict"], "wrong" if row["needs"] == "none" else
                             "race" if row["race"] == "yes" else "proved")

    def check_rows(self, rows):
        for row in rows:
            with self.subTest(name_of(row)):
                self.check_row(row)
