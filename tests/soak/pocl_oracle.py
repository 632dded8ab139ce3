#!/usr/bin/env python3
"""Shows that gridlock gives no false verdict on PoCL, whose scheduling is simple enough to predict every verdict.

What it proves. PoCL's CPU device runs as many work-groups at a time as it has worker threads, and deals the groups' ids
to them by a fixed rule. From that rule and from what the kernel's groups wait for, one can compute for each launch
whether it passes, and if not, which groups never start, which wait, and whether that is `starved`, `deadlock` or
`stalled`. This program draws points at random (kernels, options, faults, group counts, local sizes, rounds, seeds,
delays, burners), computes their verdicts, lets gridlock run them for several numbers of threads, half of them beside
busy loops, and compares each launch in the run files. Nothing here depends on time.

How a verdict is computed.

  - PoCL (pthread, 3.1): `deal` in oracle/launch.py has the rule. Chunks of consecutive ids are dealt in order; a thread
    runs the groups of its chunk one after another, each to its end, and then takes the next chunk. So a group that
    waits keeps its thread, and the rest of its chunk. POCL_DEVICES=basic is one thread. To test the rule, the numbers
    of groups that started and that wait are compared for each launch, and for a stalled one, by its board, which
    groups these are. The resident limit that gridlock measured for each kernel must be the number of threads.
  - Kernels: each has a model (oracle/barriers.py, waits.py, locks.py), a generator that yields what one group does with
    shared words, as steps (oracle/steps.py): Change and Wait, for words that only grow, and Race, for all others.
    Models say what an algorithm promises, not how the kernel does it: a barrier is a count of arrivals; a correct lock
    is no step at all, because whoever holds it has started and continues, so each group that has started gets it in
    the end.
  - Steps other than Race lead to the same end in any order: what they can do, they can still do later, and chunks are
    dealt in order. So one order stands for all. Where groups race, all orders are tried (`Launch.explore`). A point
    whose orders end with different verdicts, or are too many, is left out, counted and listed. So is one whose fault
    only spoils data: whether that shows depends on time. With --several, points with more than one possible verdict
    are run as well, and each launch must match one of the possible ends.
  - At the end each group that waits is awaiting some others: starved if a chain of such waits leads to a group that
    never started; else deadlock if one leads back; else stalled.

oracle/points.py draws the points and writes the scenario files, with these verdicts as expectations, so gridlock's exit
status is tested as well. A launch that is `inconclusive` is neither right nor false: it is counted.

Exit status: 0 no false verdict; 1 there were some; 2 it could not be run.
"""
import argparse
import collections
import pathlib
import random
import shutil
import signal
import sys
import tempfile

from oracle.comparing import compare, Tally
from oracle.points import draw_scenarios, KERNELS
from oracle.running import Batch, Failure

ROOT = pathlib.Path(__file__).resolve().parents[2]

# --- reporting ---

HEADING = "threads    load  trials  launches  boards  false  inconclusive  retries  trials/s"


def print_row(device, load, tally):
    rate = tally.trials / tally.seconds if tally.seconds else 0
    print(f"{device:>7} {load:>7} {tally.trials:7} {tally.launches:9} {tally.boards:7} {sum(tally.false.values()):6} "
          f"{tally.inconclusive:13} {tally.retries:8} {rate:9.1f}", flush=True)


def print_kernels(scenarios):
    """What was covered: expected launches of each variant of a kernel."""
    counts = collections.defaultdict(collections.Counter)
    for scenario in scenarios:
        for groups in scenario.ends:
            counts[scenario.variant()][scenario.expected(groups)] += scenario.axes["iterations"]
    print("\nlaunches expected, by variant")
    for variant, verdicts in sorted(counts.items()):
        print(f"  {variant:58}  " + "  ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items())))


def print_left_out(scenarios, verbose):
    """How many points of each variant have no certain verdict, and why; with --verbose each of them."""
    counts = collections.Counter()
    for scenario in scenarios:
        for groups, reason in scenario.left_out.items():
            counts[scenario.variant(), reason] += 1
            if verbose:
                print(f"left out: {scenario} groups={groups} threads={scenario.threads}: {reason}")
    print(f"\nleft out: {sum(counts.values())} points")
    for (variant, reason), count in sorted(counts.items()):
        print(f"  {variant:58}  {count:5}  {reason}")

# --- main ---


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gridlock", default=str(ROOT / "build" / "gridlock"), metavar="PATH")
    parser.add_argument("--trials", type=int, default=1000,
                        help="points to run, all thread counts together (%(default)s)")
    parser.add_argument("--threads", default="1,2,3,4,8,basic", metavar="LIST",
                        help="PoCL's worker threads, and basic for its device with one (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of everything random (%(default)s)")
    parser.add_argument("--kernels", default=",".join(KERNELS), metavar="LIST", help="(default: all that have a model)")
    parser.add_argument("--several", action="store_true",
                        help="also run points that may have several verdicts: each launch must be one of these")
    parser.add_argument("--keep", action="store_true", help="keep scenario and run files also if nothing is false")
    parser.add_argument("--verbose", action="store_true", help="list each point that is left out")
    arguments = parser.parse_args()
    for name in arguments.kernels.split(","):
        if name not in KERNELS:
            parser.error(f"no model of a kernel {name}")
    return arguments


def make_batches(lots, device, scenarios, size=50):
    """Every second one runs beside busy loops."""
    scenarios = [scenario for scenario in scenarios if scenario.ends]
    size = max(1, min(size, -(-len(scenarios) // 2)))
    starts = range(0, len(scenarios), size)
    return [Batch(device, number, scenarios[start:start + size], lots.randint(2, 4) if number % 2 else 0)
            for number, start in enumerate(starts)]


def run_device(lots, device, trials, arguments, folder, total):
    """All points for one number of threads: prints two rows, and returns the scenarios."""
    threads = 1 if device == "basic" else int(device)
    scenarios = draw_scenarios(lots, threads, trials, arguments.kernels.split(","), arguments.several)
    rows = {"idle": Tally(), "busy": Tally()}
    for batch in make_batches(lots, device, scenarios):
        run_file, status, seconds = batch.run(arguments.gridlock, folder)
        tally = compare(batch, run_file, status)
        tally.seconds = seconds
        rows["busy" if batch.busy else "idle"].add(tally)
        for sentence, launches in tally.false.items():
            print(f"FALSE threads={device} busy={batch.busy} batch={batch.number}, {launches} launches: {sentence}")
    for load, tally in rows.items():
        print_row(device, load, tally)
        total.add(tally)
    return scenarios


def soak(arguments, folder):
    lots = random.Random(arguments.seed)
    devices = arguments.threads.split(",")
    total, scenarios = Tally(), []
    print(HEADING)
    for number, device in enumerate(devices):
        trials = (arguments.trials * (number + 1)) // len(devices) - (arguments.trials * number) // len(devices)
        scenarios += run_device(lots, device, trials, arguments, folder, total)
    print_row("all", "", total)
    print("\nverdicts: " + ", ".join(f"{count} {verdict}" for verdict, count in total.verdicts.most_common()))
    print_kernels(scenarios)
    print_left_out(scenarios, arguments.verbose)
    return sum(total.false.values())


def main():
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gridlock-soak-"))
    status = 2
    try:
        status = 1 if soak(arguments, folder) else 0
    except (Failure, OSError, ValueError) as failure:
        print(f"pocl_oracle: {failure}", file=sys.stderr)
    finally:
        if status == 0 and not arguments.keep:
            shutil.rmtree(folder)
        else:
            print(f"pocl_oracle: scenario and run files are in {folder}", file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
