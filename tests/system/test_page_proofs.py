"""Proofs in the page: launches, and how they stall, race or fail, step by step."""
import json

import gridlock_test
from browser_case import BrowserCase, By
from prove_case import COUNTS_ROUND, EXIT_SURPRISE, FOLDER, STANDARD


class Proofs(BrowserCase):
    def setUp(self):
        super().setUp()
        self.kept_file(self.path, "proofs", self.write)

    def write(self, path, *files, groups="2"):
        files = files or ("philosophers", "lock_relaxed", "lock_over_barrier", "deque_last_item")
        self.run_gridlock("prove", *(str(FOLDER / "bugs" / f"{name}.cl") for name in files), "--local-size", "2",
                          f"--build-options={STANDARD}", "--groups", groups, "-q", "-o", str(path), code=EXIT_SURPRISE)

    def launches(self):
        return json.loads(self.report("json", code=EXIT_SURPRISE))["devices"][0]["launches"]

    def show(self, title):
        """Opens a launch; its details."""
        button, = self.find(f"button[aria-label='Show {title}']")
        button.click()
        self.assertEqual(button.get_attribute("aria-expanded"), "true")
        return self.find("td.detail")[0]

    def test_launches_are_told(self):
        self.open(code=EXIT_SURPRISE)
        told = self.launches()
        rows = self.find("#prove-1 ~ .scroll tbody tr")
        self.assertEqual(len(rows), len(told))
        for row, launch in zip(rows, told):
            cells = [cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
            self.assertEqual(cells[0], f"{launch['kernel']}\n{launch['source']}")
            self.assertEqual(cells[1:4], ["2", "2", launch["verdict"]])
            self.assertIn(launch["fault"] or launch["needs"], cells[4])
            self.assertEqual(cells[5:8], [str(launch[name]) for name in ("races", "ends", "known_states")])
        self.assertEqual([row.get_attribute("class") for row in rows].count("bad"),
                         sum(launch["verdict"] in ("wrong", "race", "fault") for launch in told))

    def test_scenarios_are_told(self):
        path = self.folder / "scenarios.run"
        self.run_gridlock("prove", "barrier_central", "mutant_semaphore", "--groups", "2", "-q", "-o", str(path),
                          code=EXIT_SURPRISE)
        self.open(path, code=EXIT_SURPRISE)
        rows = [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
                for row in self.find("#prove-1 ~ .scroll tbody tr")]
        self.assertEqual([(row[0].splitlines()[0], row[3]) for row in rows],
                         [("barrier_central", "proved"), ("mutant_semaphore", "wrong-result")])

    def test_circle_is_drawn(self):
        self.open(code=EXIT_SURPRISE)
        stall = next(launch for launch in self.launches() if launch["verdict"] == "wrong")["stalls"][0]
        way = self.show("philosophers.cl:wrong, 2 groups of 2").find_element(By.CSS_SELECTOR, ".way")
        rows = way.find_elements(By.CSS_SELECTOR, "tbody > tr")
        self.assertEqual(len(rows), len(stall["steps"]) + 1)
        again = way.find_elements(By.CSS_SELECTOR, "tr.again")
        self.assertEqual(len(again), stall["circle"] + 1)
        self.assertEqual(again[0].text, "and then again and again:")
        heads = [head.text for head in way.find_elements(By.CSS_SELECTOR, "thead th")]
        for row, step in zip([row for row in rows if row != again[0]], stall["steps"]):
            cells = row.find_elements(By.TAG_NAME, "td")
            who = heads.index(f"group {step['group']}, work-item {step['item']}")
            self.assertIn(step["line"], cells[who].text)
            self.assertEqual(sum(cell.get_attribute("class") == "moves" for cell in cells), 1)

    def test_long_way_is_told_from_its_last_steps(self):
        self.path = self.folder / "long.run"
        (self.folder / "count.cl").write_text(COUNTS_ROUND)
        self.run_gridlock("prove", "count.cl", f"--build-options={STANDARD}", "--groups", "2", "-q", "-o",
                          str(self.path), code=EXIT_SURPRISE)
        self.open(code=EXIT_SURPRISE)
        stall = self.launches()[0]["stalls"][0]
        way = self.show("count.cl:count, 2 groups of 1").find_element(By.CSS_SELECTOR, ".way")
        rows = [row.text for row in way.find_elements(By.CSS_SELECTOR, "tbody > tr:nth-child(-n + 3)")]
        self.assertEqual(rows[:2], [f"({stall['left_out']} steps before)", "and then again and again:"])
        self.assertTrue(rows[2].startswith(f"{stall['left_out'] + 1} "), rows[2])

    def test_races_faults_and_ends_are_told(self):
        self.open(code=EXIT_SURPRISE)
        for title, words in (("lock_relaxed.cl:wrong", "Data race: group "),
                             ("lock_over_barrier.cl:wrong", "How it comes to that"),
                             ("deque_last_item.cl:wrong", "different memories: "),
                             ("lock_relaxed.cl:mended", "It ends with the same memory in every schedule.")):
            self.assertIn(words, self.show(f"{title}, 2 groups of 2").text)
        self.assertEqual(len(self.find("td.detail")), 1)
        self.find("td.detail button")[0].click()
        self.assertEqual(self.find("td.detail"), [])

    def test_top_answers_and_links(self):
        self.open(code=EXIT_SURPRISE)
        answer = self.find(".answers tbody tr")[-1]
        self.assertIn("race: lock_relaxed.cl:wrong, 2 groups of 2", answer.text)
        answer.find_element(By.LINK_TEXT, "wrong: philosophers.cl:wrong, 2 groups of 2").click()
        self.assertIn("It need not end", self.find("td.detail")[0].text)
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_two_runs_side_by_side(self):
        other = self.folder / "other.gridlock"
        self.write(other, "philosophers")
        self.open(self.path, other, code=EXIT_SURPRISE)
        self.assertIn("Side by side: 0 of ", self.find("summary")[0].text)

    def test_accessibility(self):
        self.open(code=EXIT_SURPRISE)
        self.show("philosophers.cl:wrong, 2 groups of 2")
        self.assert_accessible()


if __name__ == "__main__":
    gridlock_test.main()
