"""The page before a stranger who has a minute: what the device is, how many groups, what went wrong."""
import json

import gridlock_test
from browser_case import BrowserCase, By
from explain_case import starved_barrier
from gridlock_test import needs_driver
from report_case import EXIT_SURPRISE

NVIDIA = ("limits", "scenarios", "progress-quick", "audit")


class Answers(BrowserCase):
    def answers(self):
        """{question: answer}, of the only device."""
        rows = [(row.find_element(By.TAG_NAME, "th").text, row.find_element(By.TAG_NAME, "td").text)
                for row in self.find(".answers tbody tr")]
        return dict(rows)

    def test_gpu(self):
        self.open(*self.stored(*(f"nvidia-h200/{run}" for run in NVIDIA)))
        answers = self.answers()
        self.assertEqual(answers["How many groups are resident together?"],
                         "264 of 1024 work-items, 4224 of 64 work-items; fewer if they use much local memory, or many "
                         "private values.")
        self.assertRegex(answers["Up to how many groups is an idiom safe?"],
                         r"any number that was tried: \d+ variants .*\nas many as fit, and not one more: \d+ variants")
        self.assertRegex(answers["Which groups are sure of a turn?"],
                         "^LOBE .weak.: those that have started, and all lower ids; not broken by 448 tests")
        self.assertRegex(answers["When is a write seen by other groups?"],
                         r"ptx: always .*cl12: old data at \d+ of \d+ points")

    def test_publication_that_is_wrong(self):
        """A launch that starved says nothing of it; one that read what nobody wrote is no better than one that read old
        data."""
        builder = self.builder()
        device = builder.device()
        for groups, verdict in ((2, "pass"), (3, "wrong"), (4, "starved")):
            builder.trial(device, (verdict,), {"checked": 8, "stale": 0, "wrong": 0}, groups=groups)
        builder.close()
        self.open()
        self.assertEqual(self.answers()["When is a write seen by other groups?"],
                         "cl30: old or wrong data at 1 of 2 points.")

    def test_promises(self):
        """Of those that could be decided; the broken ones are what went wrong."""
        audit, = self.stored("nvidia-h200/audit")
        told = json.loads(self.run_gridlock("report", str(audit), "--format", "json", code=None).out)
        promises = told["devices"][0]["promises"]
        of = lambda *outcomes: [promise["name"] for promise in promises if promise["outcome"] in outcomes]
        says = {promise["name"]: promise["says"] for promise in promises}
        self.open(audit)
        answers = self.answers()
        broken, made = of("broken"), of("broken", "kept", "exceeded")
        self.assertEqual(answers["Does the driver keep its promises?"],
                         f"All but {len(broken)} of {len(made)}: not {', '.join(broken)}.")
        self.assertEqual(answers["What went wrong?"],
                         "\n".join(f"broken: {name} (promised: {says[name]})" for name in broken))

    def test_demonstration(self):
        """One idiom is named with its numbers, and the stall that was predicted can be looked at."""
        self.open(*self.stored("pocl-7.1/demo"))
        answers = self.answers()
        self.assertEqual(answers["How many groups are resident together?"], "2, of the scenarios' kernels.")
        self.assertEqual(answers["Up to how many groups is an idiom safe?"], "barrier_central: 2 pass, 3 starved.")
        self.assertEqual(answers["Which groups are sure of a turn?"], "not measured: gridlock progress")
        self.assertEqual(answers["What went wrong?"],
                         "1 point failed, as predicted: barrier_central/cl30/l64/g3 (starved).")
        self.find(".answers td a[href*=g3]")[0].click()
        self.assertIn("barrier_central/cl30/l64/g3", self.find("tr.open")[0].text)

    def test_surprises_are_in_the_head(self):
        self.write_stall(starved_barrier(3, 2))
        self.open(code=EXIT_SURPRISE)
        self.assertEqual(self.answers()["What went wrong?"], "toy: starved at 1 point, a surprise")
        self.find(".answers td.trouble a")[0].click()
        self.assertIn("toy/cl30/l64/g3 - a surprise", self.find("tr.open")[0].text)

    def test_what_a_run_was_to_show(self):
        builder = self.builder()
        device = builder.device()
        builder.trial(device, ("pass",), expected="pass")
        for name, failed in (("64=4", True), ("64=2", False)):
            builder.insert("asserted", device=device, kind="at-least", name=name, failed=failed,
                           said="2 groups are resident")
        builder.close()
        self.open()
        self.assertEqual(self.answers()["What went wrong?"], "--at-least: 64=4: 2 groups are resident")

    @needs_driver("pocl")
    def test_own_kernels(self):
        (self.folder / "own.cl").write_text("".join(
            f"__kernel void {name}(__global int *x) {{ x[get_global_id(0)] = 1; }}\n" for name in "abc"))
        self.run_gridlock("limits", "-d", "pocl", "-q", "--source", "own.cl", "--local-size", "1,64", "--iterations",
                          "2", "-o",
                          "own.run", POCL_MAX_PTHREAD_COUNT=2, POCL_CPU_MAX_CU_COUNT=2)
        self.open("own.run", code=0)
        self.assertRegex(self.answers()["How many groups are resident together?"],
                         "^So many groups of each kernel fit together: 2, in groups of any size. Whether they may wait")

    def test_nothing_went_wrong(self):
        self.write_limits()
        self.open(code=0)
        self.assertEqual(self.answers()["What went wrong?"], "Nothing in what was run.")
        self.assertEqual(self.find("td.trouble"), [])

    def test_a_box_says_whose_number_it_is(self):
        self.open(*self.stored("nvidia-h200/limits"))
        self.assertIn("Groups of the whole device, by work-items of a group", self.texts("h4"))
        self.assertIn("64 work-items\n4224 groups\nlimited by groups per compute unit", self.texts(".heat"))


