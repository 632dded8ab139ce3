"""Compares each launch of a run file with what was predicted for it."""
import collections
import contextlib
import pathlib
import sqlite3
import sys

from oracle.launch import DATA, possible

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "system"))

import stored_board  # noqa: E402

# The board's layout, as kernels/abi.h has it.
CONTROL_WORDS, ENTRY_WORDS, TICKET, PHASE, WAITING = 320, 32, 0, 1, 2

QUERY = """SELECT t.*, o.*, o.seed AS launch_seed, v.verdict FROM trial t JOIN observation o ON o.trial = t.id
    JOIN verdict v ON v.trial = o.trial AND v.launch = o.launch WHERE t.estimator = 'work' ORDER BY t.id, o.launch"""


class Tally:
    """What came of the trials of one row of the table."""

    def __init__(self):
        self.trials = self.launches = self.inconclusive = self.boards = self.retries = 0
        self.seconds = 0.0
        self.verdicts = collections.Counter()
        self.false = collections.Counter()  # sentences: of how many launches

    def add(self, other):
        for name, value in vars(other).items():
            if isinstance(value, collections.Counter):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)


def board_groups(blob, groups):
    """Which groups had started, and which of them waited, as a stored board says."""
    words = stored_board.board_words(blob)
    started = {g for g in range(groups) if words[CONTROL_WORDS + g * ENTRY_WORDS + TICKET]}
    return started, {g for g in started if words[CONTROL_WORDS + g * ENTRY_WORDS + PHASE] == WAITING}


def wrong_evidence(launch, ends):
    """Why the facts of a launch with the right verdict fit none of its possible ends, or None."""
    if (launch["started"], launch["waiting"]) not in {(len(end.started), len(end.waiting)) for end in ends}:
        return f"{launch['started']} started and {launch['waiting']} waiting"
    if launch["board"] is not None and launch["verdict"] in ("starved", "deadlock", "stalled"):
        started, waiting = board_groups(launch["board"], launch["groups"])
        if not any(end.started == started and end.waiting == waiting for end in ends):
            return f"groups {sorted(started)} started and {sorted(waiting)} wait"
    never = launch["never_started"]
    if never is not None and all(never in end.started for end in ends):
        return f"group {never} as one that never started"
    return None


def wrong_point(launch, scenario):
    """What was run is what was asked for?"""
    columns = {"rounds": "rounds", "local-size": "local_size", "dialect": "dialect", "iterations": "repeats",
               "seed": "seed", "jitter": "jitter", "uneven": "uneven", "burners": "burners"}
    if launch["sequence"] > 0:
        del columns["seed"]
    for axis, column in columns.items():
        if launch[column] != scenario.axes[axis]:
            return f"{column} {launch[column]} for {axis} = {scenario.axes[axis]}"
    if launch["resident"] != scenario.threads:
        return f"a resident limit of {launch['resident']} on {scenario.threads} threads"
    return None


def compare_launch(launch, scenario, tally):
    groups, got = launch["groups"], launch["verdict"]
    all_ends = scenario.ends_of(launch)
    ends = [end for end in all_ends if got == end.verdict or {got, end.verdict} <= DATA | {"doubt"}]
    tally.launches += 1
    tally.verdicts[got] += 1
    wrong = wrong_point(launch, scenario)
    if got == "inconclusive":
        tally.inconclusive += 1
    elif got not in possible(all_ends):
        wrong = wrong or got
    else:
        tally.boards += launch["board"] is not None
        wrong = wrong or wrong_evidence(launch, ends)
    if wrong:
        tally.false[f"{launch['name']} ({scenario}): expected {scenario.expected(groups)}, got {wrong}"] += 1


def compare(batch, run_file, status):
    """Each launch of a run file with what was predicted for it."""
    tally = Tally()
    scenarios = {scenario.name: scenario for scenario in batch.scenarios}
    missing_points = {(s.name, groups) for s in batch.scenarios for groups in s.ends}
    trials = set()
    with contextlib.closing(sqlite3.connect(f"file:{run_file}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        for launch in connection.execute(QUERY):
            compare_launch(launch, scenarios[launch["scenario"]], tally)
            missing_points.discard((launch["scenario"], launch["groups"]))
            trials.add((launch["scenario"], launch["groups"], launch["trial"]))
    points = len({trial[:2] for trial in trials})
    tally.trials, tally.retries = points, len(trials) - points
    tally.false.update(f"{name} groups={groups} ({scenarios[name]}): was not run" for name, groups in missing_points)
    if status != 0 and not tally.false and not tally.inconclusive:
        tally.false[f"exit status {status} of {run_file.parent.name}, although each verdict is as predicted"] += 1
    return tally
