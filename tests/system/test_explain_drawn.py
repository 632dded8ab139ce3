"""`gridlock explain --format dot` and `svg`: the wait-for graph, and that Graphviz's drawing of it can be read."""
import itertools
import re
import shutil
import sqlite3
import subprocess
import unittest
import xml.etree.ElementTree

import gridlock_test
from explain_case import Case, chain, dining
from gridlock_test import EXIT_HARNESS, EXIT_USAGE, needs_driver, scenario_text
from run_builder import ABI, Board, Builder
from test_explain import NAMES

MOST_NODES = 40
SVG = "{http://www.w3.org/2000/svg}"
needs_graphviz = unittest.skipIf(shutil.which("dot") is None, "graphviz is not installed")


class Graph:
    """What a file for Graphviz says, as far as explain writes it; anything else is an error."""
    STRING = r'"((?:[^"\\\n]|\\.)*)"'

    def __init__(self, text):
        lines = text.splitlines()
        assert lines[0] == "digraph waits {" and lines[-1] == "}", text
        self.nodes, self.edges, self.circle, self.styles = {}, {}, set(), {}
        for line in lines[1:-1]:
            self.read(line)

    def read(self, line):
        statement = re.fullmatch(rf"  (\w+(?: -> \w+)?) \[((?:[^\"\]]|{self.STRING})*)\]", line)
        if statement is None:
            assert re.fullmatch(rf"  (\w+=({self.STRING}|[\d.]+|\w+)(; )?)+", line), line
            return
        label = re.search("(?:label|tooltip)=" + self.STRING, line)
        label = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label[1]) if label else None
        name = statement[1]
        if name == "graph":
            self.title = label
        elif "->" in name:
            self.edges[tuple(name.split(" -> "))] = "\n".join(part.strip() for part in label.split("\n"))
        elif name not in ("node", "edge"):
            self.nodes[name] = label.strip()
            self.styles[name] = re.search(r"shape=(\w+), style=(\w+|\"[\w,]+\")", line)[0]
        if "penwidth=4" in line:
            self.circle.add(name)


class Case(Case):
    def graph(self, trial=None):
        graph = Graph(self.explain("dot", trial).out)
        self.assertLessEqual(len(graph.nodes), MOST_NODES)
        for edge in graph.edges:
            self.assertLessEqual(set(edge), set(graph.nodes))
        return graph


