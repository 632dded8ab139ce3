"""The page before a stranger who has a minute: what the device is, how many groups, what went wrong."""
import contextlib
import json
import re
import sqlite3

import gridlock_test
from browser_case import BrowserCase, By, WebDriverWait
from explain_case import starved_barrier
from gridlock_test import needs_driver
from report_case import EXIT_SURPRISE, limits_trials

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
                         "264 groups of 1024 work-items, 4224 groups of 64 work-items; fewer if they use much local "
                         "memory, or many private values.")
        self.assertRegex(answers["Up to how many groups is an idiom safe?"],
                         r"any number that was tried: \d+ scenarios, \d+ of them with some options only .*\n"
                         r"as many as fit, and not one more: \d+ scenarios(.*\n)+"
                         r"no number that was tried: \d+ scenarios")
        self.assertRegex(answers["Which groups are sure of a turn?"],
                         r"^Those that have started, and all lower ids: the model LOBE .weak., which none of 448 tests "
                         r"broke; \d+ of them broke stronger ones\.$")
        self.assertRegex(answers["When is a write seen by other groups?"],
                         r"With assembly of NVIDIA GPUs .ptx.: always, at \d+ points\.\n(.*\n)*"
                         r"With atomics of OpenCL C 1.2 .cl12.: stale data at \d+ of \d+ points\.$")

    def test_each_scenario_is_counted_once(self):
        """However many of its options have an answer of their own."""
        run, = self.stored("nvidia-h200/scenarios")
        told = json.loads(self.run_gridlock("report", str(run), "--format", "json", code=None).out)
        idioms = {scenario["name"] for scenario in told["devices"][0]["scenarios"]
                  if scenario["mutant_caught"] is None and not scenario["name"].startswith("cause_")}
        self.open(run)
        for line in self.answers()["Up to how many groups is an idiom safe?"].splitlines():
            count, some = re.search(r": (\d+) scenarios(?:, (?:(\d+) of them )?with some options only)?", line).groups()
            self.assertLessEqual(int(some or 0), int(count))
            self.assertLess(int(count), len(idioms))

    def test_stale_is_called_stale(self):
        self.open(*self.stored("nvidia-h200/scenarios"))
        self.assertNotRegex(self.find("main")[0].text, r"\bold\b|\bvariants?\b")

    def test_publication_that_is_wrong(self):
        """A launch that starved says nothing of it; one that read what nobody wrote is no better than one that read
        stale data."""
        builder = self.builder()
        device = builder.device()
        for groups, verdict in ((2, "pass"), (3, "wrong"), (4, "starved")):
            builder.trial(device, (verdict,), {"checked": 8, "stale": 0, "wrong": 0}, groups=groups)
        builder.close()
        self.open()
        self.assertEqual(self.answers()["When is a write seen by other groups?"],
                         "With atomics of OpenCL C 3.0 (cl30): stale or wrong data at 1 of 2 points.")

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

    def test_many_broken_promises(self):
        """Five are named, and how many more there are."""
        audit, = self.stored("pocl-6.0/audit")
        self.open(audit)
        told = json.loads(self.run_gridlock("report", str(audit), "--format", "json", code=None).out)
        promises = told["devices"][0]["promises"]
        broken = [promise["name"] for promise in promises if promise["outcome"] == "broken"]
        made = [promise for promise in promises if promise["outcome"] in ("broken", "kept", "exceeded")]
        self.assertGreater(len(broken), 5)
        named = ", ".join(broken[:5])
        self.assertEqual(self.answers()["Does the driver keep its promises?"],
                         f"All but {len(broken)} of {len(made)}: not {named} and {len(broken) - 5} more.")

    def test_demonstration(self):
        """One idiom is named with its numbers, and the stall that was predicted can be looked at."""
        self.open(*self.stored("pocl-7.1/demo"))
        answers = self.answers()
        self.assertEqual(answers["How many groups are resident together?"], "2 groups, with each kernel that ran.")
        self.assertEqual(answers["Up to how many groups is an idiom safe?"],
                         "barrier_central: 2 groups pass, 3 starved.")
        self.assertEqual(answers["Which groups are sure of a turn?"], "not measured: gridlock progress")
        self.assertEqual(answers["What went wrong?"],
                         "Nothing unexpected. 1 of 2 points was predicted to fail, and did. See barrier_central with 3 "
                         "groups: starved.")
        self.find(".answers td a[href*=g3]")[0].click()
        self.assertIn("barrier_central/cl30/l64/g3", self.opened())

    def opened(self):
        """What a click has opened, which comes with the new address."""
        return WebDriverWait(self.browser, 60).until(lambda _: self.find("tr.open"))[0].text

    def wrong(self, *runs):
        self.open(*self.stored(*runs))
        return self.answers()["What went wrong?"].splitlines()

    def test_driver_that_crashed_comes_first(self):
        """Before all other surprises; in runs and audits, and if it was tried again without what it died of."""
        runs = self.stored("pocl-6.0/scenarios", "pocl-6.0/audit")
        for run in runs:  # they were measured on two processors, whose names PoCL gives its devices
            with contextlib.closing(sqlite3.connect(run)) as stored, stored:
                stored.execute("UPDATE device SET name = 'cpu', vendor = 'one'")
        self.open(*runs)
        told = self.answers()["What went wrong?"].splitlines()
        self.assertEqual(told[0], "the driver crashed: group_functions at 1 point")
        self.assertRegex(told[1], "^the driver crashed: group-size-assembly, broken .promised: ")
        self.assertEqual(told[2], "left out, because the driver died of it: pocl-loops")
        self.assertEqual([line for line in told[3:] if "died" in line or "crash" in line], [])
        self.find(".answers td.trouble a")[0].click()
        self.assertIn("crash", self.opened())

    def test_crash_beyond_what_is_promised_is_none_of_these(self):
        self.assertEqual([line for line in self.wrong("pocl-1.6/audit") if "crash" in line], [])

    def test_crash_of_limits(self):
        """Of a footprint that was not measured, and of one that was."""
        builder = self.builder(command_line="gridlock limits")
        device = builder.device(search_estimators="census,barrier", search_repeats=20, search_max_groups=100000,
                                search_compute_units=2)
        died = {"estimator": "census", "scenario": None, "kernel": None, **dict.fromkeys(
            ("seed", "jitter", "uneven", "burners", "held", "traffic", "sync_words"))}
        for local_size, times in ((64, 1), (128, 2)):
            for sequence in range(times):
                builder.trial(device, ("crash",), {"outcome": "crashed", "code": 11}, groups=1000, sequence=sequence,
                              local_size=local_size, name=f"limits/census/l{local_size}-m0-p0/g1000#{sequence}", **died)
        limits_trials(builder, device, 64, 4)
        builder.close()
        self.open()
        self.assertEqual(self.answers()["What went wrong?"],
                         "the driver crashed: 64 work-items\nthe driver crashed: 128 work-items")

    def test_known_crash_is_in_the_head(self):
        builder = self.builder()
        device = builder.device()
        for groups, verdict, known in ((2, "wrong", None), (3, "crash", "failure")):
            builder.trial(device, (verdict,), {"outcome": "crashed"} if verdict == "crash" else {}, groups=groups,
                          expected="crash" if known else "pass", known=known)
        builder.close()
        self.open()
        self.assertEqual(self.answers()["What went wrong?"],
                         "the driver crashed: toy at 1 point, a known failure\ntoy: wrong at 1 point, predicted pass")

    def test_what_was_left_open(self):
        """Nothing was predicted of it, so that it can be no surprise."""
        builder = self.builder()
        device = builder.device()
        for groups, verdict in ((1, "pass"), (2, "starved"), (3, "inconclusive")):
            builder.trial(device, (verdict,), groups=groups, allowed="pass or starved")
        builder.close()
        self.open()
        self.assertEqual(self.answers()["What went wrong?"],
                         "Nothing unexpected. 1 of 3 points failed, where it was left open whether they would; "
                         "1 of 3 points was undecided. See toy with 2 groups: starved.")

    def test_busy_machine_is_in_the_head(self):
        """However much else went wrong; not where no verdict hung on it."""
        told = self.wrong("pocl-6.0/scenarios", "pocl-6.0/limits")
        self.assertRegex(told[-1], r"^the machine was busy while \d+ trials ran that were in doubt$")
        self.assertRegex(self.find("main")[0].text,
                         r"The machine was busy: other processes used [\d.]+ of 2 processors")
        self.assertNotIn("busy", " ".join(self.wrong("pocl-7.1/demo")))

    def test_surprises_are_in_the_head(self):
        self.write_stall(starved_barrier(3, 2))
        self.open(code=EXIT_SURPRISE)
        self.assertEqual(self.answers()["What went wrong?"], "toy: starved at 1 point, predicted pass")
        self.find(".answers td.trouble a")[0].click()
        self.assertIn("toy/cl30/l64/g3 - a surprise", self.opened())

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

    @needs_driver("pocl")
    def test_source_that_does_not_build(self):
        """It has neither a kernel's name nor a size."""
        (self.folder / "broken.cl").write_text("kernel void broken(global int *x) { x[0] = y; }\n")
        (self.folder / "own.cl").write_text("kernel void own(global int *x) { x[get_global_id(0)] = 1; }\n")
        self.run_gridlock("limits", "-d", "pocl", "-q", "--source", "own.cl", "--source", "broken.cl", "--local-size",
                          "64", "--iterations", "2", "-o", "own.run", code=EXIT_SURPRISE)
        self.open("own.run", code=EXIT_SURPRISE)
        self.assertRegex(self.answers()["What went wrong?"],
                         "^build-failed: broken.cl .'broken.cl' as it is does not build: .*.$")
        self.assertRegex(self.answers()["How many groups are resident together?"],
                         r"^So many groups of each kernel fit together: \d+ \(own in groups of 64\)\. Whether")
        self.assertEqual(self.texts(".map thead th"), ["kernel", "64"])
        self.assertEqual(self.texts(".map tbody tr:not(.open) th"), ["own.cl: own", "broken.cl"])
        self.assertNotIn("null", self.find("main")[0].text)

    @needs_driver("pocl")
    def test_kernel_that_was_not_measured(self):
        """Who asked for it is told why there is no number."""
        (self.folder / "big.cl").write_text("kernel void big(global int *x) { local int a[1 << 22]; a[x[0]] = 1;\n"
                                            "barrier(CLK_LOCAL_MEM_FENCE); x[1] = a[x[2]]; }\n")
        self.run_gridlock("limits", "-d", "pocl", "-q", "--source", "big.cl", "--local-size", "64", "-o", "big.run",
                          code=None)
        self.open("big.run")
        self.assertRegex(self.answers()["What went wrong?"],
                         "^unsupported: big.* .16777216 bytes of local memory: the device has only .*.$")

    def test_tests_that_stalled(self):
        """No promise of OpenCL is broken by that."""
        self.open(*self.stored("pocl-7.1/progress"))
        self.assertRegex(self.answers()["What went wrong?"],
                         r"^Nothing unexpected\. \d+ of 448 litmus tests stalled, which OpenCL allows\.$")
        self.assertIn("LOBE\nthose that have started, and all lower ids", self.texts("#progress-1 ~ div tbody th"))

    def test_nothing_went_wrong(self):
        self.write_limits()
        self.open(code=0)
        self.assertEqual(self.answers()["What went wrong?"], "Nothing in what was run.")
        self.assertEqual(self.find("td.trouble"), [])

    def test_words_stay_in_their_boxes(self):
        """Of the longest limiter's name, and on a narrow screen."""
        self.addCleanup(self.browser.set_window_size, 1200, 900)
        self.open(*self.stored("nvidia-h200/limits"))
        for width in (1200, 500):
            self.browser.set_window_size(width, 900)
            wide = self.browser.execute_script(
                "return [...document.querySelectorAll('button, .cell, .heat')].filter(box => "
                "box.scrollWidth > box.clientWidth + 1).map(box => box.textContent)")
            self.assertEqual(wide, [])
        self.assertGreater(len(self.find(".heat")), 10)

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
        self.assertRegex(self.texts("h1")[0], r"^cpu-.*, 2 runs$")

    def test_what_went_wrong_can_be_seen(self):
        """Without scrolling to the right."""
        self.open(*self.stored("pocl-6.0/scenarios", "pocl-7.1/scenarios"))
        for cell in self.find(".answers td.trouble"):
            self.assertLessEqual(cell.rect["x"] + cell.rect["width"], self.find("main")[0].rect["width"])
        self.assertEqual(len(self.find(".answers td.trouble")), 2)

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
