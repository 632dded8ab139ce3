#!/usr/bin/env python3
"""Is each cause found, and no other one? Seeded faults, one scenario each (cause_*.ini), many launches of each.

usage: causes.py GRIDLOCK [--launches 1000] [--threads 1,2,3,4,5,6,7,8] [gridlock options...]

On PoCL with each number of threads; with --threads 0 on the device that the options choose. A launch is right if it
passed where a pass is allowed, or has the verdict and the cause that its scenario predicted before it ran; "unknown" is
a miss. The table has a row a cause: launches with that cause, of those that should have it, and "-" where the fault
cannot show, because the point passes there. Below it, starvation that was said of points with no more groups than fit.
Exit status: 0 at least 99 % of each are right, and no such starvation; 1 otherwise.
"""
import argparse
import collections
import os
import sqlite3
import subprocess
import sys
import tempfile

QUERY = """SELECT scenario, trial.name, expected, expected_causes, verdict, coalesce(cause, ''),
           groups_launched, resident
FROM (SELECT *, groups AS groups_launched FROM trial) AS trial JOIN observation ON observation.trial = trial.id
JOIN verdict USING (trial, launch) WHERE estimator = 'work'"""


def run_gridlock(gridlock, options, launches, threads):
    environment = dict(os.environ)
    if threads:
        environment["POCL_MAX_PTHREAD_COUNT"] = str(threads)
        options = ["-d", "pocl", *options]
    with tempfile.TemporaryDirectory() as folder:
        environment["GRIDLOCK_LOCK_DIR"] = folder
        command = [gridlock, "run", "cause_*", "--iterations", str(launches), "-q", "-o", folder + "/run.gridlock"]
        done = subprocess.run(command + options, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=environment, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"causes.py: gridlock ended with {done.returncode}: {done.stderr.strip()}")
        return sqlite3.connect(folder + "/run.gridlock").execute(QUERY).fetchall()


def judge(rows):
    """{scenario: [right, failed]}, the misses by what they were, and the false starvations."""
    score, misses, false = collections.defaultdict(lambda: [0, 0]), collections.Counter(), collections.Counter()
    for scenario, name, expected, causes, verdict, cause, groups, resident in rows:
        if verdict == "starved" and resident and groups <= resident:
            false[name] += 1
        as_expected = verdict in expected.split(" or ")
        if not cause and as_expected:  # it passed where it may, or failed without a wait
            continue
        score[scenario][1] += 1
        if as_expected and cause in causes.split(" or "):
            score[scenario][0] += 1
        else:
            misses[name, verdict, cause] += 1
    return score, misses, false


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("--launches", type=int, default=1000)
    parser.add_argument("--threads", default="1,2,3,4,5,6,7,8")
    arguments, options = parser.parse_known_args()
    columns, bad = {}, False
    for threads in map(int, arguments.threads.split(",")):
        score, misses, false = columns[threads] = judge(run_gridlock(arguments.gridlock, options, arguments.launches,
                                                                     threads))
        bad = bad or bool(false) or any(100 * right < 99 * failed for right, failed in score.values())
        for (name, verdict, cause), count in misses.items():
            print(f"  {threads} threads: {name}: {verdict}, {cause}: {count} times", flush=True)
    scenarios = sorted({scenario for score, _, _ in columns.values() for scenario in score})
    print("right of failed launches" + "".join(f"{threads:>12}" for threads in columns))
    for scenario in scenarios:
        cells = [score.get(scenario) for score, _, _ in columns.values()]
        print(f"{scenario:24}" + "".join(f"{'-' if cell is None else f'{cell[0]}/{cell[1]}':>12}" for cell in cells))
    print(f"starved with no more groups than fit: {sum(sum(false.values()) for _, _, false in columns.values())}")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
