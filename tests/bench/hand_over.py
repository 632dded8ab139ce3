#!/usr/bin/env python3
"""A hand-over from group to group against the same one in CUDA (on an NVIDIA GPU) or in C11 (on a CPU).

usage: hand_over.py GRIDLOCK PEER [--cpus A,B] [--runs 5] [--seconds 60] [--json FILE] [gridlock options...]

GRIDLOCK runs the scenario handover_latency, PEER is peers/hand_over.cu, built. With --cpus, PEER is peers/hand_over.c,
whose two threads are bound to these processors, and GRIDLOCK runs tests/bench/scenarios/bench_hand_over_cpu.ini. The
two take turns on the same numbers of groups and work-items, with the same payloads, and both check each of them. A time
is half of the median of 1,000 round trips, of the best of three launches; the figures are medians of these over the
runs, of which none begins after --seconds. A ratio below 1: gridlock is faster. Exit status: 0 all was measured, and
every payload right; 1 otherwise.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

CPU_SCENARIO = pathlib.Path(__file__).parent / "scenarios" / "bench_hand_over_cpu.ini"
ROUNDS, LAUNCHES = 1000, 3


def cell_of(point):
    """PLACE:PAIRS:PAYLOAD; ids are NAME/dialect/lN/a=b,c=d/gN."""
    axes = dict(pair.split("=") for pair in point["id"].split("/")[3].split(","))
    return f"{axes['place']}:{axes['pairs']}:{axes['payload']}"


def run_gridlock(gridlock, scenario, options):
    """The points of the scenario as JSON has them."""
    with tempfile.TemporaryDirectory() as folder:
        command = [gridlock, "run", str(scenario), "--format", "json", "-q", "-o", folder + "/run.gridlock"]
        done = subprocess.run(command + options, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"hand_over.py: gridlock said: {done.stderr.strip()}")
    return json.loads(done.stdout)["devices"][0]["scenarios"][0]["points"]


def run_peer(command, cells):
    """{cell: (pairs, ps)}, and how many payloads were wrong."""
    done = subprocess.run([str(word) for word in command] + cells, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"hand_over.py: the peer said: {done.stderr.strip()}")
    lines = [line.split() for line in done.stdout.splitlines()]
    return {cell: (int(pairs), int(ps)) for cell, pairs, ps, _ in lines}, sum(int(line[3]) for line in lines)


def take_turns(arguments, options):
    """{cell: {groups, local_size, pairs, ours, peers}} with a list of times each, and what was not right."""
    cells, wrong, began = {}, [], time.monotonic()
    for number in range(arguments.runs):
        if number > 0 and time.monotonic() - began > arguments.seconds:
            break
        scenario = CPU_SCENARIO if arguments.cpus else "handover_latency"
        points = run_gridlock(arguments.gridlock, scenario, options)
        wrong += [f"{point['id']}: {point['verdict']}" for point in points if point["verdict"] != "pass"]
        for shape in sorted({(point["groups"], point["local_size"]) for point in points}):
            own = {cell_of(point): point for point in points if (point["groups"], point["local_size"]) == shape}
            command = [arguments.peer, ROUNDS, LAUNCHES, *arguments.cpus.split(",")] if arguments.cpus else \
                [arguments.peer, ROUNDS, shape[1], shape[0], LAUNCHES]
            times, bad = run_peer(command, list(own))
            wrong += [f"the peer: {bad} wrong"] if bad else []
            for cell, (pairs, ps) in times.items():
                row = cells.setdefault(cell, {"groups": shape[0], "local_size": shape[1], "pairs": pairs,
                                              "ours": [], "peers": []})
                row["ours"].append(own[cell]["handover_ps"])
                row["peers"].append(ps)
    return cells, wrong


def summarize(cells):
    """Each cell with both medians, in nanoseconds, and their ratio; those without a pair are left out."""
    rows = []
    for cell, row in cells.items():
        ours, peers = ([ps for ps in row[name] if ps] for name in ("ours", "peers"))
        if not ours or not peers:
            print(f"{cell}: not measured")
            continue
        place, pairs, payload = cell.split(":")
        ours_ns, peer_ns = statistics.median(ours) / 1e3, statistics.median(peers) / 1e3
        rows.append({"place": place, "mode": pairs, "payload": int(payload), "pairs": row["pairs"],
                     "groups": row["groups"], "local_size": row["local_size"], "runs": len(ours),
                     "gridlock_ns": ours_ns, "peer_ns": peer_ns, "ratio": ours_ns / peer_ns})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("peer")
    parser.add_argument("--cpus", metavar="A,B")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json", type=pathlib.Path)
    arguments, options = parser.parse_known_args()
    cells, wrong = take_turns(arguments, options)
    rows = summarize(cells)
    print("place pairs   payload  groups  gridlock ns  peer ns  ratio")
    for row in rows:
        print(f"{row['place']:5} {row['pairs']:5} {row['payload']:9} {row['groups']:7} {row['gridlock_ns']:12.1f} "
              f"{row['peer_ns']:8.1f} {row['ratio']:6.3f}")
    over_all = math.exp(statistics.fmean(math.log(row["ratio"]) for row in rows)) if rows else None
    if rows:
        print(f"over all {over_all:.3f} (geometric mean); worst {max(row['ratio'] for row in rows):.3f}; "
              f"{min(row['runs'] for row in rows)} runs of each")
    for line in sorted(set(wrong)):
        print("  " + line)
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows, "ratio": over_all, "wrong": wrong}, indent=1) + "\n")
    return 0 if len(rows) == len(cells) > 0 and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
