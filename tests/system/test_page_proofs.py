"""Proofs in the page: launches, and how they stall, race or fail, step by step."""
import json

import gridlock_test
from browser_case import BrowserCase, By, Keys, WebDriverWait
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
            self.assertIn(launch["answer"], cells[4])
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

    def step(self, player):
        """Of a player: what is said, which step it is, the words' values, the groups' signs, and the row."""
        texts = lambda selector: [element.text for element in player.find_elements(By.CSS_SELECTOR, selector)]
        chosen = texts("tr.chosen td.number")
        return (texts(".says")[0], texts(".controls span")[0], texts(".words li"), texts(".groups .chip"),
                int(chosen[0]) if chosen else None)

    def test_circle_is_played(self):
        self.open(code=EXIT_SURPRISE)
        launch = next(launch for launch in self.launches() if launch["verdict"] == "wrong")
        stall = launch["stalls"][0]
        steps, circle = stall["steps"], stall["circle"]
        player = self.show("philosophers.cl:wrong, 2 groups of 2").find_element(By.CSS_SELECTOR, ".player")
        buttons = {button.text: button for button in player.find_elements(By.TAG_NAME, "button")}
        count = len(steps) + circle + 2
        told, number, words, _, row = self.step(player)
        self.assertEqual((told, number, row),
                         ("2 groups are launched; none has taken a step.", f"step 1 of {count}", None))
        self.assertTrue(words)
        self.assertTrue(all(word.endswith(" is 0") for word in words))
        held = {word.split(" is ")[0]: 0 for word in words}
        for at, step in enumerate(steps, 1):
            buttons["Next"].click()
            told, number, words, _, row = self.step(player)
            self.assertEqual((number, row), (f"step {at + 1} of {count}", at))
            self.assertTrue(told.startswith(f"Group {step['group']}, work-item {step['item']} "), told)
            held[f"{step['object']}[{step['offset'] // step['bytes']}]"] = step["after"]
            self.assertEqual({word.split(" is ")[0]: int(word.split(" is ")[1].split(";")[0]) for word in words}, held)
        self.assertTrue(any("for another value" in word for word in words))
        buttons["Next"].click()
        told, _, _, _, row = self.step(player)
        self.assertEqual(row, len(steps) - circle + 1)
        self.assertTrue(told.startswith("Again: group "), told)
        buttons["Last"].click()
        told, number, _, chips, _ = self.step(player)
        self.assertTrue(told.startswith("And so for ever: group "), told)
        self.assertEqual((number, chips), (f"step {count} of {count}", ["W 0", "W 1"]))

    def test_keys_and_links(self):
        self.open(code=EXIT_SURPRISE)
        player = self.show("philosophers.cl:wrong, 2 groups of 2").find_element(By.CSS_SELECTOR, ".player")
        number = lambda: int(self.step(self.find(".player")[0])[1].split()[1])
        control = player.find_element(By.CSS_SELECTOR, ".controls button")
        for key, step in ((Keys.ARROW_RIGHT, 2), (Keys.ARROW_RIGHT, 3), (Keys.ARROW_LEFT, 2)):
            control.send_keys(key)
            self.assertEqual(number(), step)
        WebDriverWait(self.browser, 60).until(lambda _: self.browser.current_url.endswith("/0/2"))
        self.browser.refresh()
        self.assertEqual(number(), 2)

    def test_group_that_never_started(self):
        """It is shown at the end of the way, and who waits for it."""
        path = self.folder / "places.run"
        self.run_gridlock("prove", str(FOLDER / "bugs" / "grid_not_resident.cl"), f"--build-options={STANDARD}",
                          "--groups", "2", "-q", "-o", str(path))
        self.open(path)
        player = self.show("grid_not_resident.cl:wrong, 2 groups of 1").find_element(By.CSS_SELECTOR, ".player")
        next(button for button in player.find_elements(By.TAG_NAME, "button") if button.text == "Last").click()
        told, _, words, chips, _ = self.step(player)
        self.assertEqual(told, "And so for ever: group 0 waits for another value of count[0], which stays 1.")
        self.assertEqual((words, chips), (["count[0] is 1; group 0 waits for another value"], ["W 0", "N 1"]))

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
