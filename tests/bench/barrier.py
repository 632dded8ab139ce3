#!/usr/bin/env python3
"""A sound global barrier against cooperative groups' grid.sync(), on one NVIDIA GPU.

usage: barrier.py GRIDLOCK PEER [--runs 21] [gridlock options...]

GRIDLOCK runs the scenarios in tests/bench/scenarios, PEER is peers/grid_sync.cu, built. The two take
turns on the same shapes; the figures are medians over the runs, of the shortest launch of each run, in
nanoseconds a barrier, and their ratio (below 1: gridlock's barrier is faster). The last column has the faster
barrier as a multiple of the least that any can take: one atomic addition each, and loads until both are there, by
two threads on two multiprocessors. The launches that check what they
read (silent=0) are of the same build as those that are timed (silent=1): their checked reads and the
stale ones among them are summed. Exit status: 0 all was measured, and no read was stale; 1 otherwise.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SCENARIOS = sorted((pathlib.Path(__file__).parent / "scenarios").glob("bench_barrier_*.ini"))
ROUNDS = 2000


def words(point_id):
    """The axes of a point: NAME/dialect/lN/a=b,c=d/gN."""
    return dict(pair.split("=") for pair in point_id.split("/")[3].split(","))


def run_gridlock(gridlock, options):
    """{(variant, size, groups): ns a barrier}, and the checked, stale and failed counts."""
    with tempfile.TemporaryDirectory() as folder:
        command = [gridlock, "run", *map(str, SCENARIOS), "--format", "json", "-q", "-o", folder + "/run.gridlock"]
        done = subprocess.run(command + options, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"barrier.py: gridlock said: {done.stderr.strip()}")
    times, checked, stale, failed = {}, 0, 0, []
    for scenario in json.loads(done.stdout)["devices"][0]["scenarios"]:
        for point in scenario["points"]:
            axes = words(point["id"])
            if point["verdict"] != "pass":
                failed.append(f"{point['id']}: {point['verdict']}")
            if axes["silent"] == "0":
                checked += (point["seen"]["checked"] or 0) * point["launches"]
                stale += point["seen"]["stale"] or 0
            elif point["fastest_ns"]:
                variant = scenario["name"].removeprefix("bench_barrier_").removesuffix("_wide") + "/" + axes["poll"]
                times[variant, point["local_size"], point["groups"]] = point["fastest_ns"] / ROUNDS
    return times, checked, stale, failed


def run_peer(peer, shapes):
    """{(size, groups): ns a barrier}, and the least that any barrier takes."""
    command = [peer, str(ROUNDS), "least"] + [f"{size}:{groups}" for size, groups in shapes]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    least, *times = [float(nanoseconds) for nanoseconds in words[1::2]]
    return dict(zip(shapes, times)), least


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("peer")
    parser.add_argument("--runs", type=int, default=21)
    arguments, options = parser.parse_known_args()
    ours, peers, leasts, checked, stale, failed = {}, {}, [], 0, 0, []
    for _ in range(arguments.runs):
        times, more, old, bad = run_gridlock(arguments.gridlock, options)
        checked, stale, failed = checked + more, stale + old, failed + bad
        for key, nanoseconds in times.items():
            ours.setdefault(key, []).append(nanoseconds)
        shapes = sorted({key[1:] for key in times})
        times, least = run_peer(arguments.peer, shapes)
        leasts.append(least)
        for shape, nanoseconds in times.items():
            peers.setdefault(shape, []).append(nanoseconds)
    variants = sorted({key[0] for key in ours})
    print("size groups  grid.sync" + "".join(f"{variant:>16}" for variant in variants) + "   best ratio  x least")
    least = statistics.median(leasts)
    for size, groups in sorted(peers):
        peer = statistics.median(peers[size, groups])
        line = [statistics.median(ours[v, size, groups]) if (v, size, groups) in ours else None for v in variants]
        best = min(value for value in line if value is not None)
        cells = "".join("               -" if value is None else f"{value:9.0f} ({value / peer:4.2f})"
                        for value in line)
        print(f"{size:4} {groups:6} {peer:10.0f}{cells} {best / peer:12.2f}{best / least:9.2f}")
    print(f"least: {least:.0f} ns; {arguments.runs} runs of each; "
          f"{checked} reads across groups checked, {stale} stale, {len(failed)} not passed")
    for line in sorted(set(failed)):
        print("  " + line)
    return 0 if checked > 0 and stale == 0 and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
