"""Writes run files without a device: rows as a run would leave them, by the schema that the program has."""
import contextlib
import functools
import os
import pathlib
import re
import shlex
import sqlite3
import struct
import subprocess
import tempfile
import zlib

from gridlock_test import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]


@functools.cache
def schema():
    """What makes an empty run file, taken from one that the program made."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run")
        subprocess.run([PROGRAM, "merge", "-o", path, ROOT / "tests" / "replay" / "pocl.run"], check=True,
                       capture_output=True)
        with contextlib.closing(sqlite3.connect(path)) as database:
            text = ";".join(sql for sql, in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
            for name in ("application_id", "user_version"):
                text += f";PRAGMA {name} = {database.execute(f'PRAGMA {name}').fetchone()[0]}"
    return text


# What must not be empty, beside numbers.
DEFAULTS = {
    "run": {"uuid": "12345678-1234-4abc-8def-123456789abc", "tool_version": "0.1.0", "command": "run",
            "command_line": "gridlock run",
            "started_ms": 1700000000123},
    "device": {"name": "some device", "platform": "some platform", "driver_version": "1.2", "kind": "CPU",
               "dialect": "cl30", "channel": "shared", "memory": "device", "compute_units": 2, "cl30_works": 1},
    "trial": {"run": 1, "estimator": "work", "dialect": "cl30", "scenario": "toy", "kernel": "toy", "local_size": 64,
              "groups": 4, "repeats": 1, "duration_ns": 2000000, "build_ns": 1000000},
    "observation": {"outcome": "ended", "groups": 4, "started": 4, "done": 4, "witnesses": 4, "waiting": 0,
                    "duration_ns": 1000000},
    "verdict": {"rules": 1, "verdict": "pass"},
    "litmus": {"program": "0,0,1,1|0,0,-,0", "ran": 20, "duration_ns": 1000000},
    "asked": {"run": "12345678-1234-4abc-8def-123456789abc"},
    "share": {"run": "12345678-1234-4abc-8def-123456789abc", "planned": 1, "own": 1},
    "asserted": {"run": "12345678-1234-4abc-8def-123456789abc", "kind": "against"},
}
# What a block has instead of a scenario.
OF_BLOCK = {"estimator": "progress", "dialect": "none", "scenario": None, "kernel": None, "engine": "table",
            "mapping": "round-robin", "guarded": 0, "suite": "quick", "digest": "0123456789abcdef", "local_size": 32,
            "groups": 64, "rounds": 1, "repeats": 20}
# Where a test stands that stalled: its first thread has not started, and the second waits for it.
STALLED = {"groups": 64, "started": 32, "ended": 0, "stuck": 32, "instance": 0, "threads_started": 2,
           "threads_ended": 0,
           "memory": 0, "positions": "- 0", "starved": 1}
# Columns of a board: they are known together.
ON_BOARD = ("ready late counted ended_stop ended_idle ended_total ended_cut busy_total checked stale wrong differing"
            " bad_at bad_wanted bad_got stop polls").split()
# Columns that the trials of scenarios alone have.
OF_SCENARIO = re.findall(r'TRIAL_HAS\("(\w+)", [\w.]+\), OF_SCENARIO',
                         (ROOT / "src" / "store" / "columns_trial.c").read_text())


def board_layout():
    """The numbers of kernels/abi.h, without their prefix."""
    names = {}
    for name, value in re.findall(r"(?m)^#define GL_(\w+) ([^/\n]+)", (ROOT / "kernels" / "abi.h").read_text()):
        text = re.sub(r"\bGL_(\w+)", lambda found: str(names[found.group(1)]), value)
        names[name] = eval(re.sub(r"\b(0x[0-9a-f]+|\d+)u\b", r"\1", text))
    return names


ABI = board_layout()


def blob(words):
    """Words as they are stored (src/base/packed.h)."""
    flat = struct.pack(f"<{len(words)}I", *words)
    return struct.pack("<I", len(words) | 1 << 31) + zlib.compress(b"".join(flat[i::128] for i in range(128)))


def samples_blob(samples):
    """Samples of a launch, each its time in microseconds and what groups do then: {group: (phase, round)}."""
    words = []
    for at, changes in samples:
        words += [at, len(changes)]
        for group, (phase, round_) in changes.items():
            words += [group, ABI["PHASE_" + phase] | round_ << 3]
    return blob(words)


class Board:
    """A board as the groups of a launch would leave it."""

    def __init__(self, groups, sync_words=0):
        self.groups = groups
        self.sync = ABI["CONTROL_WORDS"] + groups * ABI["ENTRY_WORDS"]
        self.words = [0] * (self.sync + sync_words)

    def set(self, group, **fields):
        for name, value in fields.items():
            self.words[ABI["CONTROL_WORDS"] + group * ABI["ENTRY_WORDS"] + ABI[name.upper()]] = value

    def start(self, group, **fields):
        self.words[ABI["STARTED"]] += 1
        self.set(group, ticket=self.words[ABI["STARTED"]], phase=ABI["PHASE_RUNNING"], **fields)

    def wait(self, group, word, value, awaited, kind="REACHED", **fields):
        """It has started, and waits until word `word` of the kernel's is so; `awaited`: an id or a name."""
        self.set(group, **{"phase": ABI["PHASE_WAITING"], **fields}, wait_word=self.sync + word, wait_value=value,
                 wait_how=ABI["UNTIL_" + kind], wait_group=ABI["GROUP_" + awaited] if awaited in GROUPS else awaited)

    def phase(self, group):
        value = self.words[ABI["CONTROL_WORDS"] + group * ABI["ENTRY_WORDS"] + ABI["PHASE"]]
        return ("NONE", "RUNNING", "WAITING", "DONE", "WAITING")[value]

    def done(self, group, **fields):
        self.set(group, phase=ABI["PHASE_DONE"], **fields)

    def blob(self):
        return blob(self.words)


