#!/usr/bin/env python3
"""The summary of a run has a row for each value of an option that changes the answer, and says which is an
anti-pattern."""
import json

import gridlock_test
from report_case import Case


def below(resident):
    """What a barrier comes to: it passes up to the limit, and starves above it."""
    return {1: "pass", resident: "pass", resident + 1: "starved", 2 * resident: "starved"}


ALL_PASS = {1: "pass", 2: "pass", 3: "pass", 4: "pass"}


class Rows(Case):
    def write(self, lines, resident=2, marked=(), scenario="toy"):
        """A run file: {values as a line names them: {groups: verdict}}."""
        builder = self.builder()
        device = builder.device()
        for line, verdicts in lines.items():
            limit = resident if isinstance(resident, int) else resident[line]
            for groups, verdict in verdicts.items():
                builder.trial(device, (verdict,), groups=groups, resident=limit, scenario=scenario,
                              name=f"{scenario}/{line}/g{groups}#0", anti_pattern=1 if line in marked else None)
        builder.close()

    def rows(self):
        """{label: (safe, unsafe, verdict, anti-pattern)}, from JSON; the scenario's own is the one without a name."""
        scenario, = json.loads(self.report("json"))["devices"][0]["scenarios"]
        return {row.get("options", ""): (row["safe_groups"], row["unsafe_groups"], row["unsafe_verdict"],
                                         row["anti_pattern"])
                for row in (scenario, *scenario["by_options"])}

    def write_chain(self):
        self.write({"cl30/l64/order=id": ALL_PASS, "cl30/l64/order=ticket": ALL_PASS,
                    "cl30/l64/order=reverse": below(2)},
                   marked={"cl30/l64/order=reverse"})

    def test_each_value_of_an_option_that_matters(self):
        self.write_chain()
        self.assertEqual(self.rows(), {"": (2, 3, "starved", False), "order=id": (4, None, None, False),
                                       "order=ticket": (4, None, None, False),
                                       "order=reverse": (2, 3, "starved", True)})

    def test_text(self):
        self.write_chain()
        text = self.report("text")
        self.assertRegex(text, r"(?m)^toy\n  order=id +all to 4 .*\n.*not predicted\n  order=ticket +all to 4 ")
        self.assertRegex(text, r"(?m)^  order=reverse +2 .* 3 starved +-\n +4 not predicted, anti-pattern$")
        self.assertEqual(text.count("anti-pattern"), 1)

    def test_markdown(self):
        self.write_chain()
        text = self.report("markdown")
        self.assertIn("| toy order=ticket | all to 4 | - | 4 | 0 | 0 |", text)
        self.assertIn("| toy order=reverse (anti-pattern) | 2 | 3 starved | 4 | 0 | 0 |", text)

    def test_prometheus(self):
        self.write_chain()
        text = self.report("prometheus")
        self.assertRegex(text, r'gridlock_safe_groups\{.*,scenario="toy",options="order=id"\} 4\n')
        self.assertRegex(text, r'gridlock_unsafe_groups\{.*,scenario="toy",options="order=reverse"\} 3\n')
        self.assertNotRegex(text, r'gridlock_unsafe_groups\{.*options="order=id"')

    def test_values_that_agree_share_a_row(self):
        self.write({f"cl30/l64/pairing={value}": below(2) for value in ("near", "far")})
        self.assertEqual(self.rows(), {"": (2, 3, "starved", False)})
        self.assertRegex(self.report("text"), r"(?m)^toy +2 ")

    def test_another_limit_is_no_other_answer(self):
        lines = {"cl30/l1": below(8), "cl30/l64": below(2), "cl12/l1": below(6), "cl12/l64": below(3)}
        self.write(lines, resident={"cl30/l1": 8, "cl30/l64": 2, "cl12/l1": 6, "cl12/l64": 3})
        self.assertEqual(list(self.rows()), [""])

    def test_size_of_group_that_changes_the_answer(self):
        self.write({"cl30/l1/rounds=2": ALL_PASS, "cl30/l64/rounds=2": {1: "deadlock", 2: "deadlock"}})
        self.assertEqual(self.rows(), {"": (None, 1, "deadlock", False), "local-size=1": (4, None, None, False),
                                       "local-size=64": (None, 1, "deadlock", False)})

    def test_option_that_matters_with_one_dialect_alone(self):
        stale = {1: "pass", 2: "stale", 3: "starved"}
        self.write({f"{dialect}/l64/rounds=8,access={access}":
                    stale if (dialect, access) == ("cl12", "plain") else below(2)
                    for dialect in ("cl30", "cl12", "ptx") for access in ("plain", "atomic")})
        self.assertEqual(self.rows(), {"": (1, 2, "stale", False), "dialect=cl30": (2, 3, "starved", False),
                                       "dialect=cl12 access=plain": (1, 2, "stale", False),
                                       "dialect=cl12 access=atomic": (2, 3, "starved", False),
                                       "dialect=ptx": (2, 3, "starved", False)})

    def test_what_was_undecided_is_no_other_answer(self):
        for verdict in ("inconclusive", "cut", "unsupported"):
            with self.subTest(verdict):
                self.path.unlink(missing_ok=True)
                self.write({"cl30/l64/order=id": ALL_PASS,
                            "cl30/l64/order=reverse": {1: "pass", 2: verdict, 3: verdict}})
                self.assertEqual(list(self.rows()), [""])

    def test_number_of_groups_that_was_not_tried_is_no_other_answer(self):
        self.write({"cl30/l64/late=0": {1: "pass"}, "cl30/l64/late=1": {2: "starved"},
                    "cl30/l64/late=3": {4: "starved"}})
        self.assertEqual(list(self.rows()), [""])

    def test_numbers_are_options_too(self):
        self.write({"cl30/l64/held=0": below(2), "cl30/l64/held=1": {1: "pass", 2: "starved", 3: "starved"}})
        self.assertEqual(self.rows(), {"": (1, 2, "starved", False), "held=0": (2, 3, "starved", False),
                                       "held=1": (1, 2, "starved", False)})

    def test_scenario_that_is_an_anti_pattern_as_a_whole(self):
        self.write({"cl30/l64/order=naive": below(2)}, marked={"cl30/l64/order=naive"})
        self.assertEqual(self.rows(), {"": (2, 3, "starved", True)})
        self.assertRegex(self.report("text"), r"(?m)^toy +2 .*\n +4 not predicted, anti-pattern$")

    def test_anti_pattern_that_did_no_harm_does_not_mark_the_row(self):
        self.write({"cl30/l64/order=id": ALL_PASS, "cl30/l64/order=reverse": ALL_PASS},
                   marked={"cl30/l64/order=reverse"})
        self.assertEqual(self.rows(), {"": (4, None, None, False)})
        self.assertNotIn("anti-pattern", self.report("text"))

    def test_label_that_is_long_has_a_line_of_its_own(self):
        long = "a-long-name-of-an-option"
        self.write({f"cl30/l64/{long}=first": ALL_PASS, f"cl30/l64/{long}=second": below(2)})
        self.assertRegex(self.report("text"), rf"(?m)^  {long}=second\n {{28}} +2 +1 +1  3 starved ")

    def test_very_many_values_have_one_row(self):
        self.write({f"cl30/l64/value={value}": ALL_PASS if value % 2 else below(2) for value in range(300)})
        self.assertEqual(self.rows(), {"": (2, 3, "starved", False)})


if __name__ == "__main__":
    gridlock_test.main()
