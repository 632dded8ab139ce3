#!/usr/bin/env python3
"""What the board costs a barrier: the same kernel with and without it, fuse and stop word in both.

usage: board.py GRIDLOCK [--runs 21] [gridlock options...]

Each run launches the scenarios bench_board_*.ini, where the two take turns; the figures are medians over the runs, of
the shortest launch of each, in nanoseconds a barrier. A ratio of 1.05 is a cost of 5 %. Exit status: 0 all was
measured; 1 a launch did not pass.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SCENARIOS = sorted((pathlib.Path(__file__).parent / "scenarios").glob("bench_board_*.ini"))
ROUNDS = 2000


def run_gridlock(gridlock, options):
    """{(scenario, groups): {"on": ns a barrier, "off": ns}}, and the points that did not pass."""
    with tempfile.TemporaryDirectory() as folder:
        command = [gridlock, "run", *map(str, SCENARIOS), "--format", "json", "-q", "-o", folder + "/run.gridlock"]
        done = subprocess.run(command + options, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"board.py: gridlock said: {done.stderr.strip()}")
    times, failed = {}, []
    for scenario in json.loads(done.stdout)["devices"][0]["scenarios"]:
        for point in scenario["points"]:
            board = "off" if "board=off" in point["id"] else "on"
            if point["verdict"] == "pass":
                key = scenario["name"].removeprefix("bench_board_"), point["groups"]
                times.setdefault(key, {})[board] = point["fastest_ns"] / ROUNDS
            else:
                failed.append(f"{point['id']}: {point['verdict']}")
    return times, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("--runs", type=int, default=21)
    arguments, options = parser.parse_known_args()
    runs, failed = {}, []
    for _ in range(arguments.runs):
        times, bad = run_gridlock(arguments.gridlock, options)
        failed += bad
        for key, pair in times.items():
            if len(pair) == 2:
                runs.setdefault(key, []).append(pair)
    print("barrier  groups   with board    without   ratio (lowest to highest)")
    for (name, groups), pairs in sorted(runs.items()):
        ratios = [pair["on"] / pair["off"] for pair in pairs]
        print(f"{name:8} {groups:6} {statistics.median(pair['on'] for pair in pairs):9.1f} ns "
              f"{statistics.median(pair['off'] for pair in pairs):7.1f} ns   {statistics.median(ratios):.3f} "
              f"({min(ratios):.3f} to {max(ratios):.3f})")
    print(f"{arguments.runs} runs of each, {len(failed)} not passed")
    for line in sorted(set(failed)):
        print("  " + line)
    return 0 if runs and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
