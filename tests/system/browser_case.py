"""The page of runs in Chromium, as tests open and read it."""
import lzma
import shutil
import unittest

import gridlock_test
from report_case import EXIT_SURPRISE, Case

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError:
    webdriver = By = Keys = Select = WebDriverWait = None
try:
    from axe_selenium_python import Axe
except ImportError:
    Axe = None
BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@unittest.skipUnless(webdriver and BROWSER and DRIVER, "needs chromium, chromium-driver and python3-selenium")
class BrowserCase(Case):
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

    def assert_accessible(self):
        """axe-core finds nothing serious, in light and dark, on a wide and a narrow screen."""
        if Axe is None:
            self.skipTest("needs axe-selenium-python")
        self.addCleanup(self.browser.set_window_size, 1200, 900)
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        for scheme in ("light", "dark"):
            for width in (1200, 380):
                with self.subTest(scheme=scheme, width=width):
                    self.browser.set_window_size(width, 900)
                    self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                    axe = Axe(self.browser)
                    axe.inject()
                    results = axe.run()
                    self.assertIn("color-contrast", [rule["id"] for rule in results["passes"]])
                    self.assertEqual([(rule["id"], rule["nodes"][0]["html"][:200]) for rule in results["violations"]
                                      if rule["impact"] in ("serious", "critical")], [])

    def stored(self, *runs):
        """Run files of these names, such as "pocl-7.1/demo"."""
        paths = []
        for run in runs:
            path = self.folder / f"{run.replace('/', '-')}.gridlock"
            path.write_bytes(lzma.decompress((gridlock_test.ROOT / "results" / f"{run}.run.xz").read_bytes()))
            paths.append(path)
        return paths

    def texts(self, selector):
        return [element.text for element in self.find(selector)]

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def write_stall(self, board, verdict="starved", name="some device", samples=None):
        builder = self.builder()
        builder.trial(builder.device(name=name), (verdict,), {"started": board.words[32], "done": 0}, board=board,
                      samples=samples, groups=board.groups, sync_words=len(board.words) - board.sync, expected="pass")
        builder.close()

    def open_stall(self):
        """Opens the page and its only point, which says why it failed."""
        self.open(code=EXIT_SURPRISE)
        self.find(".cell")[0].click()
        WebDriverWait(self.browser, 60).until(lambda _: self.find(".player"))

    def button(self, name):
        return next(button for button in self.find(".player button") if button.text == name)

    def told(self):
        """The sentence of this step, its number, and what is in each place."""
        chips = lambda row: [chip.text for chip in row.find_elements(By.CSS_SELECTOR, ".chip")]
        places = {row.find_element(By.TAG_NAME, "th").text: chips(row) for row in self.find(".play tbody tr")}
        return self.find(".says")[0].text, self.find(".player .controls span")[0].text, places

    def rows(self):
        return [row.text for row in self.find(".matrix tbody tr:not(.open) > th")]
