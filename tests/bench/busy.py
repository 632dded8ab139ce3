#!/usr/bin/env python3
"""How much longer gridlock limits takes beside busy loops, against a bare loop that enqueues and waits, on PoCL.

usage: busy.py GRIDLOCK PEER [--loops 16] [--runs 3] [--launches 200]

PEER is peers/enqueue.c, built. gridlock, PEER and the loops all run under nice 19 and on one processor. The loops are
started from another session, as from another terminal, or from the same one: where Linux divides its time between
sessions first (sched_autogroup_enabled), the former get half of it, the latter all but one part in as many as there are
threads. The figures are medians. Exit status: 0 measured; 1 gridlock found other limits than on the idle processor.
"""
import argparse
import contextlib
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

KERNELS = pathlib.Path(__file__).parents[2] / "kernels"
NO_LOOPS, OTHER_SESSION, SAME_SESSION = "none", "another session", "the same session"


@contextlib.contextmanager
def busy_loops(count, place):
    if place == NO_LOOPS:
        yield
        return
    begin = os.setsid if place == OTHER_SESSION else os.setpgrp
    with subprocess.Popen(["sh", "-c", f"for i in $(seq {count}); do while :; do :; done & done; wait"],
                          preexec_fn=begin) as shell:
        try:
            yield
        finally:
            os.killpg(shell.pid, signal.SIGKILL)


def run_gridlock(gridlock):
    """Seconds, and the limit of each footprint."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        command = [gridlock, "limits", "-d", "pocl", "-q", "--format", "json", "-o", folder + "/run.gridlock"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        seconds = time.monotonic() - began
    device, = json.loads(done.stdout)["devices"]
    return seconds, [row["resident"] for row in device["limits"]]


def run_peer(peer, launches):
    """Seconds for a launch."""
    done = subprocess.run([peer, KERNELS, "2", "64", str(launches)], capture_output=True, text=True, check=True)
    return 1 / float(done.stdout)


def measure(arguments, place):
    """The medians of both, and the limits that were found."""
    ours, peers, found = [], [], []
    for _ in range(arguments.runs):
        with busy_loops(arguments.loops, place):
            seconds, limits = run_gridlock(arguments.gridlock)
            ours.append(seconds)
            found.append(limits)
            peers.append(run_peer(arguments.peer, arguments.launches))
    return statistics.median(ours), statistics.median(peers), found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("peer")
    parser.add_argument("--loops", type=int, default=16)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--launches", type=int, default=200)
    arguments = parser.parse_args()
    os.nice(19)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    run_gridlock(arguments.gridlock)  # the driver keeps what it compiles
    idle = measure(arguments, NO_LOOPS)
    print("loops of            limits, s   x idle   a bare launch, ms   x idle")
    code = 0
    for place in (NO_LOOPS, OTHER_SESSION, SAME_SESSION):
        ours, peers, found = idle if place == NO_LOOPS else measure(arguments, place)
        print(f"{place:16}{ours:13.1f}{ours / idle[0]:9.1f}{1e3 * peers:20.3f}{peers / idle[1]:9.1f}", flush=True)
        if any(limits != idle[2][0] for limits in found):
            print(f"  limits that differ: {found}, not {idle[2][0]}")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
