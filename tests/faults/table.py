#!/usr/bin/env python3
"""Each fault at the first, a middle and the last call of each function: what became of the run?

Usage: tests/faults/table.py BUILD [--faults FAULT,...] [--functions NAME,...] [--jobs N]

BUILD is a build folder with tests. Prints a row for each: the fault, the function, which call of how many, the verdicts
of the point's launches, how gridlock ended, and how many processes it left. `batch` means that calls count from the
first launch of the point's batch on, because how many come before it varies. Exit status: 1 if a process was left, a
run ended otherwise than its verdicts say, a fault in a launch had another verdict than it must have, one that harms
nothing did harm, or a call was never made; else 0. All of them take about half an hour.
"""
import argparse
import collections
import concurrent.futures
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


def run(build, folder, fault="", **plan):
    """How it was spoiled, {verdict: launches}, the exit status, and how many processes were left."""
    spoiled = spoiling.Spoiling(folder, "libpocl.so.2")
    mark, path = uuid.uuid4().hex, folder / "run.gridlock"
    (folder / "point.ini").write_text(SCENARIO)
    environment = {**os.environ, MARK: mark, "XDG_CACHE_HOME": str(folder.parent), "GRIDLOCK_LOCK_DIR": str(folder),
                   **{name: str(value) for name, value in spoiled.environment(**plan).items()}}
    code = subprocess.run([build / "gridlock", "run", folder / "point.ini", "-q", "-o", path, "--timeout",
                           str(TIMEOUT_S.get(fault, 1)), "--build-timeout", "10"],
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode
    verdicts = collections.Counter()
    if path.exists():
        query = "SELECT verdict FROM verdict JOIN trial ON trial.id = verdict.trial WHERE estimator = 'work'"
        verdicts.update(row[0] for row in sqlite3.connect(path).execute(query))
    return spoiled, dict(verdicts), code, left_processes(mark)


Row = collections.namedtuple("Row", "fault call number of in_batch")


def rows(options, folder):
    """The first call of each function in the run; and the others, of the batch if it calls the function."""
    counted = []
    for name, plan in (("run", {}), ("batch", {"SPOIL_WORK": 1})):
        (folder / name).mkdir()
        counted.append(run(options.build, folder / name, **plan)[0].counts())
    of_run, of_batch = counted
    for call in options.functions or of_run:
        calls = {Row(None, call, 1, of_run[call], False)}
        of, in_batch = (of_batch[call], True) if call in of_batch else (of_run[call], False)
        calls |= {Row(None, call, number, of, in_batch) for number in (1, (of + 1) // 2, of)}
        for row in sorted(calls, key=lambda row: (row.in_batch, row.number)):
            yield from (row._replace(fault=fault) for fault in options.faults if spoiling.concerns(fault, call))


def is_right(row, verdicts, code, left):
    """Nothing is left, the exit status follows from the verdicts, and these from the fault where it is in a launch."""
    if left > 0:
        return False
    if not verdicts:
        return code in (4, 77)
    if row.fault in spoiling.HARMLESS and set(verdicts) != {"pass"}:
        return False
    if row.in_batch and row.call in spoiling.OF_LAUNCH and row.fault in spoiling.DEADLY:
        return code == 1 and verdicts.get(spoiling.DEADLY[row.fault]) == 1
    if row.in_batch and row.call == "clEnqueueNDRangeKernel" and row.fault in spoiling.MISSING:
        return code == 1 and verdicts.get("wrong") == 1
    return code == (0 if set(verdicts) == {"pass"} else 1)


def try_row(build, folder, row):
    """The line of a row, and what is not right about it."""
    work = {"SPOIL_WORK": 1} if row.in_batch else {}
    with tempfile.TemporaryDirectory(dir=folder) as name:
        spoiled, *seen = run(build, pathlib.Path(name), row.fault, SPOIL_CALL=f"{row.call}:{row.number}:{row.fault}",
                             **work)
        reached = len(spoiled.spoiled()) == 1
    remark = "NOT REACHED" if not reached else "" if is_right(row, *seen) else "NOT RIGHT"
    verdicts = " ".join(f"{verdict}={launches}" for verdict, launches in sorted(seen[0].items()))
    return (f"{row.fault:9} {row.call:26} {row.number:4}/{row.of:<4} {'batch' if row.in_batch else '':5} "
            f"{verdicts or 'nothing':28} exit {seen[1]:3}  left {seen[2]}  {remark}".rstrip()), remark


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--faults", type=lambda text: text.split(","), default=[*spoiling.FAULTS, "lie"])
    parser.add_argument("--functions", type=lambda text: text.split(","))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    spoiling.LIBRARY = str((options.build / "tests" / "libspoil_icd.so").resolve())
    remarks = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="gridlock-table-") as name, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)
        for line, remark in pool.map(lambda row: try_row(options.build, folder, row), rows(options, folder)):
            print(line, flush=True)
            remarks[remark] += 1
    print(f"{remarks.total()} rows, {remarks['NOT RIGHT']} not right, {remarks['NOT REACHED']} not reached")
    sys.exit(0 if set(remarks) == {""} else 1)


if __name__ == "__main__":
    main()
