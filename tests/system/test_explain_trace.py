"""`gridlock explain --format trace`: read strictly by the Trace Event Format, and queried as a viewer would."""
import collections
import json
import re
import unittest

import gridlock_test
from explain_case import Case, chain
from gridlock_test import EXIT_USAGE, needs_driver, scenario_text
from run_builder import Board, Builder
from test_explain import NAMES

try:
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
except ImportError:
    TraceProcessor = None

TEXT, NUMBER, INTEGER, OBJECT = str, (int, float), int, dict
# What each phase must have, and nothing else: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
COMMON = {"ph": TEXT, "name": TEXT, "pid": INTEGER, "tid": INTEGER, "args": OBJECT}
PHASES = {
    "M": COMMON,
    "X": {**COMMON, "cat": TEXT, "ts": NUMBER, "dur": NUMBER},
    "i": {**COMMON, "cat": TEXT, "ts": NUMBER, "s": TEXT},
}
METADATA = {"process_name": ("name", TEXT), "thread_name": ("name", TEXT), "thread_sort_index": ("sort_index", INTEGER)}


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def no_twins(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), names
    return dict(pairs)


class Trace:
    """A trace that is as the format wants it; anything else is an error."""

    def __init__(self, text):
        self.whole = json.loads(text, parse_constant=no_constant, object_pairs_hook=no_twins)
        assert set(self.whole) == {"displayTimeUnit", "otherData", "traceEvents"}, set(self.whole)
        assert self.whole["displayTimeUnit"] in ("ms", "ns")
        self.facts = self.whole["otherData"]
        self.events = self.whole["traceEvents"]
        self.names = {}
        for event in self.events:
            self.check(event)
        self.check_rows()

    def check(self, event):
        wanted = PHASES[event["ph"]]
        assert set(event) == set(wanted), event
        for key, kind in wanted.items():
            assert isinstance(event[key], kind) and not isinstance(event[key], bool), event
        assert event["pid"] > 0 and event["tid"] > 0, event
        if event["ph"] == "M":
            key, kind = METADATA[event["name"]]
            assert set(event["args"]) == {key} and isinstance(event["args"][key], kind), event
            if key == "name":
                row = event["pid"] if event["name"] == "process_name" else (event["pid"], event["tid"])
                assert row not in self.names, event
                self.names[row] = event["args"]["name"]
        else:
            assert event["ts"] >= 0 and event.get("dur", 1) > 0, event
            assert event.get("s", "t") in ("g", "p", "t"), event

    def check_rows(self):
        """Slices of one thread are nested or apart, and each thread belongs to one process."""
        rows = collections.defaultdict(list)
        for event in self.events:
            if event["ph"] == "X":
                rows[event["pid"], event["tid"]].append((event["ts"], -event["dur"]))
        for row in rows.values():
            around = []
            for start, length in sorted(row):
                while around and around[-1] <= start:
                    around.pop()
                assert not around or start - length <= around[-1] + 1e-9, (start, length)
                around.append(start - length)
        owners = collections.defaultdict(set)
        for event in self.events:
            owners[event["tid"]].add(event["pid"])
        assert all(len(pids) == 1 for pids in owners.values()), owners

    def where(self, category):
        return [event for event in self.events if event.get("cat") == category]

    def groups(self, category):
        groups = [event["args"]["group"] for event in self.where(category)]
        assert len(groups) == len(set(groups)), groups
        return set(groups)


class Case(Case):
    def trace(self, trial=None):
        """The trace, of which each group has one event, by what the explanation as JSON says of it."""
        text = self.explain("trace", trial).out
        trace = Trace(text)
        states = collections.defaultdict(set)
        for kind in self.explain_json(trial)["classes"]:
            category = {"not started": "never-started", "ready": "waiting"}.get(kind["state"], kind["state"])
            states[category].update(kind["groups"])
        for category in ("never-started", "waiting", "running", "done"):
            self.assertEqual(trace.groups(category), states[category], category)
        self.assertEqual(trace.groups("never-started"), self.never_started(trial))
        return trace


