#!/usr/bin/env python3
"""Thousands of trials on a driver of which one call in many misbehaves: is every verdict right, and is nothing left?

Usage: tests/soak/spoiled.py BUILD [--trials N] [--seed N] [--share PERCENT]

BUILD is a build folder with tests: it has gridlock and the driver that spoils calls of PoCL (tests/faults/spoil_icd.c).
One run makes the trials, each one launch with a seed of its own: a barrier of two groups on two threads, which passes,
and now and then one of three, which starves. In about PERCENT (default 10) of the trials, and of the probings and
canaries, a call drawn at random misbehaves. The driver logs what it spoiled, and each launch with the seed on its
board: that is the truth.

- A launch that did not run, or not whole, is wrong; one in which the worker died is a crash, and one in which it never
  returned a hang, unless the host had seen before that it starved, as it should.
- A trial before and in which nothing was spoiled has its verdict. So has one whose spoiled calls only cost time.
- Any other verdict than these is named by a spoiled call of the trial or of what came between it and the one before.
- A device is given up (exit status 5) only after two canaries in a row of which a call was spoiled, and cannot be used
  (2 or 4) only if a call was spoiled since then; the run is resumed until it has ended.
- No trial is lost: each point has a trial that ended. Memory and descriptors of no supervisor grow, and in the end no
  process is left.

Prints a table of faults and verdicts. Exit status: 0 all was right, 1 it was not, 2 usage, 77 PoCL is not registered.
"""
import argparse
import collections
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRST_SEED = 1000
STARVED_SHARE = 50  # one trial of so many
PASS_GROUPS, STARVED_GROUPS = 2, 3  # on two threads
AXIS_VALUES = 40    # of one axis of a scenario
MIB = 1 << 20
MARK = "GRIDLOCK_SOAK_MARK"
TIMEOUT_S = 6       # a stall is told after 1.6 s where launches were seen to pause for long, as on a busy machine
EXIT_WEDGED = 5
GIVEN_UP = (2, 4, EXIT_WEDGED)
MOST_SUPERVISORS = 1000


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--trials", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=10)
    return parser.parse_args()


def scenario(folder, groups, verdict, seeds):
    path = folder / f"{verdict}{seeds[0]}.ini"
    lines = [", ".join(map(str, seeds[i:i + 20])) for i in range(0, len(seeds), 20)]
    path.write_text(f"[scenario]\nkernel = barrier_central\npurpose = a soak\nteaches = Nothing.\n\n"
                    f"[sweep]\ngroups = {groups}\nlocal-size = 1\niterations = 1\n"
                    f"seed = " + ",\n    ".join(lines) + f"\n\n[expect]\nverdict = {verdict}\n")
    return str(path)


def scenarios(folder, trials):
    """In parts, because an axis has few values."""
    seeds = range(FIRST_SEED, FIRST_SEED + trials)
    paths = []
    for groups in (PASS_GROUPS, STARVED_GROUPS):
        verdict = wanted(groups)
        chosen = [seed for seed in seeds if is_starved(seed) == (groups == STARVED_GROUPS)]
        paths += [scenario(folder, groups, verdict, chosen[i:i + AXIS_VALUES])
                  for i in range(0, len(chosen), AXIS_VALUES)]
    return paths


class Watched:
    """The largest and the last memory and descriptors of a process, and its workers."""

    def __init__(self, process):
        self.process = process
        self.samples = []

    def look(self):
        try:
            pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
            self.samples.append((pages * os.sysconf("SC_PAGESIZE"), len(os.listdir(f"/proc/{self.process.pid}/fd"))))
        except (OSError, IndexError):
            pass  # it has just ended

    def wait(self):
        while self.process.poll() is None:
            self.look()
            time.sleep(0.2)
        return self.process.returncode


def marked(mark):
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


Ended = collections.namedtuple("Ended", "code samples spoiled said")  # a supervisor, and what was spoiled meanwhile