class Dot(Case):
    def test_starved_barrier(self):
        self.write_starved()
        graph = self.graph()
        self.assertEqual(graph.nodes, {
            "g0": "groups 0-7\n8 groups\nWAITING in round 1", "g1": "groups 8-63\n56 groups\nNEVER STARTED",
            "w0": "word 0 of the kernel\nis 8\nmust reach 64"})
        self.assertEqual(graph.edges, {("g0", "w0"): "waits for",
                                       ("w0", "g1"): "to be written on arrival by,\nwhich never started"})
        self.assertEqual(graph.circle, set())
        for words in ("toy/cl30/l64/g64#0\n", "starved, starvation by occupancy", "some device", "8 started"):
            self.assertIn(words, graph.title)

    def test_thousands_are_classes(self):
        self.write_starved(4224, 1056)
        self.assertEqual(self.graph().nodes["g1"], "groups 1056-4223\n3168 groups\nNEVER STARTED")

    def test_states_differ_without_colours(self):
        board = Board(5, 5)
        for group in (0, 1, 2, 4):
            board.start(group)
        board.wait(1, 0, 1, 0)
        board.wait(2, 4, 1, 4)
        board.words[board.sync + 4] = 1
        board.done(4, locks_held=1)
        self.write("stalled", board, "unknown")
        graph = self.graph()
        for node, words in (("g0", "running"), ("g1", "WAITING"), ("g2", "READY"), ("g3", "NEVER STARTED"),
                            ("g4", "done, after round 0\nholds 1 lock")):
            self.assertIn(words, graph.nodes[node])
        self.assertEqual(len(set(graph.styles.values())), 7 - 1, graph.styles)  # five states, and two words
        self.assertEqual(graph.edges[("g2", "w1")], "has not seen the value of")

    def test_circle_stands_out(self):
        self.write_dining(5)
        graph = self.graph()
        self.assertEqual(len(graph.edges), 10)
        self.assertEqual(graph.circle, {*(f"g{i}" for i in range(5)), *(" -> ".join(edge) for edge in graph.edges)})
        self.assertIn("part of the circle", graph.nodes["g0"])
        self.assertEqual(graph.nodes["w0"], "word 1 of the kernel\nis 2\nmust be 0\nheld by group 1")

    def test_who_waits_for_a_circle_is_no_part_of_it(self):
        board = dining(3)
        board.groups += 2
        late = Board(5, 3)
        late.words[:board.sync] = board.words[:board.sync]
        late.words[late.sync:] = board.words[board.sync:]
        late.words[ABI["STARTED"]] = 3
        for group in range(3):
            late.wait(group, (group + 1) % 3, 0, "OWNER", "EQUAL")
        late.start(3, round=1)
        late.wait(3, 0, 0, "OWNER", "EQUAL")
        self.write("deadlock", late, "circular-wait", observed={"circle_at": 1, "circle_groups": 3})
        graph = self.graph()
        self.assertEqual({name for name in graph.circle if "->" not in name}, {"g0", "g1", "g2"})
        self.assertNotIn("g3 -> w2", graph.circle)
        self.assertIn(("g3", "w2"), graph.edges)

    def test_no_circle_is_made_up(self):
        self.write("starved", chain(6, 4), "occupancy")
        self.assertEqual(self.graph().circle, set())

    def test_counts_around_the_most(self):
        """One by one as long as there is room, with the words first."""
        for count, nodes in ((2, 4), (12, 24), (13, 13), (40, 40), (41, 1), (4224, 1)):
            with self.subTest(count=count):
                self.path.unlink(missing_ok=True)
                self.write_dining(count)
                graph = self.graph()
                self.assertEqual(len(graph.nodes), nodes)
                self.assertLessEqual(len(graph.edges), 2 * MOST_NODES)
                self.assertTrue(graph.circle)

    def test_many_that_wait_for_many_have_few_edges(self):
        board = Board(4000, 1)
        for group in range(30):
            board.start(group, round=group)
            board.wait(group, 0, group, "ALL")
        for group in range(30, 2000):
            board.start(group, round=40)
            board.done(group)
        self.write("starved", board, "occupancy")
        self.assertLessEqual(len(self.graph().edges), 2 * MOST_NODES)

    def test_waits_that_nobody_ends(self):
        for awaited, words in (("HOST", "waits for the host to write"), ("OWNER", "waits for, but nobody holds"),
                               ("NOBODY", "waits for, but nobody will write"), (77, "waits for, but nobody will write"),
                               ("ALL", "waits for, although all have reached its round")):
            with self.subTest(awaited=awaited):
                self.path.unlink(missing_ok=True)
                board = Board(2, 1)
                board.start(0)
                board.start(1)
                board.done(1)
                board.wait(0, 0, 7, awaited)
                self.write("stalled", board, "unknown")
                self.assertIn(words, self.graph().edges[("g0", "w0")].replace("\n", " "))

    def test_groups_that_have_ended(self):
        board = Board(2, 1)
        board.start(0)
        board.wait(0, 0, 1, 1)
        board.start(1)
        board.done(1)
        self.write("stalled", board, "lost-signal")
        self.assertEqual(self.graph().edges[("w0", "g1")], "to be written by,\nwhich ended")

    def test_one_word_and_several_values(self):
        """As of a lock with tickets."""
        board = Board(3, 1)
        for group in range(3):
            board.start(group)
        board.set(0, locks_held=1)
        board.wait(1, 0, 1, "HOLDER", "EQUAL")
        board.wait(2, 0, 2, "HOLDER", "EQUAL")
        self.write("stalled", board, "unknown")
        graph = self.graph()
        self.assertEqual(graph.nodes["w0"], "word 0 of the kernel\nis 0")
        self.assertEqual(graph.edges, {("g1", "w0"): "awaits 1 in", ("g2", "w0"): "awaits 2 in",
                                       ("w0", "g0"): "held by"})

    def test_one_word_and_several_conditions(self):
        board = Board(3, 1)
        for group in range(3):
            board.start(group)
        board.set(0, locks_held=1)
        board.wait(1, 0, 2, "HOLDER", "REACHED")
        board.wait(2, 0, 0, "HOLDER", "DIFFERENT")
        self.write("stalled", board, "unknown")
        self.assertEqual(self.graph().edges,
                         {("g1", "w0"): "awaits 2\nor more in", ("g2", "w0"): "awaits any\nbut 0 in",
                                              ("w0", "g0"): "held by"})

    def test_groups_that_wait_for_groups(self):
        """Where there are too many words to draw them all."""
        self.write_dining(13)
        self.assertEqual(self.graph().edges[("g0", "g1")], "waits for word 1 of the\nkernel, held by")

    def test_damaged_board(self):
        board = Board(300, 1)
        x = 1
        for word in range(320, len(board.words)):
            x = (x * 1664525 + 1013904223) % 2**32
            board.words[word] = x
        for group in range(300):
            board.set(group, phase=group % 4)
        self.write("stalled", board, "unknown", observed={"circle_at": 10**6})
        self.graph()

    def test_names(self):
        for name in NAMES:
            with self.subTest(name=name):
                self.path.unlink(missing_ok=True)
                self.write_starved(device={"name": name, "driver_version": "1"})
                out = self.explain("dot").out
                self.assertNotRegex(out, r"[\x00-\x09\x0b-\x1f\x7f]")
                shown = Graph(out).title.replace("\n", "").replace(" ", "")
                name = re.sub(r"[\x00-\x1f\x7f\ufffe]", "?", name).replace("&", "&amp;").replace(" ", "")
                self.assertIn("on" + name, shown)

    def test_without_a_board(self):
        builder = Builder(self.path)
        builder.trial(builder.device(), ("hang",), {"outcome": "killed"})
        builder.close()
        for form in ("dot", "svg"):
            result = self.explain(form, code=EXIT_USAGE)
            self.assertEqual(result.out, "")
            self.assert_sentence(result.err, "has no stored board", "--format text")


