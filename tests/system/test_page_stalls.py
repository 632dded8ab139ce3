"""`gridlock report --format html`: the graphs and the plays of stalls, which are those of `gridlock explain`."""
import json
import re
import shutil

import gridlock_test
from explain_case import chain, dining, starved_barrier
from page_case import PAGE_BYTES, Page, PageCase
from report_case import EXIT_SURPRISE, NAMES
from run_builder import ABI, Board, blob, samples_blob

class Stalls(PageCase):
    """The graphs and the plays of stalls."""

    def write_stalls(self, *stalls, name="some device", samples=None):
        """Points that stalled, one for each (verdict, cause, board, what is expected)."""
        builder = self.builder()
        device = builder.device(name=name)
        for place, (verdict, cause, board, expected) in enumerate(stalls):
            waiting = sum(board.phase(group) == "WAITING" for group in range(board.groups))
            builder.trial(device, (verdict,), {"started": board.words[32], "waiting": waiting, "done": 0},
                          cause=cause, board=board, groups=board.groups, sync_words=len(board.words) - board.sync,
                          expected=expected, scenario=f"stall{place}", samples=samples,
                          name=f"stall{place}/cl30/l64/g{board.groups}#0")
        builder.close()

    def explain_json(self, trial):
        return json.loads(self.run_gridlock("explain", f"{self.path}:{trial}", "--format", "json").out)

    def check_play(self, play, told, board):
        """It says what explain says, of the groups that it shows."""
        self.assertEqual(play["launched"], board.groups)
        self.assertEqual([kind["state"] for kind in play["classes"]], [kind["state"] for kind in told["classes"]])
        self.assertEqual([kind["says"] for kind in play["classes"]], [kind["says"] for kind in told["classes"]])
        shown = [group["group"] for group in play["groups"]]
        self.assertEqual(len(set(shown)), len(shown))
        self.assertGreaterEqual(len(shown), min(24, board.groups))
        self.assertLessEqual(len(shown), 40)
        for mine, other in zip(play["classes"], told["classes"]):
            if mine["word"] is not None:
                self.assertEqual([mine["word"][key] for key in ("is", "value")],
                                 [other["wait"][key] for key in ("is", "value")])
                self.assertIn(f"{mine['word']['name']} ", mine["says"])
            if mine["locks_held"] > 0:
                self.assertEqual(mine["locks_held"], other["locks_held"])
            self.assertEqual(mine["word"] is not None, other["wait"] is not None and mine["state"] == "waiting")
        waits = {edge["from"]: set() for edge in told["waits"]}
        for edge in told["waits"]:
            waits[edge["from"]] |= set(told["classes"][edge["to"]]["groups"])
        for number, kind in enumerate(play["classes"]):
            self.assertLessEqual(set(kind["awaits"]), waits.get(number, set()) & set(shown))
            self.assertTrue(any(group["class"] == number for group in play["groups"]))
        for group in play["groups"]:
            kind = told["classes"][group["class"]]
            self.assertIn(group["group"], kind["groups"])
            self.assertEqual(group["place"] is None, kind["state"] == "not started")
            if group["place"] is not None:
                self.assertLess(group["place"], len(play["places"]))
                self.assertEqual(group["end_ns"] is not None, kind["state"] == "done")

    def test_plays_say_what_explain_says(self):
        mixed = Board(5, 1)
        for group in (3, 0, 2):
            mixed.start(group)
        mixed.done(0)
        mixed.wait(2, 0, 1, 4)
        boards = (starved_barrier(64, 8), dining(5), chain(6, 4), chain(4224, 1056), dining(30), mixed)
        self.write_stalls(*(("stalled", "unknown", board, "pass") for board in boards))
        page = self.page(code=EXIT_SURPRISE)
        self.assert_safe(page)
        plays, explained = page.drawn()[1], page.explained()
        self.assertEqual(len(explained), len(boards))
        for place, board in enumerate(boards):
            with self.subTest(groups=board.groups):
                trial = f"stall{place}/cl30/l64/g{board.groups}#0"
                self.check_play(plays[explained[trial]["play"]], self.explain_json(trial), board)

    def test_whom_they_wait_for_is_shown(self):
        board = Board(100, 1)
        board.start(0)
        board.wait(0, 0, 1, 77)
        self.write_stalls(("starved", "occupancy", board, "pass"))
        play, = self.page(code=EXIT_SURPRISE).drawn()[1].values()
        self.assertEqual([kind["awaits"] for kind in play["classes"]], [[77], []])
        self.assertEqual([group["group"] for group in play["groups"]], [*range(23), 77])

    def test_order_places_and_times(self):
        board = Board(4, 1)
        for group, unit, start in ((2, 5, 1000), (0, 1, 3000), (1, 5, 9000)):
            board.start(group, unit=unit, clock_low=start)
        board.done(2, clock_end=4000)
        board.wait(0, 0, 4, "ALL")
        board.wait(1, 0, 4, "ALL")
        self.write_stalls(("starved", "occupancy", board, "pass"))
        play, = self.page(code=EXIT_SURPRISE).drawn()[1].values()
        self.assertEqual((play["clock"], play["units"], play["places"]), ("ticks", True, ["unit 0", "unit 4"]))
        told = {group.pop("group"): group for group in play["groups"]}
        self.assertEqual([told[group]["ticket"] for group in (2, 0, 1)], [1, 2, 3])
        self.assertEqual([told[group]["place"] for group in range(4)], [0, 1, 1, None])
        self.assertEqual([told[2]["start_ns"], told[2]["end_known"]], [0, True])
        self.assertLess(told[2]["end_ns"], told[1]["start_ns"])
        self.assertLess(told[0]["start_ns"], told[2]["end_ns"])

    def play_of(self, samples, board=None):
        self.path.unlink(missing_ok=True)
        self.write_stalls(("starved", "occupancy", board or starved_barrier(3, 2), "pass"), samples=samples)
        play, = self.page(code=EXIT_SURPRISE).drawn()[1].values()
        return play

    def test_samples(self):
        """What the host saw, of the groups that are shown."""
        samples = [(0, {1: ("RUNNING", 0)}), (450, {0: ("RUNNING", 0), 1: ("WAITING", 1)}), (900, {0: ("WAITING", 1)})]
        told = [{"at_us": at, "groups": [{"group": group, "state": phase.lower(), "round": round_}
                                         for group, (phase, round_) in changes.items()]} for at, changes in samples]
        self.assertEqual(self.play_of(samples_blob(samples))["samples"], told)
        self.assertEqual(self.play_of(None)["samples"], [])
        board = starved_barrier(100, 50)
        shown = {group["group"] for group in self.play_of(None, board)["groups"]}
        hidden = next(group for group in range(100) if group not in shown)
        samples = [(5, {hidden: ("RUNNING", 0)}), (7, {0: ("RUNNING", 0), hidden: ("WAITING", 1)})]
        self.assertEqual(self.play_of(samples_blob(samples), board)["samples"],
                         [{"at_us": 7, "groups": [{"group": 0, "state": "running", "round": 0}]}])

    def test_many_samples(self):
        """The last ones are told one by one, and those before as one."""
        samples = [(10 * i, {i % 2: ("WAITING", i)}) for i in range(1, 501)]
        told = self.play_of(samples_blob(samples))["samples"]
        self.assertEqual(len(told), 100)
        self.assertEqual(told[0], {"at_us": 4010, "groups": [{"group": 0, "state": "waiting", "round": 400},
                                                             {"group": 1, "state": "waiting", "round": 401}]})
        self.assertEqual(told[-1], {"at_us": 5000, "groups": [{"group": 0, "state": "waiting", "round": 500}]})

    def test_damaged_samples(self):
        good = [3, 1, 0, ABI["PHASE_WAITING"] | 8]
        for words in ([1], [1, 2, 0, 9], [1, 2**32 - 1, 0, 9], [1, 1, 99, 9], [1, 1, 0, 7], [1, 1, 0, 0]):
            with self.subTest(words=words):
                self.assertEqual(self.play_of(blob(words))["samples"], [])
                self.assertEqual(len(self.play_of(blob(good + words))["samples"]), 1)

    def test_names(self):
        names = NAMES + ("</script><script>alert(1)</script>", "<!-- <script>", "</svg><b>", "\\N \\\" -> \\l")
        builder = self.builder()
        for name in names:
            builder.trial(builder.device(name=name[:255]), ("deadlock",), {"started": 3, "waiting": 3}, board=dining(3),
                          cause="circular-wait", groups=3, sync_words=3, expected="pass", scenario=name[:60],
                          kernel=name[:40], name=f"{name[:60]}/cl30/l64/g3#0")
        builder.close()
        page = self.page(code=EXIT_SURPRISE)
        self.assert_safe(page)
        graphs, plays = page.drawn()
        self.assertEqual((len(graphs), len(plays)), (1, 1))
        self.assertEqual({entry["play"] for entry in page.explained().values()}, set(plays))

    def test_nothing_is_drawn_where_nothing_stalled(self):
        board = Board(2, 1)
        for group in range(2):
            board.start(group)
            board.done(group)
        self.write_stalls(("wrong", None, board, "pass"))
        page = self.page(code=EXIT_SURPRISE)
        entry, = page.explained().values()
        self.assertEqual((entry["graph"], entry["play"]), (None, None))
        self.assertEqual(page.drawn(), ({}, {}))

    def test_graph_of_a_launch_that_was_cut_short_is_of_that_moment(self):
        for overdue, title in ((0, "Who waits for whom"), (1, "Who waited for whom when the time limit was reached")):
            with self.subTest(overdue=overdue):
                self.path.unlink(missing_ok=True)
                builder = self.builder()
                builder.trial(builder.device(), ("inconclusive",),
                              {"started": 8, "waiting": 8, "overdue": overdue}, board=starved_barrier(64, 8), groups=64,
                              expected="pass", scenario="cut", kernel="cut", name="cut/cl30/l64/g64#0")
                builder.close()
                graph, = self.page(code=EXIT_SURPRISE).drawn()[0].values()
                self.assertEqual(graph["title"], title)
                self.assertIn(f"\n{title}\n", self.run_gridlock("explain", str(self.path)).out)

    def test_graphs_are_those_of_explain(self):
        """The nodes and edges of explain's drawing, with their labels; around a circle the nodes say it all."""
        boards = (dining(5), starved_barrier(64, 8), dining(3), chain(30, 18), starved_barrier(4224, 1056))
        self.write_stalls(*(("stalled", "unknown", board, "pass") for board in boards))
        page = self.page(code=EXIT_SURPRISE)
        graphs = page.drawn()[0]
        words = lambda label: label.replace("\\n", " ").split()
        for trial, entry in page.explained().items():
            graph = graphs[entry["graph"]]
            told = self.run_gridlock("explain", f"{self.path}:{trial}", "--format", "dot").out
            nodes = re.findall(r'^  (\w\d+) \[.*label="(.*)"\]$', told, re.M)
            edges = re.findall(r'^  (\w\d+) -> (\w\d+) \[.*="(.*)"\]$', told, re.M)
            self.assertGreater(len(edges), 0)
            self.assertEqual([(node["name"], node["label"].split()) for node in graph["nodes"]],
                             [(name, words(label)) for name, label in nodes])
            self.assertEqual([(edge["from"], edge["to"]) for edge in graph["edges"]], [edge[:2] for edge in edges])
            self.assertEqual(graph["is_circle"], "layout=circo" in told)
            for edge, (*_, label) in zip(graph["edges"], edges):
                self.assertEqual(edge["label"] and edge["label"].split(), None if graph["is_circle"] else words(label))

    def test_equal_ones_are_there_once(self):
        starved, circle = starved_barrier(8, 2), dining(3)
        stalls = (("starved", "occupancy", starved, "pass"), ("deadlock", "circular-wait", circle, "pass"))
        self.write_stalls(*stalls * 3)
        other = self.folder / "other.gridlock"
        shutil.copy(self.path, other)
        page = self.page(self.path, other, code=EXIT_SURPRISE)
        self.assert_safe(page, runs=2)
        self.assertEqual([len(pictures) for pictures in page.drawn()], [2, 2])
        entries = list(page.explained().values())
        self.assertEqual(len({(entry["graph"], entry["play"]) for entry in entries}), 2)

    def test_surprises_are_drawn_first(self):
        self.write_stalls(("starved", "occupancy", starved_barrier(8, 2), "starved"),
                          ("deadlock", "circular-wait", dining(3), "pass"))
        page = self.page(code=EXIT_SURPRISE)
        first = json.loads(page.pictures[0])[0]["number"]
        self.assertIn(first, [page.explained()["stall1/cl30/l64/g3#0"][kind] for kind in ("graph", "play")])

    def test_page_stays_small(self):
        """What stalled as expected goes without pictures before what surprised."""
        count, surprises, stalls = 700, 50, []
        for value in range(count):  # no two are equal
            board = Board(40, 1)
            for group in range(38):
                board.start(group)
                board.wait(group, 0, 1 + value + group, 39)
            stalls.append(("starved", "occupancy", board, "starved" if value < count - surprises else "pass"))
        self.write_stalls(*stalls)
        out = self.run_gridlock("report", str(self.path), "--format", "html", code=EXIT_SURPRISE).out
        self.assertLess(len(out.encode()), PAGE_BYTES)
        page = Page(out)
        self.assert_safe(page)
        entries = list(page.explained().values())
        for kind, stored in zip(("graph", "play"), page.drawn()):
            there = [entry[kind] in stored for entry in entries]
            self.assertTrue(all(there[:surprises]))
            self.assertEqual(there, sorted(there, reverse=True))
            self.assertFalse(there[-1])

    def test_graphs_need_no_graphviz(self):
        self.write_stalls(("deadlock", "circular-wait", dining(3), "pass"))
        pages = [self.page(code=EXIT_SURPRISE), self.page(code=EXIT_SURPRISE, PATH=str(self.folder))]
        self.assertEqual(pages[0].drawn(), pages[1].drawn())
        self.assertEqual(len(pages[0].drawn()[0]), 1)


if __name__ == "__main__":
    gridlock_test.main()
