#!/usr/bin/env python3
"""Sets `gridlock prove` beside an exploration that leaves out nothing (tests/prove/explore), on the same launches.

    prove.py GRIDLOCK [--most STATES]

The peer interprets what clang 14 makes of a kernel, and gives up at so many states. Of each launch: states, states a
second, bytes of one, seconds; and, beside the peer, how many times fewer states and how many times as many a second.
A figure of a peer that gave up is a bound, with a sign.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parent
PROVE = BENCH.parent / "prove"
sys.path.append(str(PROVE / "explore"))
import ir  # noqa: E402 (it is in that folder)
import machine  # noqa: E402

STANDARD = "-cl-std=CL3.0"
# File, kernel, groups, work-items of each, arguments.
LAUNCHES = [
    (PROVE / "dat3m" / "caslock.cl", "mutex", 3, 1, ("buffer:4=zero", "buffer:4=zero", "buffer:20=zero")),
    (PROVE / "dat3m" / "caslock.cl", "mutex", 5, 1, ("buffer:4=zero", "buffer:4=zero", "buffer:20=zero")),
    (BENCH / "xiao_feng.cl", "xiao_feng", 3, 2, ("buffer:16=zero",) * 4),
    (BENCH / "xiao_feng.cl", "xiao_feng", 4, 2, ("buffer:16=zero",) * 4),
]


def prove(gridlock, file, kernel, groups, items, arguments):
    """States, bytes of each, and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [gridlock, "prove", str(file), "--kernel", kernel, "--groups", str(groups), "--local-size",
                   str(items), f"--build-options={STANDARD}", "--format", "json", "-q", "--exit-zero", "-o",
                   f"{folder}/run", *(f"--arg={number}={text}" for number, text in enumerate(arguments))]
        subprocess.run([*command[:-len(arguments) - 1], f"{folder}/first", *command[-len(arguments):]], check=True,
                       capture_output=True)  # it is compiled then
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    launch, = told["devices"][0]["launches"]
    assert (launch["verdict"], launch["explored"]) == ("proved", "all"), launch["verdict"]
    return launch["states"], launch["state_bytes"], launch["duration_ns"] / 1e9


def peer(file, kernel, groups, items, arguments, most):
    """States, seconds, and whether these are all."""
    launch = machine.Machine(ir.read_kernel(file, [], kernel), groups, items, arguments)
    began = time.monotonic()
    try:
        states, whole = len(machine.Graph(launch, most).states), True
    except OverflowError:
        states, whole = most, False
    return states, time.monotonic() - began, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("--most", type=int, default=100000)
    options = parser.parse_args()
    print(f"{'kernel':24} {'launch':>6} {'states':>8} {'a second':>9} {'bytes':>6} {'s':>8} {'peer':>9} {'a second':>9}"
          f" {'s':>8} {'fewer':>8} {'faster':>7}")
    for file, kernel, groups, items, arguments in LAUNCHES:
        states, size, seconds = prove(options.gridlock, file, kernel, groups, items, arguments)
        all_states, all_seconds, whole = peer(file, kernel, groups, items, arguments, options.most)
        more = "" if whole else ">"
        rate, all_rate = states / seconds, all_states / all_seconds
        beside = (more + str(all_states), format(all_rate, ".0f"), more + format(all_seconds, ".2f"),
                  more + format(all_states / states, ".1f"), format(rate / all_rate, ".1f"))
        print(f"{file.name + ':' + kernel:24} {groups:>4}x{items} {states:8} {rate:9.0f} {size:6} "
              f"{seconds:8.3f} {'{:>9} {:>9} {:>8} {:>8} {:>7}'.format(*beside)}", flush=True)


if __name__ == "__main__":
    main()
