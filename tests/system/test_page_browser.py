"""The page of a run in Chromium: it loads nothing and complains of nothing; filter, click and keys work."""
import lzma

import gridlock_test
from browser_case import BrowserCase, By, Keys, Select
from explain_case import chain, dining, starved_barrier
from report_case import EXIT_SURPRISE, NAMES
from run_builder import Board, samples_blob


class Browser(BrowserCase):
    def test_stored_runs(self):
        for packed in sorted((gridlock_test.ROOT / "results").glob("*/*.run.xz")):
            with self.subTest(packed=packed.name):
                self.path.write_bytes(lzma.decompress(packed.read_bytes()))
                self.open()
                self.assertEqual(len(self.find("h1")), 1)
                self.assertGreater(len(self.find("section h3")), 0)
                self.assertNotIn("[object", self.find("main")[0].text)
                self.assertNotRegex(self.find("main")[0].text, r"undefined(?! in a callback)")
                told = self.run_gridlock("report", str(self.path), code=None).out
                for listing in self.find("#progress-1 ~ pre"):
                    self.assertIn(listing.text, told)

    def test_accessibility(self):
        """Also with details open."""
        for kind in ("limits", "scenarios", "progress", "audit"):
            packed = min((gridlock_test.ROOT / "results").glob(f"*/{kind}*.run.xz"),
                         key=lambda path: path.stat().st_size)
            self.path.write_bytes(lzma.decompress(packed.read_bytes()))
            self.open()
            for details in self.find("details > summary"):
                details.click()
            for button in self.find(".matrix .cell.surprise, .matrix .cell")[:1]:
                button.click()
            with self.subTest(packed=packed.name):
                self.assert_accessible()

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
        self.assertIn("Repeat it\n", self.find("tr.open")[0].text)
        self.find("tr.open summary")[0].click()
        self.assertNotIn("Repeat it", self.find("tr.open")[0].text)
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
                self.run_gridlock("limits", "-d", "pocl", "-q", "--iterations", "2", "--local-size", sizes,
                                  "--local-memory",
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

    def test_stall_is_played_step_by_step(self):
        self.write_stall(starved_barrier(3, 2))
        self.open_stall()
        queued = {"place 0": [], "place 1": [], "no place": ["\u00b7 0", "\u00b7 1", "\u00b7 2"]}
        first = {"place 0": ["R 0"], "place 1": [], "no place": ["\u00b7 1", "\u00b7 2"]}
        both = {"place 0": ["R 0"], "place 1": ["R 1"], "no place": ["\u00b7 2"]}
        waits = {"place 0": ["W 0"], "place 1": ["W 1"], "no place": ["\u00b7 2"]}
        stands = {**waits, "no place": ["N 2"]}
        steps = [("3 groups are launched.", queued), ("Group 0 starts on place 0.", first),
                 ("Group 1 starts on place 1.", both),
                 ("Groups 0-1 wait in round 1 until word 0 of the kernel reaches 3; it is 2; waiting for all groups to"
                  " arrive.", waits),
                 ("Group 2 never started.", stands), ("So it stood when the launch was ended: starved.", stands)]
        for number, (says, places) in enumerate(steps):
            self.assertEqual(self.told(), (says, f"step {number + 1} of 6", places))
            if number == 3:
                self.assertEqual([chip.text for chip in self.find(".player td .now")], ["W 0", "W 1"])
                self.assertEqual([chip.text for chip in self.find(".player td .awaited")], ["\u00b7 2"])
            self.button("Next").click()
        self.assertEqual(self.told()[0], steps[5][0])
        self.button("Back").click()
        self.assertEqual(self.told()[0], steps[4][0])
        self.button("First").click()
        self.assertEqual(self.told()[0], steps[0][0])
        self.button("Last").click()
        self.assertEqual(self.told()[0], steps[5][0])
        self.assertEqual(self.find(".says")[0].get_attribute("role"), "status")
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_stall_is_played_by_keys(self):
        self.write_stall(starved_barrier(3, 2))
        self.open_stall()
        count = lambda: self.told()[1]
        self.button("Next").send_keys(Keys.ENTER)
        self.assertEqual(count(), "step 2 of 6")
        for key, number in ((Keys.ARROW_RIGHT, 3), (Keys.ARROW_LEFT, 2), (Keys.END, 6), (Keys.ARROW_RIGHT, 6),
                            (Keys.HOME, 1), (Keys.ARROW_LEFT, 1)):
            self.browser.switch_to.active_element.send_keys(key)
            self.assertEqual(count(), f"step {number} of 6")
        slider = self.find(".player input[type=range]")[0]
        for key, number in ((Keys.ARROW_RIGHT, 2), (Keys.END, 6), (Keys.ARROW_LEFT, 5)):
            slider.send_keys(key)
            self.assertEqual(count(), f"step {number} of 6")
            self.assertEqual(slider.get_attribute("aria-valuetext"), count())

    def test_stall_plays_when_it_is_asked_to(self):
        self.write_stall(starved_barrier(3, 2))
        self.open_stall()
        self.browser.execute_script("""
            window.timers = [];
            window.setInterval = (act, ms) => timers.push(act);
            window.clearInterval = timer => { if (timer) delete timers[timer - 1]; };""")
        timers = lambda: self.browser.execute_script("return timers.filter(Boolean).length")
        tick = lambda: self.browser.execute_script("timers.forEach(act => act())")
        self.assertEqual((timers(), self.told()[1]), (0, "step 1 of 6"))
        self.button("Play").click()
        self.assertEqual((timers(), self.told()[1]), (1, "step 2 of 6"))
        tick()
        self.assertEqual(self.told()[1], "step 3 of 6")
        self.button("Pause").click()
        self.assertEqual(timers(), 0)
        self.button("Play").click()
        for _ in range(3):
            tick()
        self.assertEqual((timers(), self.told()[1], self.button("Play").text), (0, "step 6 of 6", "Play"))
        self.button("Play").click()
        self.assertEqual(self.told()[1], "step 1 of 6")
        self.find("tr.open button")[0].click()
        tick()
        self.assertEqual(timers(), 0)

    def test_reduced_motion(self):
        self.write_stall(starved_barrier(3, 2))
        for value, animation in (("reduce", "none"), ("no-preference", "step")):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                         {"features": [{"name": "prefers-reduced-motion", "value": value}]})
            self.open_stall()
            self.button("Next").click()
            self.assertEqual(self.find(".player td .now")[0].value_of_css_property("animation-name"), animation)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_times_and_units(self):
        board = Board(3, 1)
        for group, unit, start in ((2, 5, 1000), (0, 1, 3000), (1, 5, 9000)):
            board.start(group, unit=unit, clock_low=start)
        board.done(2, clock_end=4000)
        board.wait(0, 0, 4, "ALL")
        board.wait(1, 0, 4, "ALL")
        self.write_stall(board, "stalled")
        self.open_stall()
        self.button("Next").click()
        self.assertEqual(self.told()[0], "0.000 \u00b5s: group 2 starts on unit 4.")
        self.button("Next").click()
        self.assertRegex(self.told()[0], r"^\d+\.\d+ .s: group 0 starts on unit 0\.$")
        self.button("Next").click()
        self.assertRegex(self.told()[0], r"^\d+\.\d+ .s: group 2 ends\.$")
        self.button("Next").click()
        self.assertEqual(self.told()[2], {"unit 0": ["R 0"], "unit 4": ["E 2", "R 1"], "no place": []})

    def test_samples(self):
        self.write_stall(starved_barrier(3, 2), samples=samples_blob([
            (0, {1: ("RUNNING", 0)}), (450, {0: ("WAITING", 1), 1: ("WAITING", 1)}), (1250, {0: ("DONE", 1)}),
            (1300, {0: ("WAITING", 2), 1: ("RUNNING", 1)})]))
        self.open_stall()
        seen = []
        for _ in range(7):
            says, _, places = self.told()
            seen.append((says, places["place 0"] + places["place 1"]))
            self.button("Next").click()
        self.assertEqual(seen, [
            ("3 groups are launched.", []), ("Group 1 starts on place 1.", ["R 1"]),
            ("When the host looked first: group 1 runs.", ["R 1"]),
            ("Group 0 starts on place 0.", ["R 0", "R 1"]),
            ("450.000 \u00b5s: groups 0, 1 wait in round 1.", ["W 0", "W 1"]),
            ("1.250 ms: group 0 has ended.", ["E 0", "W 1"]),
            ("1.300 ms: group 0 waits in round 2; group 1 runs.", ["W 0", "R 1"])])
        self.assertEqual(self.told()[2], {"place 0": ["W 0"], "place 1": ["W 1"], "no place": ["\u00b7 2"]})
        self.assertIn("Times are those of the host's looks", self.find(".player")[0].text)
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_many_groups(self):
        self.write_stall(starved_barrier(4224, 1056))
        self.open_stall()
        self.assertEqual(self.told()[0], "4224 groups are launched.")
        self.assertIn("4200 of 4224 are left out", self.find(".player")[0].text)
        self.assertEqual(len(self.find(".player td .chip")), 24)

    def test_graph(self):
        self.write_stall(dining(3), "deadlock", name="</svg><script>document.title = 'taken'</script>")
        self.open_stall()
        graph = self.find("figure.graph svg")[0]
        self.assertEqual(graph.get_attribute("role"), "img")
        title = graph.find_element(By.ID, graph.get_attribute("aria-labelledby"))
        self.assertIn("toy/cl30/l64/g3", title.get_attribute("textContent"))
        waits = graph.find_element(By.ID, graph.get_attribute("aria-describedby")).get_attribute("textContent")
        self.assertIn("group 0 waits in round 1", waits)
        text = graph.get_attribute("textContent")
        for words in ("group 2", "WAITING in round 1", "part of the circle", "held by group 1"):
            self.assertIn(words, text)
        self.assertEqual(len(self.find("figure.graph .node")), 6)
        self.assertEqual(self.find("figure.graph [style], figure.graph title ~ title, figure.graph a"), [])
        self.assertNotEqual(self.browser.title, "taken")
        self.assertEqual(self.browser.get_log("browser"), [])

    def test_large_graph_fits_and_grows(self):
        self.write_stall(dining(9), "deadlock")
        self.open_stall()
        graph, around = self.find("figure.graph svg")[0], self.find("figure.graph .scroll")[0]
        size = lambda: (graph.rect["width"], graph.rect["height"])
        fits = size()
        self.assertLessEqual(fits[0], around.rect["width"])
        button = self.find("figure.graph button")[0]
        button.send_keys(Keys.ENTER)
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.assertGreater(size()[0], 1.5 * fits[0])
        text = self.find("figure.graph .node text")[0]
        self.assertGreater(text.rect["height"], 14)
        button.click()
        self.assertEqual((button.get_attribute("aria-pressed"), size()), ("false", fits))

    def test_colours_of_the_graph(self):
        """What is written in it can be read in light and in dark."""
        self.write_stall(starved_barrier(3, 2))
        grounds = set()
        for scheme in ("light", "dark"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                         {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open_stall()
            colours = self.browser.execute_script("""
                const lightness = text => {
                    const [r, g, b] = text.match(/[\\d.]+/g).map(part => {
                        const share = part / 255;
                        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
                    });
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const ground = getComputedStyle(document.querySelector("td.detail")).backgroundColor;
                return [lightness(ground), Array.from(document.querySelectorAll("figure.graph text"), text => {
                    const shape = text.parentNode.querySelector("polygon, rect, ellipse");
                    const fill = text.closest(".node") ? getComputedStyle(shape).fill : "none";
                    const pair = [lightness(fill === "none" ? ground : fill), lightness(getComputedStyle(text).fill)];
                    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
                })];""")
            grounds.add(colours[0])
            self.assertGreater(len(colours[1]), 8)
            self.assertGreater(min(colours[1]), 4.5)
        self.assertEqual(len(grounds), 2)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_many_nodes_do_not_overlap(self):
        """The boxes of a drawing stand apart."""
        self.write_stall(chain(30, 18))
        self.open_stall()
        boxes = self.browser.execute_script("""
            return Array.from(document.querySelectorAll("figure.graph .node"), node => {
                const {left, top, right, bottom} = node.firstChild.getBoundingClientRect();
                return [left, top, right, bottom];
            });""")
        self.assertGreater(len(boxes), 15)
        for i, (left, top, right, bottom) in enumerate(boxes):
            for other in boxes[:i]:
                self.assertTrue(right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top)


if __name__ == "__main__":
    gridlock_test.main()
