#!/usr/bin/env python3
"""Kernels whose truth is known: does gridlock ever say something else?

usage: truth.py GRIDLOCK [--threads 1,2,4] [--load idle,busy,stopped] [--filter RE] [--long] [options...]

Runs the scenarios of this folder, in each configuration: PoCL with each number of threads (or, with --threads 0 and on
model devices, the device that --device names), on an idle machine, beside two busy loops, and while the worker, at
times the supervisor, too, is stopped and continued at random. A verdict is false if it is neither one of those that its
scenario predicts nor `inconclusive`; a cause is false if it is neither predicted nor `unknown`. Prints a row for each
configuration, then each false verdict and cause. README.md says what the columns mean.

Exit status: 0 nothing false, and at most 1 % of the correct launches inconclusive; 1 otherwise; 2 gridlock failed.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import ctypes
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent

# Launches of each point, by how long one takes.
LAUNCHES = {"bulk": 40, "quick": 2, "slow": 1, "long": 3}

LONG_THREADS = (0, 2, 8, 64)

# Exit statuses of a run that came to its end: all was tried; there was nothing to try.
EXIT_RUN = (0, 77)

QUERY = """SELECT scenario, trial.name, expected, coalesce(expected_causes, ''), verdict,
coalesce(cause, '') FROM trial JOIN observation ON observation.trial = trial.id JOIN verdict USING (trial, launch)
WHERE estimator = 'work'"""

PACE_QUERY = ("SELECT min(observation.duration_ns) FROM observation JOIN trial ON observation.trial = trial.id "
              "WHERE estimator = 'work'")

# Processes of gridlock.
running = set()

# Orders in which groups may start on a model device, and models that begin with the lowest id whatever is asked for.
ORDERS = ("mixed", "up", "down", "chunked", "split", "lot")
UP = ("unfair", "hsa", "lobe", "fair")

# A time limit, a pause and a pace mean nothing to a model device: it counts accesses.
MODEL_PACE = 1

# A device that makes fewer turns in a microsecond is a simulator: so many times fewer polls than millions take as long.
SIMULATED_PACE, SIMULATED_POLLS = 10, 1000

Case = collections.namedtuple("Case", "path tier timeout device few iterations proved endless by_order")
Launch = collections.namedtuple("Launch", "scenario name expected causes verdict cause")
Configuration = collections.namedtuple("Configuration", "threads load")


def read_case(path):
    """The first line of a scenario file says "# truth: TIER" and perhaps "timeout=S device=cpu|gpu few
    iterations=N proved=VERDICT endless ORDER=VERDICT"."""
    words = path.read_text().split("\n")[0].removeprefix("# truth: ").split()
    given = dict(word.split("=") for word in words[1:] if "=" in word)
    return Case(path, words[0], int(given.get("timeout", 60)), given.get("device"), "few" in words,
                int(given.get("iterations", 0)), given.get("proved"), "endless" in words,
                {order: given[order].replace("-", " ") for order in ORDERS if order in given})


def is_correct(case):
    return re.search(r"(?m)^verdict = pass$", case.path.read_text()) is not None


def has_pace(case):
    kernel = re.search(r"(?m)^kernel = (.*)", case.path.read_text())[1]
    return re.search(r"param: +pace ", (HERE / f"{kernel}.cl").read_text()) is not None


def choose_cases(arguments):
    tiers = {"bulk", "quick", "slow", "long"} if arguments.long else {"bulk", "quick", "slow"}
    if arguments.tiers:
        tiers = set(arguments.tiers.split(","))
    cases = [read_case(path) for path in sorted(HERE.glob("*.ini"))]
    kind = "model" if arguments.model else "gpu" if arguments.gpu else "cpu"
    return [case for case in cases
            if case.tier in tiers and case.device in (None, kind) and re.search(arguments.filter, case.path.stem)
            and not (arguments.model and case.endless) and (is_correct(case) or not arguments.correct)]


def order_of(device):
    """The order in which groups start on this model device."""
    name, *parts = device.split(",")
    asked = next((part.removeprefix("order=") for part in parts if part.startswith("order=")), "mixed")
    return "up" if name.split(":")[1] in UP else asked


