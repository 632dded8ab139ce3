"""The page of a run on a model device whose schedule was kept: one steps through its turns."""
import gridlock_test
from browser_case import BrowserCase, Keys


class Schedule(BrowserCase):
    def test_turn_by_turn(self):
        self.run_gridlock("run", "mutant_semaphore", "-d", "model:obe:4,turns=lot", "-t", "/g4$", "--shorten", "-q",
                          "-o", str(self.path))
        schedule = self.run_gridlock("explain", str(self.path), "--format", "json").json()["schedule"]
        last, cut = schedule["told"][-1], next(turn for turn in schedule["told"] if turn["cut"])
        self.open()
        self.find(".cell")[0].click()
        says = lambda: self.find(".player .says")[-1].text
        self.assertRegex(says(), rf"^Turn {schedule['first'] + 1}: ")
        self.button("Next cut").click()
        self.assertIn(f"group {cut['group']}, item {cut['item']}: {cut['steps']} steps, and is cut at {cut['at']}.",
                      says())
        self.assertEqual(len(self.find(".turns tr.chosen")), 1)
        before = says()
        self.button("Next").send_keys(Keys.ARROW_RIGHT)
        self.button("Back").click()
        self.assertEqual(says(), before)
        self.button("Last").send_keys(Keys.END)
        self.assertRegex(says(), rf"^Turn {schedule['turns']}: group {last['group']}, item {last['item']}: ")


if __name__ == "__main__":
    gridlock_test.main()