class Format(Case):
    def test_starved(self):
        self.write_starved()
        trace = self.trace()
        self.assertEqual(trace.names[1], "toy/cl30/l64/g64#0, launch 0")
        self.assertEqual(trace.names[2], "never started")
        self.assertEqual([trace.names[1, row] for row in range(1, 10)],
                         ["launch", *(f"place {place}" for place in range(8))])
        self.assertEqual({event["ph"] for event in trace.where("never-started")}, {"X"})
        self.assertEqual(trace.where("waiting")[3], {
            "ph": "X", "name": "group 3", "pid": 1, "tid": 5, "cat": "waiting", "ts": 3, "dur": 5, "args": {
                "group": 3, "ticket": 4, "state": "waiting", "round": 1, "locks_held": 0, "end_known": True,
                "word": 2368, "word_name": "word 0 of the kernel", "until": "reached", "value_needed": 64, "value": 8,
                "awaited_group": None, "awaits": "all groups to arrive: groups 8-63"}})
        self.assertIn("none", trace.facts["clock"])
        self.assertEqual((trace.facts["verdict"], trace.facts["cause"]), ("starved", "occupancy"))

    def test_one_event_a_line(self):
        self.write_starved()
        text = self.explain("trace").out
        self.assertEqual(len(text.splitlines()), 1 + len(Trace(text).events))

    def test_thousands(self):
        """More than 64 that never started share a row, as instants; nothing grows faster than the groups."""
        sizes = []
        for groups, resident in ((4224, 1056), (42240, 1056)):
            self.path.unlink(missing_ok=True)
            self.write_starved(groups, resident)
            trace = self.trace()
            self.assertEqual({(event["ph"], event["tid"]) for event in trace.where("never-started")}, {("i", 1058)})
            sizes.append(len(self.explain("trace").out))
        self.assertLess(sizes[1], 10 * sizes[0])

    def test_circle(self):
        self.write_dining(5)
        waiting = self.trace().where("waiting")
        self.assertEqual([event["args"]["awaited_group"] for event in waiting], [1, 2, 3, 4, 0])
        self.assertEqual(waiting[4]["args"]["awaits"], "group 0")

    def test_chain_of_thousands(self):
        self.write("starved", chain(3000, 1000), "occupancy")
        waiting = self.trace().where("waiting")
        self.assertEqual([event["args"]["awaits"] for event in waiting], [f"group {i + 1}" for i in range(1000)])

    def test_all_states(self):
        board = Board(6, 6)
        for group in (0, 1, 2, 4):
            board.start(group)
        board.wait(1, 0, 1, 0)
        board.wait(2, 4, 1, 4)
        board.words[board.sync + 4] = 1
        board.done(4)
        board.set(5, late=1)
        self.write("stalled", board, "unknown")
        trace = self.trace()
        self.assertEqual({event["args"]["state"] for event in trace.where("waiting")}, {"waiting", "ready"})
        self.assertEqual([event["args"]["late"] for event in trace.where("never-started")], [False, True])

    def test_units_and_clock(self):
        """As the ptx dialect notes them: places of one unit are rows of it, with the times of the board."""
        board = Board(5, 1)
        start = 2**33 + 2**32 - 200  # its low word goes round meanwhile
        for group, (unit, at, lasted) in enumerate(((7, 0, 900), (7, 100, 300), (2, 150, 5000), (7, 400, 50))):
            board.start(group, unit=unit + 1, clock_low=(start + at) % 2**32, clock_high=(start + at) >> 32,
                        clock_end=(start + at + lasted) % 2**32, round=1)
            board.done(group)
        board.set(2, phase=2)
        board.wait(2, 0, 5, "ALL")
        self.write("starved", board, "occupancy", dialect="ptx", resident=4)
        trace = self.trace()
        self.assertEqual(trace.facts["clock"], "of the device")
        shown = {event["args"]["group"]: (trace.names[1, event["tid"]], event["ts"], event["dur"])
                 for event in trace.where("done") + trace.where("waiting")}
        self.assertEqual(shown, {0: ("unit 7, place 0", 0, 0.9), 1: ("unit 7, place 1", 0.1, 0.3),
                                 2: ("unit 2", 0.15, 5), 3: ("unit 7, place 1", 0.4, 0.05)})

    def test_groups_that_took_turns(self):
        board = Board(40, 1)
        for group in range(40):
            board.start(group)
            board.done(group)
        board.wait(39, 0, 1, "NOBODY")
        self.write("stalled", board, "unknown", resident=4)
        trace = self.trace()
        self.assertEqual(len({event["tid"] for event in trace.where("done")}), 4)
        self.assertFalse(any(event["args"]["end_known"] for event in trace.where("done")))

    def test_damaged_board(self):
        for seed in range(4):
            self.path.unlink(missing_ok=True)
            board = Board(200, 1)
            x = seed
            for word in range(320, len(board.words)):
                x = (x * 1664525 + 1013904223) % 2**32
                board.words[word] = x
            for group in range(200):
                board.set(group, phase=group % 4)
            self.write("stalled", board, "unknown", dialect=("ptx", "cl30")[seed % 2])
            self.trace()

    def test_names(self):
        for name in NAMES:
            with self.subTest(name=name):
                self.path.unlink(missing_ok=True)
                self.write_starved(device={"name": name})
                self.assertEqual(self.trace().facts["device"], name)

    def test_without_a_board(self):
        builder = Builder(self.path)
        builder.trial(builder.device(), ("hang",), {"outcome": "killed"})
        builder.close()
        result = self.explain("trace", code=EXIT_USAGE)
        self.assertEqual(result.out, "")
        self.assert_sentence(result.err, "has no stored board")

    def test_reader_refuses_what_is_wrong(self):
        self.write_starved()
        text = self.explain("trace").out
        slice_at = text.index('"cat": "waiting"')
        for old, new in (('"dur": 8.000', '"dur": -1'), ('"dur": 8.000', '"dur": NaN'), ('"tid": 3', '"tid": "3"'),
                         ('"ph": "X"', '"ph": "Q"'), ('"ts": 1.000, ', ""), ('"tid": 4', '"tid": 0')):
            with self.subTest(new=new):
                with self.assertRaises((AssertionError, ValueError, KeyError)):
                    Trace(text[:slice_at - 200] + text[slice_at - 200:].replace(old, new, 1))
        both = re.sub(r'("cat": "waiting".*\n.*)"tid": 3, "cat"', r'\1"tid": 2, "cat"', text, count=1)
        self.assertNotEqual(both, text)
        Trace(both)  # nested: the second one begins later and ends with the first
        with self.assertRaises(AssertionError):
            Trace(both.replace('"ts": 0.000, "dur": 8.000, "args": {"group": 0',
                               '"ts": 0.000, "dur": 2.000, "args": {"group": 0'))