class Labels:
    """The texts of a drawing and the boxes that they take: a little more than in any usual font."""
    WIDE = re.compile(r"[A-Zmw@%&]")

    def __init__(self, text):
        self.root = xml.etree.ElementTree.fromstring(text)
        self.boxes = []
        for element in self.root.iter(SVG + "text"):
            shown = "".join(element.itertext()).strip(" \u00a0")
            size = float(element.get("font-size"))
            assert element.get("text-anchor") == "middle"
            width = size * sum(0.85 if self.WIDE.match(letter) else 0.62 for letter in shown)
            x, y = float(element.get("x")), float(element.get("y"))
            self.boxes.append((shown, x - width / 2, y - 0.8 * size, x + width / 2, y + 0.22 * size))

    def overlaps(self):
        return [(a[0], b[0]) for a, b in itertools.combinations(self.boxes, 2)
                if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]]

    def nodes(self):
        return [group for group in self.root.iter(SVG + "g") if group.get("class") == "node"]


@needs_graphviz
class Svg(Case):
    def draw(self, trial=None):
        labels = Labels(self.explain("svg", trial).out)
        self.assertEqual(labels.overlaps(), [])
        self.assertLessEqual(len(labels.nodes()), MOST_NODES)
        return labels

    def test_overlap_is_seen(self):
        """A drawing in which two labels lie over each other, and one in which they do not."""
        text = ('<svg xmlns="http://www.w3.org/2000/svg"><text text-anchor="middle" x="0" y="0" font-size="10">word 0'
                '</text><text text-anchor="middle" x="{}" y="{}" font-size="10">word 1</text></svg>')
        for x, y, expected in ((20, 5, 1), (0, 10, 1), (60, 5, 0), (0, 12, 0)):
            self.assertEqual(len(Labels(text.format(x, y)).overlaps()), expected)

    def test_circles(self):
        for count in (2, 3, 5, 8, 12, 13, 25, 40, 41):
            with self.subTest(count=count):
                self.path.unlink(missing_ok=True)
                self.write_dining(count)
                self.draw()

    def test_thousands(self):
        self.write_starved(4224, 1056)
        self.assertIn("3168 groups", [box[0] for box in self.draw().boxes])

    def test_chains(self):
        for groups, resident in ((5, 3), (30, 18), (64, 39), (4224, 1056)):
            with self.subTest(groups=groups):
                self.path.unlink(missing_ok=True)
                self.write("starved", chain(groups, resident), "occupancy")
                self.draw()

    def test_many_at_one_word(self):
        board = Board(34, 1)
        for group in range(34):
            board.start(group, round=group % 7)
            board.wait(group, 0, group, "HOLDER", "EQUAL")
        board.set(0, locks_held=1)
        self.write("stalled", board, "unknown")
        self.draw()

    def test_names(self):
        for name in NAMES:
            with self.subTest(name=name):
                self.path.unlink(missing_ok=True)
                self.write_starved(device={"name": name, "driver_version": "1"})
                shown = "".join(box[0] for box in self.draw().boxes).replace("\u00a0", "").replace(" ", "")
                name = re.sub(r"[\x00-\x1f\x7f\ufffe]", "?", name).replace(" ", "")
                self.assertIn("on" + name, shown)

    @needs_driver("pocl")
    def test_barrier_of_64_groups(self):
        scenario = self.folder / "wide.ini"
        scenario.write_text(scenario_text(groups="64"))
        self.measure(scenario, pthreads=8)
        shown = [box[0] for box in self.draw().boxes]
        for words in ("8 groups", "56 groups", "NEVER STARTED", "must reach 64"):
            self.assertIn(words, shown)

    @needs_driver("pocl")
    def test_dining_philosophers(self):
        self.measure("philosophers_naive", pthreads=8)
        row = self.run_file(self.path).one("SELECT t.name FROM trial t JOIN verdict v ON v.trial = t.id AND v.launch = "
                                           "0 "
                                           "WHERE verdict = 'deadlock' ORDER BY groups DESC LIMIT 1")
        labels = self.draw(row["name"])
        self.assertEqual(len(labels.nodes()), 16)
        self.assertEqual(sum(box[0] == "part of the circle" for box in labels.boxes), 8)


