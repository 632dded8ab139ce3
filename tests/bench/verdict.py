#!/usr/bin/env python3
"""How long a deadlock takes from its launch to a confirmed verdict with its cause.

usage: verdict.py GRIDLOCK [--runs 21] [gridlock options...]

Each run is a new process that launches a deadlock (cause_circular_wait) and a barrier over one group too many
(cause_occupancy) once, so that each launch has to be confirmed. Time is the launch's, from enqueue until the evidence
was read; what follows (the verdict and its cause are a function of that) takes microseconds. Exit status: 0 measured; 1
a verdict was not what it should be.
"""
import argparse
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile

EXPECTED = {"cause_circular_wait": ("deadlock", "circular-wait"), "cause_occupancy": ("starved", "occupancy")}


def run_gridlock(gridlock, options):
    """[(scenario, verdict, cause, milliseconds)] of the launches that did not pass."""
    with tempfile.TemporaryDirectory() as folder:
        run_file = folder + "/run.gridlock"
        command = [gridlock, "run", *EXPECTED, "--iterations", "1", "-q", "-o", run_file]
        subprocess.run(command + options, stdout=subprocess.DEVNULL, check=False)
        return sqlite3.connect(pathlib.Path(run_file)).execute(
            "SELECT scenario, verdict, cause, observation.duration_ns / 1e6 FROM observation"
            " JOIN trial ON trial.id = observation.trial JOIN verdict USING (trial, launch)"
            " WHERE estimator = 'work' AND verdict != 'pass'").fetchall()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("--runs", type=int, default=21)
    arguments, options = parser.parse_known_args()
    times, wrong = {}, []
    for _ in range(arguments.runs):
        for scenario, verdict, cause, milliseconds in run_gridlock(arguments.gridlock, options):
            times.setdefault(scenario, []).append(milliseconds)
            if (verdict, cause) != EXPECTED[scenario]:
                wrong.append(f"{scenario}: {verdict}, {cause}")
    for scenario, values in sorted(times.items()):
        print(f"{scenario:20} {len(values):3} launches: median {statistics.median(values):.1f} ms, "
              f"{min(values):.1f} to {max(values):.1f} ms")
    for line in wrong:
        print("  " + line)
    return 0 if times and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