class SeveralDevices(BrowserCase):
    def test_devices_are_rows_and_are_told_apart(self):
        names = ("pocl-7.1", "pocl-6.0")
        self.open(*self.stored(*(f"{name}/limits" for name in names + ("nvidia-h200",))))
        self.assertEqual(self.texts("h1"), ["3 devices"])
        rows = self.texts(".answers tbody th")
        self.assertEqual([row.split("\n")[0].rpartition(", driver ")[2] for row in rows],
                         ["7.1+debian", "6.0+debian", "NVIDIA H200"])
        for row in rows:
            self.assertIn(row.split("\n")[0], self.browser.title)

    def test_two_runs_of_one_kind_are_told_apart(self):
        """Of one device, by their files."""
        self.open(*self.stored("pocl-7.1/demo", "pocl-7.1/scenarios"))
        names = [row.split("\n")[0] for row in self.texts(".answers tbody th")]
        self.assertEqual([name.rpartition(", ")[2] for name in names],
                         ["pocl-7.1-demo.gridlock", "pocl-7.1-scenarios.gridlock"])

    def test_titles_name_all_devices(self):
        builder = self.builder()
        for number in range(7):
            builder.trial(builder.device(name=f"device {number}"), ("pass",), expected="pass")
        builder.close()
        self.open(code=0)
        self.assertEqual(self.browser.title, " | ".join(f"device {number}" for number in range(7)) + " - gridlock")

    def test_differences_that_matter_go_first(self):
        """Groups are compared in multiples of those that fit."""
        self.open(*self.stored(*(f"pocl/scenarios-{threads}-threads" for threads in (2, 4))))
        self.assertRegex(self.texts("details[open] > summary")[0],
                         r"^Side by side: \d+ of \d+ differ, and \d+ by count alone$")
        rows = self.find("details[open] tbody tr")
        changed = [len(row.find_elements(By.CSS_SELECTOR, ".changed")) for row in rows]
        self.assertEqual(changed, sorted(changed, reverse=True))
        told = [cell.text for cell in rows[sum(changed)].find_elements(By.TAG_NAME, "td")]
        self.assertNotEqual(*told)
        self.assertEqual(*(text.partition(" ")[0] for text in told))

    def test_what_was_not_measured_is_no_difference(self):
        self.open(*self.stored("pocl/limits-2-threads", "nvidia-h200/limits"))
        for row in self.find("details[open] tbody tr"):
            shown = [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
            if "-" in shown:
                self.assertEqual(row.find_elements(By.CSS_SELECTOR, ".changed"), [])


if __name__ == "__main__":
    gridlock_test.main()