GROUPS = ("NOBODY", "ALL", "HOLDER", "HOST", "OWNER", "ANY", "SELF")


class Builder:
    """Writes a new file, or adds to one."""

    def __init__(self, path, **run):
        is_new = not pathlib.Path(path).exists()
        self.database = sqlite3.connect(path)
        self.database.executescript("PRAGMA synchronous = OFF;")
        self.statements = {}
        self.trials = self.positions = 0
        if is_new:
            self.database.executescript(schema())
            self.run(**run)

    def prepare(self, table):
        """The statement, and the values that a row has unless others are given."""
        values = {}
        for _, name, kind, required, default, _ in self.database.execute(f"PRAGMA table_info({table})"):
            values[name] = (0 if kind == "INTEGER" else "") if required else None
        values.update(DEFAULTS[table])
        if table == "observation":
            values.update(dict.fromkeys(ON_BOARD, 0))
        if table == "trial":
            values.update(dict.fromkeys(OF_SCENARIO, 0))
        if table in ("run", "device", "trial"):
            values.pop("id")
        names = ", ".join(values)
        marks = ", ".join(":" + name for name in values)
        return f"INSERT INTO {table} ({names}) VALUES ({marks})", values

    def insert(self, table, **values):
        if table not in self.statements:
            self.statements[table] = self.prepare(table)
        statement, defaults = self.statements[table]
        unknown = set(values) - set(defaults)
        assert not unknown, unknown
        return self.database.execute(statement, {**defaults, **values}).lastrowid

    def run(self, **values):
        """A run, and what its command line asks, in which options have whole names."""
        words = shlex.split(values.get("command_line", "gridlock run"))[1:]
        run = self.insert("run", **{"command": words[0], **values})
        uuid = values.get("uuid", DEFAULTS["run"]["uuid"])
        for place, word in enumerate(words[1:]):
            option, _, value = word.removeprefix("--").partition("=") if word.startswith("--") else ("", "", word)
            self.insert("asked", run=uuid, place=place, option=option, value=value)
        return run

    def device(self, **values):
        return self.insert("device", **values)

    def trial(self, device, verdicts=("pass",), observations=None, ended=True, cause=None, board=None, samples=None,
              **values):
        """A trial with a launch for each verdict. By its name and position it is a point of its own. The board, and its
        samples, as stored, are those of its first launch."""
        self.positions += 1
        values.setdefault("position", self.positions)
        groups = values.get("groups", 4)
        values.setdefault("name", f"{values.get('scenario', 'toy')}/cl30/l64/g{groups}#{values.get('sequence', 0)}")
        if not ended:
            values.update(duration_ns=None, build_ns=None)
        trial = self.insert("trial", device=device, **values)
        for launch, verdict in enumerate(verdicts if ended else ()):
            observed = {"groups": groups, "started": groups, "done": groups, "witnesses": groups}
            observed.update((observations or {}))
            self.insert("observation", trial=trial, launch=launch, board=board.blob() if board and launch == 0
                        else None,
                        samples=samples if launch == 0 else None, **observed)
            self.insert("verdict", trial=trial, launch=launch, verdict=verdict, cause=cause)
        return trial

    def block(self, device, tests=({},), verdict="pass", outcome="ended", ended=True, **values):
        """A block of litmus tests, with what each of them came to. One that stalled or was undecided has a state."""
        values = {**OF_BLOCK, **dict.fromkeys(OF_SCENARIO), **values}
        values.setdefault("name", ("progress/{suite}/{mapping}/{engine}/l{local_size}/g{groups}/i{repeats}/"
                                   "{digest}#{sequence}")
                                  .format(**{"sequence": 0, **values}))
        unseen = dict.fromkeys(["started", "done", "witnesses", "waiting", *ON_BOARD])
        trial = self.trial(device, verdicts=(verdict,), observations={"outcome": outcome, **unseen}, ended=ended,
                           **values)
        for place, test in enumerate(tests if ended else ()):
            state = STALLED if test.get("stalled") or test.get("undecided") else {}
            self.insert("litmus", trial=trial, test=place, **{**state, **test})
        return trial

    def close(self):
        self.database.commit()
        self.database.close()
