#!/usr/bin/env python3
"""Launches per second through the worker, against a bare loop that enqueues and waits, on PoCL.

usage: trials.py GRIDLOCK PEER [--runs 21] [--launches 5000]

PEER is peers/enqueue.c, built. Both launch barrier_central with 2 groups of 64 work-items; gridlock does so in
batches (one trial of --launches launches), stores each
launch's observation and verdict, and its time is that of the trial without building. The figures are medians
over alternating runs. Exit status: 0 measured; 1 a launch did not pass.
"""
import argparse
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile

KERNELS = pathlib.Path(__file__).parents[2] / "kernels"
SCENARIO = """[scenario]
kernel = barrier_central
purpose = launches per second
teaches = The harness must not cost more than what it measures.
[sweep]
groups = 2
local-size = 64
iterations = {iterations}
[expect]
verdict = pass
"""


def run_gridlock(gridlock, launches):
    with tempfile.TemporaryDirectory() as folder:
        scenario = pathlib.Path(folder) / "launches.ini"
        scenario.write_text(SCENARIO.format(iterations=launches), encoding="utf-8")
        run_file = folder + "/run.gridlock"
        status = subprocess.run([gridlock, "run", scenario, "-d", "pocl", "-q", "-o", run_file],
                                stdout=subprocess.DEVNULL, check=False).returncode
        if status != 0:
            sys.exit(f"trials.py: gridlock ended with {status}")
        row = sqlite3.connect(run_file).execute(
            "SELECT duration_ns - build_ns, (SELECT count(*) FROM observation o WHERE o.trial = t.id)"
            " FROM trial t WHERE estimator = 'work'").fetchone()
        return row[1] / (row[0] / 1e9)


def run_peer(peer, launches):
    done = subprocess.run([peer, KERNELS, "2", "64", str(launches)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("peer")
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--launches", type=int, default=5000)
    arguments = parser.parse_args()
    ours, peers, ratios = [], [], []
    for _ in range(arguments.runs):
        ours.append(run_gridlock(arguments.gridlock, arguments.launches))
        peers.append(run_peer(arguments.peer, arguments.launches))
        ratios.append(ours[-1] / peers[-1])
    print(f"launches/s, median of {arguments.runs}: gridlock {statistics.median(ours):.0f}, "
          f"bare loop {statistics.median(peers):.0f}; ratio {statistics.median(ratios):.2f} "
          f"({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