# --- what runs beside


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


@contextlib.contextmanager
def busy_loops(count):
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=end_with_parent)
             for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def children_of(pid):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def send(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def stop_at_random(pid, over, lot):
    """Stops the worker for 1 to 5 s, and in one case of three the supervisor with it, until `over` is set."""
    while not over.wait(lot.uniform(1, 8)):
        pids = children_of(pid)
        if lot.random() < 1 / 3:
            pids = [pid, *pids]
        send(pids, signal.SIGSTOP)
        over.wait(lot.uniform(1, 5))
        send(pids, signal.SIGCONT)


# --- one run of gridlock


def as_groups_start(text, instead):
    """The scenario with these verdicts above the resident limit; None: as it is."""
    if not instead:
        return text
    text = re.sub("(?m)^verdict = ", f"verdict = {instead} when groups > resident; ", text)
    return re.sub("(?m)^cause = ([^;]*?)(?= when|;|$)",
                  r"cause = \1 or occupancy or not-dispatched when groups > resident; \1", text)


def simulated(polls):
    """The same line for a device on which a million polls take much longer than on others."""
    return re.sub(r"\d{7,}", lambda many: str(int(many[0]) // SIMULATED_POLLS), polls[0])


def stage(cases, folder, arguments, pace, threads):
    """Copies of the scenarios with the launches and the pace of this configuration, beside their kernels."""
    folder.mkdir()
    for path in [*HERE.glob("*.cl"), *HERE.glob("*.h")]:
        shutil.copy(path, folder)
    for case in cases:
        launches = case.iterations or LAUNCHES[case.tier]
        if threads >= 24 and case.tier != "long":
            launches = (launches + 1) // 2
        launches = max(1, round(launches * arguments.iterations))
        added = f"[sweep]\niterations = {launches}\n" + (f"pace = {pace}\n" if has_pace(case) else "")
        text = case.path.read_text().replace("[sweep]\n", added)
        if not arguments.model and pace < SIMULATED_PACE:
            text = re.sub(r"(?m)^polls = .*", simulated, text)
        if arguments.model and case.proved:
            text = re.sub("inconclusive or hang|hang or inconclusive|inconclusive", case.proved, text)
        if arguments.model:
            text = as_groups_start(text, case.by_order.get(order_of(arguments.device)))
        if arguments.gpu and case.few:
            text = text.replace("1x resident", "min(resident, 32)")
        (folder / case.path.name).write_text(text)
    return [folder / case.path.name for case in cases]


def environment_of(threads, folder):
    environment = dict(os.environ)
    if threads:
        environment["POCL_MAX_PTHREAD_COUNT"] = str(threads)
    environment["GRIDLOCK_LOCK_DIR"] = str(folder)
    return environment


def run_gridlock(arguments, files, timeout, configuration, run_file, lot):
    command = [arguments.gridlock, "run", *map(str, files), "-d", arguments.device, "-q", "--exit-zero", "--timeout",
               str(timeout), "-o", str(run_file), *arguments.options]
    over = threading.Event()
    with open(run_file.with_suffix(".err"), "w", encoding="utf-8") as err:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err, preexec_fn=end_with_parent,
                                   env=environment_of(configuration.threads, run_file.parent))
        running.add(process)
        stopper = threading.Thread(target=stop_at_random, args=(process.pid, over, lot))
        try:
            if configuration.load == "stopped":
                stopper.start()
            return process.wait(timeout=3600)
        finally:
            running.discard(process)
            over.set()
            if stopper.ident is not None:
                stopper.join()
            if process.poll() is None:
                process.terminate()
                process.wait()


def read_launches(run_file):
    with contextlib.closing(sqlite3.connect(f"file:{run_file}?mode=ro", uri=True)) as connection:
        return [Launch(*row)._replace(name=row[1].split("#")[0]) for row in connection.execute(QUERY)]


def measure_pace(arguments):
    """Turns of the arithmetic in a microsecond: nobody_waits at a known pace, and how long its fastest launch took."""
    pace, ms = 100, 100
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = stage([read_case(HERE / "nobody_one.ini")], folder / "pace",
                      argparse.Namespace(iterations=4, gpu=False, model=False), pace, 1)
        text = files[0].read_text()
        text = re.sub(r"groups = .*", "groups = 1", re.sub(r"who = .*", f"who = 0\nms = {ms}", text))
        files[0].write_text(text)
        run_file = folder / "pace.run"
        if run_gridlock(arguments, files, 60, Configuration(arguments.threads[0], "idle"), run_file, None) != 0:
            sys.exit(f"truth.py: gridlock failed: {run_file.with_suffix('.err').read_text()}")
        with contextlib.closing(sqlite3.connect(run_file)) as connection:
            took_ns, = connection.execute(PACE_QUERY).fetchone()
    return max(1, round(pace * ms * 1e6 / took_ns)) if took_ns else 1  # a simulator may not come to the end of one


# --- what it said


def judge(launch):
    """right, false, undecided (a stall that was not decided), inconclusive (a correct kernel), cause, unknown, or
    open."""
    expected = launch.expected.split(" or ") if launch.expected else []
    if not expected:
        return "open"
    if launch.verdict in ("not-run", "unsupported"):
        return "open"
    if launch.verdict not in expected:
        if launch.verdict not in ("inconclusive", "incomplete"):
            return "false"
        return "inconclusive" if expected == ["pass"] else "undecided"
    if launch.verdict in ("pass", "inconclusive", "hang") or not launch.causes:
        return "right"
    if launch.cause == "unknown":
        return "right" if "unknown" in launch.causes.split(" or ") else "unknown"
    contradiction = launch.verdict == "deadlock" and launch.cause == "lost-unlock"
    return "cause" if contradiction or launch.cause not in launch.causes.split(" or ") else "right"


def run_configuration(arguments, cases, pace, configuration, keep):
    """All runs of it: the launches by what they came to, and the seconds. Run files stay where something is false."""
    folder = keep / f"{configuration.threads}-{configuration.load}"
    begin, outcomes, codes = time.monotonic(), collections.defaultdict(list), []
    lot = random.Random(f"{arguments.seed} {configuration}")
    loops = 2 if configuration.load == "busy" else 0
    files = {path.stem: path for path in stage(cases, folder, arguments, pace, configuration.threads)}
    with busy_loops(loops):
        for timeout in sorted({case.timeout for case in cases}):
            run_file = folder / f"timeout-{timeout}.run"
            chosen = [files[case.path.stem] for case in cases if case.timeout == timeout]
            codes.append(run_gridlock(arguments, chosen, timeout, configuration, run_file, lot))
            if run_file.exists():
                for launch in read_launches(run_file):
                    outcomes[judge(launch)].append((run_file, launch))
    failed = [code for code in codes if code not in EXIT_RUN]
    if not (failed or outcomes["false"] or outcomes["cause"] or arguments.keep):
        shutil.rmtree(folder)
    return configuration, outcomes, failed, time.monotonic() - begin


COLUMNS = ("launches", "right", "false", "cause", "inconclusive", "undecided", "unknown", "open")


def print_row(first, counts, seconds):
    cells = [sum(counts.values()), *(counts[column] for column in COLUMNS[1:])]
    print(f"{first:16}" + "".join(f"{cell:>{len(column) + 2}}" for cell, column in zip(cells, COLUMNS)) +
          f"{seconds:8.0f}", flush=True)


def print_false(outcomes):
    """Each point of a configuration with something false, once for each verdict and cause."""
    points = collections.defaultdict(list)
    for kind in ("false", "cause"):
        for run_file, launch in outcomes[kind]:
            points[launch.name, launch.verdict, launch.cause].append((run_file, launch))
    for (name, verdict, cause), found in sorted(points.items()):
        run_file, launch = found[0]
        wanted = launch.expected + (f" ({launch.causes})" if launch.causes else "")
        print(f"  {len(found)} x {verdict} ({cause or 'none'}), wanted {wanted}\n    {run_file}:{name}", flush=True)


def print_cases(all_outcomes):
    """By scenario: launches that were false, or left undecided."""
    cases = collections.defaultdict(collections.Counter)
    for _, outcomes in all_outcomes:
        for kind, found in outcomes.items():
            for _, launch in found:
                cases[launch.scenario][kind] += 1
    for scenario, counts in sorted(cases.items()):
        seen = {kind: count for kind, count in counts.items() if kind not in ("right", "open") and count}
        if seen:
            print(f"  {scenario:28}" + ", ".join(f"{count} {kind}" for kind, count in sorted(seen.items())) +
                  f" of {sum(counts.values())}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gridlock")
    parser.add_argument("--threads", help="of PoCL (default: 1,2,3,4,5,6,7,8,24,64); 0: leave the device as it is")
    parser.add_argument("--load", help="default: idle,busy,stopped; on a model device idle")
    parser.add_argument("--filter", default="", help="only scenarios whose name matches this expression")
    parser.add_argument("--correct", action="store_true", help="only scenarios that are to pass")
    parser.add_argument("--tiers", default="", help="of bulk, quick, slow, long (default: all but long)")
    parser.add_argument("--long", action="store_true", help="also launches of 10 s and more, with 2, 8 and 64 threads")
    parser.add_argument("--iterations", type=float, default=1, help="a factor on the launches of each point")
    parser.add_argument("--device", default="pocl")
    parser.add_argument("--gpu", action="store_true", help="the cases for GPUs instead of those for CPUs")
    parser.add_argument("--jobs", type=int, default=1, help="configurations at the same time")
    parser.add_argument("--seed", default="1", help="of the moments at which the worker is stopped")
    parser.add_argument("--keep", action="store_true", help="keep all run files")
    arguments, arguments.options = parser.parse_known_args()
    arguments.model = arguments.device.startswith("model:")
    arguments.threads = arguments.threads or ("0" if arguments.model else "1,2,3,4,5,6,7,8,24,64")
    arguments.load = arguments.load or ("idle" if arguments.model else "idle,busy,stopped")
    arguments.gridlock = str(pathlib.Path(arguments.gridlock).resolve())
    arguments.threads = [int(threads) for threads in arguments.threads.split(",")]
    return arguments


def cases_for(cases, threads):
    return [case for case in cases if case.tier != "long" or threads in LONG_THREADS]


def interrupt(_number, _frame):
    raise KeyboardInterrupt


def main():
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, interrupt)
    cases = choose_cases(arguments)
    keep = pathlib.Path(tempfile.mkdtemp(prefix="gridlock-truth-"))
    pace = MODEL_PACE if arguments.model else measure_pace(arguments)
    print(f"{len(cases)} scenarios, pace {pace}, run files of what fails in {keep}")
    print(f"{'threads, load':16}" + "".join(f"{column:>{len(column) + 2}}" for column in COLUMNS) + "       s")
    configurations = [Configuration(threads, load) for threads in arguments.threads
                      for load in arguments.load.split(",") if cases_for(cases, threads)]
    total, seconds, all_outcomes, broken = collections.Counter(), 0, [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [pool.submit(run_configuration, arguments, cases_for(cases, configuration.threads), pace, configuration,
                            keep) for configuration in configurations]
        try:
            for run in concurrent.futures.as_completed(runs):
                configuration, outcomes, failed, took = run.result()
                counts = collections.Counter({kind: len(found) for kind, found in outcomes.items()})
                print_row(f"{configuration.threads}, {configuration.load}", counts, took)
                print_false(outcomes)
                total, seconds = total + counts, seconds + took
                all_outcomes.append((configuration, outcomes))
                broken += [f"{configuration}: gridlock ended with {code}" for code in failed]
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(running):
                process.terminate()
            print(f"interrupted; run files are in {keep}")
            return 130
    print_row("all", total, seconds)
    print_cases(all_outcomes)
    for line in broken:
        print(f"  {line}: see {keep}")
    with contextlib.suppress(OSError):
        keep.rmdir()
    if broken:
        return 2
    correct = sum(launch.expected == "pass" for _, outcomes in all_outcomes for found in outcomes.values()
                  for _, launch in found)
    print(f"{correct} launches of correct kernels, {total['inconclusive']} of them inconclusive")
    return int(total["false"] + total["cause"] > 0 or 100 * total["inconclusive"] > correct)


if __name__ == "__main__":
    sys.exit(main())