def run(options, spoiling, folder, trials, **plan):
    """The run file, each supervisor that it took, and the processes that they left."""
    mark = uuid.uuid4().hex
    path = folder / f"{mark}.gridlock"
    spoiled = {name: str(value) for name, value in spoiling.environment(**plan).items()}
    environment = {**os.environ, MARK: mark, "GRIDLOCK_LOCK_DIR": str(folder), **spoiled}
    command = [str(options.build / "gridlock"), "run", *scenarios(folder, trials), "-q", "-o", str(path), "--timeout",
               str(TIMEOUT_S), "--build-timeout", "20", "--format", "json"]
    supervisors, before = [], 0
    while not supervisors or supervisors[-1].code in GIVEN_UP and len(supervisors) < MOST_SUPERVISORS:
        with open(folder / "report", "wb") as report, open(folder / "said", "w+b") as said:
            watched = Watched(subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=report,
                                               stderr=said))
            code = watched.wait()
            said.seek(0)
            lines = spoiling.spoiled()
            supervisors.append(Ended(code, watched.samples, lines[before:], said.read().decode(errors="replace")))
        before = len(lines)
        if path.exists():
            command = [str(options.build / "gridlock"), "resume", str(path)]
    return path, supervisors, marked(mark)


def is_reason(ended, module, seeds):
    """Whether what was spoiled explains that the run was given up: each of two canaries has a worker of its own."""
    harmful = [line for line in ended.spoiled if line.fault not in module.HARMLESS]
    if ended.code != EXIT_WEDGED:
        return harmful != []
    canaries = list(dict.fromkeys(line.pid for line in reversed(harmful)))[:2]
    return len(canaries) == 2 and not any(line.pid in canaries and line.seed in seeds for line in harmful)


def read(path):
    """{seed: (groups, verdict of its last trial)} in the order of the trials, and seeds of trials that did not end."""
    database = sqlite3.connect(path)
    query = ("SELECT trial.seed, trial.groups, verdict, duration_ns IS NULL FROM trial"
             " LEFT JOIN verdict ON verdict.trial = trial.id WHERE estimator = 'work' ORDER BY trial.id")
    verdicts, lost = {}, []
    for seed, groups, verdict, is_lost in database.execute(query):
        verdicts.pop(seed, None)
        verdicts[seed] = groups, verdict
        lost += [seed] if is_lost else []
    return verdicts, lost


def is_starved(seed):
    return seed % STARVED_SHARE == 0


def wanted(groups):
    """A trial that is run again to be sure has a seed of its own, which does not tell."""
    return "starved" if groups == STARVED_GROUPS else "pass"


class Truth:
    """What the log says of the trial with each seed; `order`: the seeds as their trials came."""

    def __init__(self, lines, order, spoiling):
        self.module = spoiling
        self.launch = collections.defaultdict(list)  # spoiled in its launch
        self.near = collections.defaultdict(list)    # or in its worker after that, or since the launch before
        launches = {line.seed: at for at, line in enumerate(lines) if line.fault == spoiling.LAUNCH}
        before, waiting = 0, []
        for seed in (*order, None):
            waiting.append(seed)  # until a launch comes: a worker may end before that of its trial
            if seed in launches or seed is None:
                after = launches.get(seed, len(lines))
                self.take(lines[before:after], waiting)
                before, waiting = after, []

    def take(self, lines, following):
        """Lines from one launch to the next: what ended the worker in the first launch concerns no trial after it."""
        first, *spoiled = lines if lines and lines[0].fault == self.module.LAUNCH else [None, *lines]
        spoiled = [line for line in spoiled if line.fault != self.module.LAUNCH]
        if first is not None:
            after = [line for line in spoiled if line.pid == first.pid]
            inside = [line for line in after if line.seed == first.seed and line.call in self.module.OF_LAUNCH]
            self.launch[first.seed] += inside
            self.near[first.seed] += after
            spoiled = [line for line in spoiled if line not in inside or line.fault not in self.module.DEADLY]
        for seed in following:
            self.near[seed] += spoiled

    def errors(self, seed, groups, verdict):
        """Why the verdict is not right, or None."""
        faults = [line.fault for line in self.launch[seed]]
        enqueued = [line.fault for line in self.launch[seed] if line.call == "clEnqueueNDRangeKernel"]
        deadly = [fault for fault in faults if fault in self.module.DEADLY]
        if verdict is None:
            return "it has no verdict"
        ends = {self.module.DEADLY[fault] for fault in deadly[:1]}
        seen = {"starved"} & {wanted(groups)} if "hang" in ends else set()  # by the host, before its worker hung
        if deadly and verdict not in ends | seen | ({"wrong"} if enqueued else set()):
            return f"{deadly[0]} in it is {verdict}"
        if any(fault in self.module.MISSING for fault in enqueued) and verdict in ("pass", "starved"):
            return f"{enqueued} is {verdict}"
        harmful = [line for line in self.near[seed] if line.fault not in self.module.HARMLESS]
        if verdict != wanted(groups) and not harmful:
            return f"{verdict} without a reason"
        return None


