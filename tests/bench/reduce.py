#!/usr/bin/env python3
"""Reductions in one launch against CUB's DeviceReduce, on one NVIDIA GPU.

usage: reduce.py GRIDLOCK PEER [--runs 21] [gridlock options...]

GRIDLOCK runs tests/bench/scenarios/bench_reduce_*.ini, PEER is peers/cub_reduce.cu, built. The two take turns
on the same lengths, and both write the input anew before each pair of reductions (reduce_last) or each one
(reduce_levels); the figures are medians over the runs, of the shortest reduction of each run, of the best
number of groups and work-items. gridlock's times are of the kernel, by event profiling; the peer's are between two
events around the call, which has two kernels and what lies between them. A ratio above 1: gridlock is
faster. Exit status: 0 all was measured and every result right; 1 otherwise.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SCENARIOS = sorted((pathlib.Path(__file__).parent / "scenarios").glob("bench_reduce_*.ini"))
LAUNCHES = {"reduce_last": 2, "reduce_levels": 1}  # reductions of an input that was written anew


def items_of(point_id):
    return int(dict(pair.split("=") for pair in point_id.split("/")[3].split(","))["items"])


def run_gridlock(gridlock, options):
    """{(kernel, items): (ns, shape)} of the best shape, and the points that did not pass."""
    with tempfile.TemporaryDirectory() as folder:
        command = [gridlock, "run", *map(str, SCENARIOS), "--format", "json", "-q", "-o", folder + "/run.gridlock"]
        done = subprocess.run(command + options, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"reduce.py: gridlock said: {done.stderr.strip()}")
    best, failed = {}, []
    for scenario in json.loads(done.stdout)["devices"][0]["scenarios"]:
        kernel = scenario["name"].removeprefix("bench_").removesuffix("_large")
        for point in scenario["points"]:
            if point["verdict"] != "pass":
                failed.append(f"{point['id']}: {point['verdict']}")
                continue
            key, nanoseconds = (kernel, items_of(point["id"])), point["fastest_ns"] / LAUNCHES[kernel]
            shape = f"{point['groups']}x{point['local_size']}"
            best[key] = min(best.get(key, (nanoseconds, shape)), (nanoseconds, shape))
    return best, failed


def run_peer(peer, lengths):
    """{(kernel, items): ns}: for each kernel of ours those of as many reductions."""
    lines = subprocess.run([peer] + [str(n) for n in lengths], capture_output=True, text=True, check=True).stdout
    times = {}
    for items, pair, first in (line.split() for line in lines.splitlines()):
        for kernel, launches in LAUNCHES.items():
            times[kernel, int(items)] = float(pair if launches == 2 else first)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("peer")
    parser.add_argument("--runs", type=int, default=21)
    arguments, options = parser.parse_known_args()
    ours, shapes, peers, failed = {}, {}, {}, []
    for _ in range(arguments.runs):
        best, bad = run_gridlock(arguments.gridlock, options)
        failed += bad
        for key, (nanoseconds, shape) in best.items():
            ours.setdefault(key, []).append(nanoseconds)
            shapes[key] = shape
        for key, nanoseconds in run_peer(arguments.peer, sorted({key[1] for key in best})).items():
            peers.setdefault(key, []).append(nanoseconds)
    kernels = sorted({key[0] for key in ours})
    print("     items" + "".join(f"{kernel:>16} us  CUB us  ratio    shape" for kernel in kernels))
    for items in sorted({key[1] for key in ours}):
        cells = ""
        for kernel in kernels:
            own, peer = statistics.median(ours[kernel, items]), statistics.median(peers[kernel, items])
            cells += f"{own / 1e3:19.2f} {peer / 1e3:7.2f} {peer / own:6.3f} {shapes[kernel, items]:>8}"
        print(f"{items:10}{cells}")
    print(f"{arguments.runs} runs of each; {len(failed)} points did not pass")
    for line in sorted(set(failed)):
        print("  " + line)
    return 0 if peers and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