class Graphviz(Case):
    """The program dot: one that is not there, and others that are not what they should be."""

    def refused(self, path, code, *words):
        result = self.explain("svg", code=code, PATH=path)
        self.assertEqual(result.out, "")
        self.assertEqual(result.err.count("\n"), 1)
        self.assert_sentence(result.err, *words)

    def test_not_there(self):
        self.write_starved()
        self.refused(str(self.folder), EXIT_USAGE, "install graphviz", "--format dot")
        self.assertTrue(self.explain("dot", PATH=str(self.folder)).out)

    def test_fails(self):
        self.write_starved()
        self.refused(self.install_program("dot", "echo half of it; echo 'no \x1b[31mway' >&2; exit 3"), EXIT_HARNESS,
                     "dot failed, with exit status 3: no way")
        self.refused(self.install_program("dot", "kill -SEGV $$"), EXIT_HARNESS, "dot failed, with signal 11")

    def test_prints_a_lot_before_it_reads(self):
        self.write_starved()
        path = self.install_program("dot", "head -c 300000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2; cat")
        self.assertEqual(self.explain("svg", PATH=path).out, "x" * 300000 + self.explain("dot").out)

    @needs_graphviz
    def test_takes_every_graph(self):
        for name in NAMES:
            self.path.unlink(missing_ok=True)
            self.write_starved(device={"name": name, "driver_version": "1"})
            subprocess.run(["dot", "-Tcanon"], input=self.explain("dot").out.encode("utf-8", "surrogateescape"),
                           stdout=subprocess.DEVNULL, check=True)

    @needs_graphviz
    def test_bytes_that_are_no_text(self):
        self.write_starved()
        database = sqlite3.connect(self.path)
        database.execute("UPDATE device SET name = CAST(x'6120ff3c62' AS TEXT)")
        database.commit()
        database.close()
        self.assertIn("on a ?<b, driver 1.2", [box[0] for box in Labels(self.explain("svg").out).boxes])


if __name__ == "__main__":
    gridlock_test.main()
