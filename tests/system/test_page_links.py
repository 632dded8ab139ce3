"""Links into the page: what is open is in the address, and a reload shows it again."""
import urllib.parse

import gridlock_test
from browser_case import BrowserCase, Keys, WebDriverWait
from explain_case import dining, starved_barrier
from report_case import EXIT_SURPRISE


class Links(BrowserCase):
    def await_link(self, link):
        """The page keeps it a moment later."""
        WebDriverWait(self.browser, 60).until(lambda _: self.link() == link)

    def link(self):
        return urllib.parse.unquote(self.browser.current_url.partition("#")[2])

    def reload(self):
        self.browser.refresh()
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_point_and_step(self):
        self.write_stall(starved_barrier(3, 2))
        self.open_stall()
        self.await_link("run-1/toy/cl30/l64/g3")
        for _ in range(3):
            self.button("Next").click()
        told = self.told()
        self.assertEqual(told[1], "step 4 of 6")
        self.await_link("run-1/toy/cl30/l64/g3/4")
        self.reload()
        WebDriverWait(self.browser, 60).until(lambda _: self.find(".player"))
        self.assertEqual(self.told(), told)
        self.find("tr.open button")[0].click()
        self.await_link("run-1")
        self.reload()
        self.assertEqual(self.find("tr.open"), [])

    def test_point_that_a_filter_hides(self):
        self.write_mixed()
        self.open(code=EXIT_SURPRISE)
        self.find("input[type=search]")[0].send_keys("nothing of this name")
        self.assertEqual(self.find(".cell"), [])
        self.browser.execute_script("location.hash = '#run-1/' + encodeURIComponent(arguments[0])", "toy/cl30/l64/g2")
        WebDriverWait(self.browser, 60).until(lambda _: len(self.find("tr.open")) == 1)

    def test_footprint(self):
        self.write_limits()
        self.open(code=0)
        other = self.find(".heat[aria-pressed=false]")[0]
        shown = other.text
        other.click()
        WebDriverWait(self.browser, 60).until(lambda _: self.link().startswith("limits-1/"))
        self.reload()
        self.assertEqual([box.text for box in self.find(".heat[aria-pressed=true]")], [shown])

    def test_links_to_nothing(self):
        """Of what is not there, and what nobody meant."""
        self.write_stall(starved_barrier(3, 2))
        self.open(code=EXIT_SURPRISE)
        address = self.browser.current_url.partition("#")[0]
        point = "run-1/toy%2Fcl30%2Fl64%2Fg3"
        for link in (f"{point}/99", f"{point}/x", f"{point}/-1.5", "run-1/toy", "run-1/%E0%A4%A", "run-9/x", "%", "/",
                     "page/x"):
            with self.subTest(link=link):
                self.browser.get("about:blank")
                self.browser.get(f"{address}#{link}")
                self.assertEqual(self.browser.get_log("browser"), [])
                self.assertEqual(len(self.find("tr.open")), int("g3" in link))


class Player(BrowserCase):
    def test_it_comes_first_with_the_counter(self):
        self.write_stall(starved_barrier(3, 2))
        self.open_stall()
        self.assertEqual(self.find("tr.open details > :nth-child(2) > :first-child")[0].get_attribute("class"),
                         "player")
        self.assertEqual([word.text for word in self.find(".words li")], [])
        self.button("Last").click()
        self.assertEqual([word.text for word in self.find(".words li")],
                         ["word 0 of the kernel is 2, and must reach 3, to be written on arrival by group 2"])
        self.button("First").click()
        self.assertEqual(self.find(".words li"), [])

    def test_locks(self):
        """Who holds what, once it is told who waits."""
        self.write_stall(dining(2), "deadlock")
        self.open_stall()
        self.button("Last").click()
        self.assertEqual(self.told()[2]["place 0"], ["W 0 holds 1 lock"])
        self.assertEqual([word.text for word in self.find(".words li")],
                         [f"word {word} of the kernel is {word + 1}, and must be 0, held by group {word}"
                          for word in (1, 0)])
        self.button("First").click()
        self.assertEqual(self.told()[2]["no place"], ["\u00b7 0", "\u00b7 1"])

    def test_it_fills_the_window(self):
        self.write_stall(starved_barrier(3, 2))
        self.open_stall()
        player = self.find(".player")[0]
        small = self.find(".player .chip")[0].rect["height"]
        self.button("Fill the window").click()
        size = self.browser.execute_script("return [innerWidth, innerHeight]")
        self.assertEqual([player.rect["width"], player.rect["height"]], size)
        self.assertGreater(self.find(".player .chip")[0].rect["height"], small)
        top = self.browser.execute_script("""
            return Array.from({length: 90}, (_, i) => i / 90)
                .map(part => document.elementFromPoint(innerWidth * part, innerHeight * part))
                .every(element => element.closest(".player"))""")
        self.assertTrue(top)
        self.button("Fill the window").send_keys(Keys.ESCAPE)
        self.assertLess(player.rect["width"], size[0])
        self.assertEqual(len(self.find("tr.open")), 1)


if __name__ == "__main__":
    gridlock_test.main()