@needs_driver("pocl")
class Measured(Case):
    def test_barrier_of_64_groups(self):
        scenario = self.folder / "wide.ini"
        scenario.write_text(scenario_text(groups="64"))
        self.measure(scenario, pthreads=8)
        trace = self.trace()
        self.assertEqual((len(trace.groups("waiting")), len(trace.groups("never-started"))), (8, 56))

    def test_causes(self):
        self.measure("cause_lost_unlock", "cause_not_dispatched", "philosophers_naive")
        for row in self.run_file(self.path).rows(
                "SELECT name FROM trial t JOIN observation o ON o.trial = t.id WHERE board IS NOT NULL"):
            with self.subTest(trial=row["name"]):
                self.trace(row["name"])


@unittest.skipIf(TraceProcessor is None, "Perfetto's trace processor is not installed")
class Perfetto(Case):
    """The trace processor itself; its package downloads the program at its first use, unless it is in PATH."""

    def test_query(self):
        self.write_starved()
        path = self.folder / "trace.json"
        path.write_text(self.explain("trace").out)
        try:
            processor = TraceProcessor(trace=str(path), config=TraceProcessorConfig())
        except Exception as error:  # whatever a download that fails raises
            self.skipTest(f"the trace processor did not start: {error}")
        with processor:
            rows = processor.query("SELECT name FROM slice WHERE category = 'never-started'")
            self.assertEqual({row.name for row in rows}, {f"group {group}" for group in range(8, 64)})


if __name__ == "__main__":
    gridlock_test.main()
