#!/usr/bin/env python3
"""Each fault at the first, a middle and the last call of each function: what became of the run?

Usage: tests/faults/table.py BUILD [--faults FAULT,...] [--functions NAME,...]

BUILD is a build folder with tests. Prints a row for each: the fault, the function, which call of how many, the verdicts
of the point's launches, how gridlock ended, and how many processes it left. Exit status: 1 if a process was left, or a
run ended otherwise than its verdicts say; else 0. All of them take an hour or more.
"""
import argparse
import collections
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "faults"))

import spoiling  # noqa: E402

MARK = "GRIDLOCK_TABLE_MARK"
SCENARIO = ("[scenario]\nkernel = barrier_central\npurpose = a table\nteaches = Nothing.\n\n[sweep]\ngroups = 2\n"
            "local-size = 1\niterations = 6\n\n[expect]\nverdict = pass\n")
TIMEOUT_S = {"slow": 5}  # by fault; else 1


def left_processes(mark):
    count = 0
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            count += f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
    return count


def run(build, spoiled, folder, fault="", **plan):
    """{verdict: launches}, the exit status, and how many processes were left."""
    mark, path = uuid.uuid4().hex, folder / "run.gridlock"
    path.unlink(missing_ok=True)
    environment = {**os.environ, MARK: mark, "XDG_CACHE_HOME": str(folder),
                   **{name: str(value) for name, value in spoiled.environment(**plan).items()}}
    code = subprocess.run([build / "gridlock", "run", folder / "point.ini", "-q", "-o", path, "--timeout",
                           str(TIMEOUT_S.get(fault, 1)), "--build-timeout", "10"],
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode
    verdicts = collections.Counter()
    if path.exists():
        query = "SELECT verdict FROM verdict JOIN trial ON trial.id = verdict.trial WHERE estimator = 'work'"
        verdicts.update(row[0] for row in sqlite3.connect(path).execute(query))
    return dict(verdicts), code, left_processes(mark)


def is_right(verdicts, code, left):
    """The exit status follows from the verdicts, and nothing is left."""
    if left > 0:
        return False
    if not verdicts:
        return code in (4, 77)
    return code == (0 if set(verdicts) == {"pass"} else 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--faults", type=lambda text: text.split(","), default=[*spoiling.FAULTS, "lie"])
    parser.add_argument("--functions", type=lambda text: text.split(","))
    options = parser.parse_args()
    spoiling.LIBRARY = str((options.build / "tests" / "libspoil_icd.so").resolve())
    bad = 0
    with tempfile.TemporaryDirectory(prefix="gridlock-table-") as name:
        folder = pathlib.Path(name)
        (folder / "point.ini").write_text(SCENARIO)
        spoiled = spoiling.Spoiling(folder, "libpocl.so.2")
        run(options.build, spoiled, folder)
        counts = spoiled.counts()
        for call in options.functions or counts:
            for number in sorted({1, (counts[call] + 1) // 2, counts[call]}):
                for fault in options.faults:
                    seen = run(options.build, spoiled, folder, fault, SPOIL_CALL=f"{call}:{number}:{fault}")
                    reached = len(spoiled.spoiled()) == 1  # a busy machine needs more launches, or fewer
                    right = is_right(*seen)
                    bad += not right
                    verdicts = " ".join(f"{verdict}={launches}" for verdict, launches in sorted(seen[0].items()))
                    remark = "" if right and reached else "  not reached" if right else "  NOT RIGHT"
                    print(f"{fault:9} {call:26} {number:4}/{counts[call]:<4} {verdicts or 'nothing':28}"
                          f" exit {seen[1]:3}  left {seen[2]}{remark}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
