"""The page of a run in Chromium: it loads nothing and complains of nothing; filter, click and keys work."""
import lzma
import shutil
import unittest

import gridlock_test
from report_case import EXIT_SURPRISE, NAMES, Case

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    webdriver = None
try:
    from axe_selenium_python import Axe
except ImportError:
    Axe = None
BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@unittest.skipUnless(webdriver and BROWSER and DRIVER, "needs chromium, chromium-driver and python3-selenium")
class Browser(Case):
    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--window-size=1200,900"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=Service(DRIVER))
        cls.addClassCleanup(cls.browser.quit)

    def open(self, *paths, code=None):
        paths = paths or (self.path,)
        page = self.folder / "page.html"
        page.write_text(self.run_gridlock("report", *map(str, paths), "--format", "html", code=code).out)
        self.browser.get("about:blank")
        self.browser.get_log("performance")
        self.browser.get(page.as_uri())
        self.assert_silent(page.as_uri())

    def assert_silent(self, address):
        self.assertEqual(self.browser.get_log("browser"), [])
        requests = [entry["message"] for entry in self.browser.get_log("performance")
                    if "Network.requestWillBeSent\"" in entry["message"]]
        self.assertGreater(len(requests), 0)
        self.assertEqual([request for request in requests if address not in request], [])

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def rows(self):
        return [row.text for row in self.find(".matrix tbody tr:not(.open) > th")]

    def test_stored_runs(self):
        for packed in sorted((gridlock_test.ROOT / "results").glob("*/*.run.xz")):
            with self.subTest(packed=packed.name):
                self.path.write_bytes(lzma.decompress(packed.read_bytes()))
                self.open()
                self.assertEqual(len(self.find("h1")), 1)
                self.assertGreater(len(self.find("section h3")), 0)
                self.assertNotIn("[object", self.find("main")[0].text)
                self.assertNotIn("undefined", self.find("main")[0].text)
                told = self.run_gridlock("report", str(self.path), code=None).out
                for listing in self.find("#progress-1 ~ pre"):
                    self.assertIn(listing.text, told)

    @unittest.skipUnless(Axe, "needs axe-selenium-python")
    def test_accessibility(self):
        """axe-core finds nothing serious, in light and dark, on a wide and a narrow screen, also with details open."""
        self.addCleanup(self.browser.set_window_size, 1200, 900)
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        for kind in ("limits", "scenarios", "progress", "audit"):
            packed = min((gridlock_test.ROOT / "results").glob(f"*/{kind}*.run.xz"), key=lambda path: path.stat().st_size)
            self.path.write_bytes(lzma.decompress(packed.read_bytes()))
            self.open()
            for details in self.find("details > summary"):
                details.click()
            for button in self.find(".matrix .cell.surprise, .matrix .cell")[:1]:
                button.click()
            for scheme in ("light", "dark"):
                for width in (1200, 380):
                    with self.subTest(packed=packed.name, scheme=scheme, width=width):
                        self.browser.set_window_size(width, 900)
                        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                        axe = Axe(self.browser)
                        axe.inject()
                        results = axe.run()
                        self.assertIn("color-contrast", [rule["id"] for rule in results["passes"]])
                        self.assertEqual([(rule["id"], rule["nodes"][0]["html"][:200]) for rule in results["violations"]
                                          if rule["impact"] in ("serious", "critical")], [])

    def test_filter_and_click(self):
        self.write_mixed()
        self.open(code=EXIT_SURPRISE)
        self.assertEqual(self.rows(), ["toy", "other"])
        text = self.find("input[type=search]")[0]
        text.send_keys("oth")
        self.assertEqual(self.rows(), ["other"])
        text.clear()
        text.send_keys(Keys.SPACE, Keys.BACKSPACE)
        verdict, order = map(Select, self.find(".controls select"))
        verdict.select_by_value("crash")
        self.assertEqual(self.rows(), ["toy"])
        verdict.select_by_value("")
        order.select_by_value("by name")
        self.assertEqual(self.rows(), ["other", "toy"])
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_points_of_a_cell(self):
        self.write_mixed()
        self.open(code=EXIT_SURPRISE)
        cell = self.find(".cell.v-starved, .cell.surprise")[0]
        cell.send_keys(Keys.ENTER)
        self.assertEqual(cell.get_attribute("aria-expanded"), "true")
        self.assertNotIn("Repeat it", self.find("tr.open")[0].text)
        self.find("tr.open summary")[0].click()
        self.assertIn("Repeat it\n", self.find("tr.open")[0].text)
        self.find("tr.open button")[0].send_keys(Keys.ESCAPE)
        self.assertEqual(self.find("tr.open"), [])
        self.assertEqual(self.browser.switch_to.active_element, cell)
        cell.click()
        self.assertEqual(len(self.find("tr.open")), 1)
        cell.click()
        self.assertEqual(self.find("tr.open"), [])

    def test_footprints(self):
        self.write_limits()
        self.open(code=0)
        before = self.find("svg")[0].get_attribute("aria-label")
        self.find(".heat[aria-pressed=false]")[0].click()
        self.assertNotEqual(self.find("svg")[0].get_attribute("aria-label"), before)
        self.assertEqual(len(self.find(".heat[aria-pressed=true]")), 1)

    def test_product_of_axes(self):
        """A map, whose boxes show their footprints; and ladders where there is no product."""
        for sizes, local, maps in (("1,4", "0,64", 1), ("1,4", "0", 0)):
            with self.subTest(sizes=sizes, local=local):
                self.run_gridlock("limits", "-d", "pocl", "-q", "--iterations", "2", "--local-size", sizes, "--local-memory",
                                  local, "-o", f"{maps}.run", POCL_MAX_PTHREAD_COUNT=2)
                self.open(f"{maps}.run", code=0)
                self.assertEqual(len(self.find("table.map")), maps)
                self.assertEqual(len(self.find(".map .heat")), 4 * maps)
                self.assertEqual(len(self.find(".heat")), 4 if maps else 2)
        self.open("1.run", code=0)
        for line in range(2):
            self.find(".map tbody tr:not(.open)")[line].find_elements(By.CSS_SELECTOR, ".heat")[1].click()
            (shown,) = self.find(".map tr.open")
            self.assertEqual(self.find(".map tbody tr").index(shown), line + 1)
            self.assertEqual(shown.find_element(By.CSS_SELECTOR, "h4").text.startswith("4 work-items"), True)
            self.assertEqual("64 B" in shown.text, line == 1)

    def test_hostile_names(self):
        builder = self.builder()
        for name in NAMES + ("</script><script>document.title = 'taken'</script>", "<img src=x onerror=alert(1)>"):
            builder.trial(builder.device(name=name[:255]), ("crash",), note=name)
        builder.close()
        self.open()
        self.assertEqual(self.find("img"), [])
        self.assertNotEqual(self.browser.title, "taken")
        self.assertIn("<img src=x onerror=alert(1)>", self.find("main")[0].text)


if __name__ == "__main__":
    gridlock_test.main()