def judge(spoiling, path, expected):
    """The mistakes, and a table {(fault, verdict): trials}."""
    verdicts, lost = read(path)
    order = list(verdicts)
    mistakes = [f"seed {seed}: its trial did not end" for seed in lost]
    mistakes += [f"seed {seed} has no trial" for seed in expected if seed not in verdicts]
    truth = Truth(spoiling.lines(), order, spoiling_module())
    table = collections.Counter()
    for seed, (groups, verdict) in verdicts.items():
        error = truth.errors(seed, groups, verdict)
        if error is not None:
            mistakes.append(f"seed {seed}: {error}; near it: {truth.near[seed]}")
        for fault in {line.fault for line in truth.launch[seed]} or {"none in it"}:
            table[fault, verdict] += 1
    return mistakes, table


def spoiling_module():
    sys.path.insert(0, str(ROOT / "tests" / "faults"))
    import spoiling  # pylint: disable=import-outside-toplevel
    return spoiling


def growth_of(samples, index):
    """What the last quarter has more than the second one; 0 if there are too few of them."""
    quarter = len(samples) // 4
    values = [sample[index] for sample in samples]
    return max(values[3 * quarter:]) - max(values[quarter:2 * quarter]) if quarter >= 4 else 0


def drawn(module):
    """What a call is spoiled with: what never returns half as often, for it takes a whole deadline."""
    faults = [fault for fault in module.FAULTS if fault != "slow"]  # it takes longer than a launch may
    return faults + [fault for fault in faults if fault not in module.ENDLESS]


def main():
    options = parse()
    if not pathlib.Path("/etc/OpenCL/vendors/pocl.icd").exists():
        sys.exit(77)
    os.environ["SPOIL_ICD_LIBRARY"] = str((options.build / "tests" / "libspoil_icd.so").resolve())
    module = spoiling_module()
    with tempfile.TemporaryDirectory(prefix="gridlock-soak-") as name:
        folder = pathlib.Path(name)
        spoiling = module.Spoiling(folder, "libpocl.so.2")
        _, (first, *_), _ = run(options, spoiling, folder, 100)
        if first.code != 0 or spoiling.spoiled():
            sys.exit(f"a run in which nothing is spoiled ended with {first.code}")
        share = round(1e6 * options.share / 100 * 100 / sum(spoiling.counts().values()))
        began = time.monotonic()
        path, supervisors, left = run(options, spoiling, folder, options.trials,
                                      SPOIL_RANDOM=f"{options.seed}:{share}:{','.join(drawn(module))}")
        seconds = time.monotonic() - began
        seeds = range(FIRST_SEED, FIRST_SEED + options.trials)
        mistakes, table = judge(spoiling, path, seeds)
        kinds = collections.Counter(line.fault for line in spoiling.spoiled())
    if supervisors[-1].code not in (0, 1):
        mistakes.append(f"gridlock ended with {supervisors[-1].code}")
    mistakes += [f"gridlock ended with {ended.code} without a reason: {ended.said}; spoiled: {ended.spoiled[-4:]}"
                 for ended in supervisors if ended.code in GIVEN_UP and not is_reason(ended, module, seeds)]
    mistakes += [f"process {pid} is left" for pid in left]
    for index, what, allowed in ((0, "bytes of memory", 8 * MIB), (1, "descriptors", 2)):
        growth = max(growth_of(ended.samples, index) for ended in supervisors)
        most = max(sample[index] for ended in supervisors for sample in ended.samples)
        print(f"{what}: {growth:+} from the second to the last quarter of a supervisor, {most} at most")
        if growth > allowed:
            mistakes.append(f"{growth} more {what}")
    ends = collections.Counter(ended.code for ended in supervisors)
    print(f"exit statuses: {', '.join(f'{code} ({count} times)' for code, count in sorted(ends.items()))}")
    for (fault, verdict), trials in sorted(table.items()):
        print(f"{fault:12} {verdict:14} {trials:6}")
    print(f"calls spoiled: {', '.join(f'{fault} {count}' for fault, count in sorted(kinds.items()))}")
    print(f"{options.trials} trials in {seconds:.0f} s, {kinds.total()} calls spoiled, {len(mistakes)} mistakes")
    print("\n".join(mistakes[:40]))
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
