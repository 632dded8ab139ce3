"""Parts of the page that are read at a glance: publication as a matrix, an audit that is filtered, legends that
stay."""
import gridlock_test
from browser_case import BrowserCase, By, Select


class Parts(BrowserCase):
    def test_publication_is_a_matrix(self):
        self.open(*self.stored("nvidia-h200/scenarios"))
        heads = self.texts(".published thead th")
        self.assertEqual(heads[:3], ["scenario", "dialect", "access"])
        rows = {tuple(cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")[:3]):
                row.find_elements(By.CSS_SELECTOR, "th, td") for row in self.find(".published tbody tr")}
        both, none = heads.index("fence both"), heads.index("fence none")
        self.assertIn("all seen", rows["publish_fence", "ptx", "plain"][both].text)
        self.assertRegex(rows["publish_fence", "cl12", "plain"][both].text, r"^[\d.]+ % stale\n\d+ of \d+ reads$")
        self.assertEqual(rows["publish_fence", "ptx", "plain"][none].get_attribute("class"), "v-stale")

    def test_audit_is_filtered(self):
        self.open(*self.stored("pocl-6.0/audit"))
        names = lambda: self.texts("#page table.cards:not(.answers) tbody th")
        outcome = Select(self.find(".controls select")[0])
        self.assertEqual(outcome.first_selected_option.text, f"broken: {len(names())}")
        self.assertIn(f" {len(names())} broken, ", self.find("#audit-1 ~ p")[1].text)
        outcome.select_by_value("")
        every = len(names())
        self.assertGreater(every, 90)
        self.find(".controls input")[0].send_keys("sub-group")
        self.assertLess(len(names()), every)
        self.assertGreater(len(names()), 0)

    def test_legend_stays(self):
        """Wherever the matrix is scrolled to, the signs can be read."""
        self.open(*self.stored("nvidia-h200/scenarios"))
        self.browser.execute_script("document.querySelectorAll('.matrix tbody tr')[60].scrollIntoView()")
        self.assertEqual(self.find(".legend")[0].rect["y"], self.browser.execute_script("return scrollY"))


if __name__ == "__main__":
    gridlock_test.main()
