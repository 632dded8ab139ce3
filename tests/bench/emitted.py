#!/usr/bin/env python3
"""gridlock.clh beside its peers: barriers, locks and a scan.

usage: emitted.py PROGRAM OPTIONS [--gridlock GRIDLOCK --grid-sync PEER --cuda PEER] [--runs 5] [gridlock options...]

PROGRAM is peers/emitted.c, built, and OPTIONS what its kernels are built with: -I of the folder that `gridlock emit`
wrote, and perhaps -cl-std=CL3.0. On an NVIDIA GPU, GRIDLOCK runs the instrumented barriers of barrier.py, and the other
two are peers/grid_sync.cu and peers/emitted.cu, built. All take turns on the same shapes: groups of 32 to 1024
work-items, one for each compute unit and as many as fit. Figures are medians over the runs, of the shortest launch of
each, in nanoseconds a barrier or a hand-over and microseconds a scan; in parentheses, ratios of the peer's time: below
1, gridlock.clh is faster. Without a peer a barrier is set beside one launch for each step. Exit status: 0 all was
measured, and no value was stale or wrong; 1 otherwise.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

import barrier

PEERS = pathlib.Path(__file__).resolve().parent / "peers"
SIZES = (32, 64, 128, 256, 512, 1024)
SCANS = [(256, 1 << power) for power in range(4, 15, 2)]
ROUNDS = 2000


class Figures:
    """Times by column and shape, and what was checked."""

    def __init__(self):
        self.times, self.checked, self.wrong, self.failed = {}, 0, 0, []

    def add(self, column, shape, time):
        self.times.setdefault((column, shape), []).append(time)

    def median(self, column, shape):
        found = self.times.get((column, shape))
        return statistics.median(found) if found else None

    def shapes(self, column):
        return sorted({shape for name, shape in self.times if name == column})


def lines(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"emitted.py: {' '.join(map(str, command))}: {done.stderr.strip()}")
    return [line.split() for line in done.stdout.splitlines()]


def shape_of(word):
    size, groups = word.split(":")
    return int(size), int(groups)


def words_of(shapes):
    return [f"{size}:{groups}" for size, groups in shapes]


def run_emitted(figures, arguments, kernel, rounds, words):
    """Times of a kernel of emitted.cl; the shapes that it had."""
    found = lines([arguments.program, PEERS, arguments.options, kernel, rounds, *words])
    for shape, time, checked, wrong in found:
        figures.add(kernel, shape_of(shape), float(time))
        figures.checked, figures.wrong = figures.checked + int(checked), figures.wrong + int(wrong)
    return [shape_of(line[0]) for line in found]


def run_peer(figures, column, command, shapes):
    for shape, time in lines([*command, *words_of(shapes)]):
        figures.add(column, shape_of(shape), float(time))


def run_barriers(figures, arguments, more, sizes, rounds):
    words = [f"{size}:{groups}" for groups in ("units", "most") for size in sizes]
    shapes = run_emitted(figures, arguments, "barriers", rounds, words)
    if not arguments.grid_sync:
        run_emitted(figures, arguments, "one_step", rounds, words_of(shapes))
        return
    run_peer(figures, "grid.sync", [arguments.grid_sync, rounds], shapes)
    if arguments.gridlock:
        times, checked, stale, failed = barrier.run_gridlock(arguments.gridlock, more)
        figures.checked, figures.wrong = figures.checked + checked, figures.wrong + stale
        figures.failed += failed
        for shape in shapes:
            same = [time for (_, *key), time in times.items() if tuple(key) == shape]
            if same:
                figures.add("instrumented", shape, min(same))


def run_others(figures, arguments, units):
    locks = [(64, 2), (64, 32), (64, units)]
    for kernel in ("tickets", "queued"):
        run_emitted(figures, arguments, kernel, 100, words_of(locks))
    run_emitted(figures, arguments, "scan", 1, words_of(SCANS))
    if arguments.cuda:
        run_peer(figures, "lock", [arguments.cuda, "lock", 100], locks)
        run_peer(figures, "CUB", [arguments.cuda, "scan", 1], SCANS)


def table(figures, title, first, others, scale=1):
    """A column, and others with the ratio of the first one to them."""
    shapes = figures.shapes(first)
    if not shapes:
        return
    print(f"{title}\nsize groups {first:>10}" + "".join(f"{name:>20}" for name in others))
    for shape in shapes:
        time = figures.median(first, shape)
        cells = [figures.median(name, shape) for name in others]
        print(f"{shape[0]:4} {shape[1]:6} {time / scale:10.1f}" + "".join(
            f"{'-':>20}" if cell is None else f"{cell / scale:13.1f} ({time / cell:4.2f})" for cell in cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("options")
    parser.add_argument("--gridlock")
    parser.add_argument("--grid-sync")
    parser.add_argument("--cuda")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=SIZES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments, more = parser.parse_known_args()
    figures = Figures()
    for _ in range(arguments.runs):
        run_barriers(figures, arguments, more, arguments.sizes, arguments.rounds)
        run_others(figures, arguments, min(shape[1] for shape in figures.shapes("barriers")))
    peers = [name for name in ("grid.sync", "instrumented", "one_step") if figures.shapes(name)]
    table(figures, "ns a barrier", "barriers", peers)
    table(figures, "ns a hand-over of a lock", "tickets", ["queued", *(["lock"] if arguments.cuda else [])])
    table(figures, "us a scan, of 16 words a work-item", "scan", ["CUB"] if arguments.cuda else [], 1000)
    print(f"{arguments.runs} runs of each; {figures.checked} values checked, {figures.wrong} stale or wrong, "
          f"{len(figures.failed)} not passed")
    for line in sorted(set(figures.failed)):
        print("  " + line)
    return 0 if figures.checked > 0 and figures.wrong == 0 and not figures.failed else 1


if __name__ == "__main__":
    sys.exit(main())
