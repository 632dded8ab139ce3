"""What kernels of ours need, as their first comments say, is what is computed; and seeded faults are found."""
import json
import re
import unittest

import gridlock_test
import prove_case
from prove_case import EXIT_SURPRISE

KERNELS = gridlock_test.ROOT / "kernels"

# A phrase of the line "needs:" of kernels/NAME.cl, and what is computed of scenarios that use the kernel.
NEEDS = (
    (r"nothing$", "any"),
    (r"a group that .* runs on \(OBE\)", "OBE"),
    (r"all groups resident together, or fair scheduling$", "FAIR"),
)
# Of others the line says that it depends on an option or on the device.
SCENARIOS = (
    "barrier_central", "barrier_dissemination", "barrier_flags", "barrier_sense", "barrier_tree", "barrier_two_level",
    "barrier_units", "barrier_discovery", "lock_array", "lock_backoff", "lock_mcs", "lock_tas", "lock_ticket",
    "group_functions", "reduce_group", "scan_group",
)
# What is wrong with each of these mutants in some schedule of 2 groups.
MUTANTS = {
    "mutant_full_tree": "wrong", "mutant_late_reset": "wrong", "mutant_lock_forgotten_unlock": "wrong",
    "mutant_no_parity": "wrong", "mutant_no_store": "wrong", "mutant_open_poll": "wrong", "mutant_reset_race": "wrong",
    "mutant_unequal_rounds": "wrong", "mutant_no_fence": "race", "mutant_lock_no_fence": "race",
    "mutant_reduce_no_fence": "race", "mutant_first_arriver": "wrong-result", "mutant_no_reversal": "wrong-result",
    "mutant_queue_ring": "wrong-result", "mutant_semaphore": "wrong-result", "mutant_handover_no_write": "wrong-result",
    "mutant_no_sense": "wrong-result",
}
# Right ones beside them; those without both fences race.
RIGHT = ("publish_fence", "scan_group", "queue_ring", "event")


class Scenarios(gridlock_test.Case):
    def prove(self, *names, code=None):
        result = self.run_gridlock("prove", *names, "--groups", "2", "-q", "--format", "json", "--budget", "600",
                                   code=code)
        return json.loads(result.out)["devices"][0]["launches"]

    def test_needs_are_as_kernels_say(self):
        launches = self.prove(*SCENARIOS, code=0)
        self.assertEqual({launch["scenario"] for launch in launches}, set(SCENARIOS))
        for launch in launches:
            text = (KERNELS / f"{launch['kernel']}.cl").read_text(encoding="ascii")
            line = re.search(r"\* needs: +(.*)", text)[1]
            expected = next((needs for phrase, needs in NEEDS if re.match(phrase, line)), None)
            with self.subTest(launch["id"], line=line):
                self.assertEqual(launch["verdict"], "proved", launch)
                self.assertEqual(prove_case.needs_of(launch)[0], expected)
                self.assertEqual(launch["wrong_ends"] or 0, 0)

    def test_mutants_are_refuted(self):
        launches = self.prove(*MUTANTS, code=EXIT_SURPRISE)
        self.assertEqual({launch["scenario"] for launch in launches}, set(MUTANTS))
        for launch in launches:
            right = launch["scenario"] == "mutant_no_sense" and launch["point"].startswith("rounds=2,")
            with self.subTest(launch["id"]):
                self.assertEqual(launch["verdict"], "proved" if right else MUTANTS[launch["scenario"]])

    def test_rings_that_get_full_make_a_producer_wait(self):
        """Fewer rounds than the ring has slots would need less."""
        for launch in self.prove("queue_ring", code=0):
            with self.subTest(launch["id"]):
                self.assertEqual(prove_case.needs_of(launch), ("FAIR", "2", "weak"))

    def test_scans_have_few_items(self):
        """Those that the scenario has would be too many for tickets."""
        needs = {launch["id"].partition("order=")[2].partition("/")[0]: prove_case.needs_of(launch)[0]
                 for launch in self.prove("scan_chained", code=0)}
        self.assertEqual(needs, {"id": "HSA", "ticket": "OBE", "reverse": "FAIR"})

    def test_right_ones_are_not(self):
        for launch in self.prove(*RIGHT):
            with self.subTest(launch["id"]):
                races = "fence=" in (launch["point"] or "") and "fence=both" not in launch["point"]
                self.assertEqual(launch["verdict"], "race" if races else "proved")


if __name__ == "__main__":
    unittest.main()
