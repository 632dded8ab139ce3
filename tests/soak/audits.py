#!/usr/bin/env python3
"""Does each audit of a device come to the same outcomes, also beside busy loops?

    tests/soak/audits.py -d pocl [--audits 20]
    RUSTICL_ENABLE=llvmpipe tests/soak/audits.py -d rusticl
    tests/soak/audits.py --icd libintelocl.so

Other arguments are passed on to `gridlock audit`. Every other audit runs beside a busy loop on each processor; there a
promise may be undecided as well. An outcome is compared with that to which most audits come that decide it. GRIDLOCK
names the program (default: build/gridlock), and RUN_BY what it is run by, such as oclgrind. Exit status: 0 all are the
same, 1 some differ, and their run files are kept; 2 an audit failed, or too few were made to compare.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

GRIDLOCK = [*os.environ.get("RUN_BY", "").split(), os.environ.get("GRIDLOCK", "build/gridlock")]
WITH_RESULT = (0, 1, 5, 77)  # also where the device was given up, or nothing was offered
BUSY_LOOP = "while True: pass"


class Loops:
    """Busy loops, one for each processor, for as long as this is entered."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.loops = [subprocess.Popen([sys.executable, "-c", BUSY_LOOP]) for _ in range(self.count)]

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def audit(path, arguments, timeout):
    """{(device, promise): (outcome, what was found)}"""
    done = subprocess.run([*GRIDLOCK, "audit", "-q", "--format", "json", "-o", path, *arguments], capture_output=True,
                          text=True, timeout=timeout, check=False)
    if done.returncode not in WITH_RESULT:
        sys.stderr.write(f"gridlock audit: exit status {done.returncode}: {done.stderr}\n")
        sys.exit(2)
    return {(device["name"], promise["name"]): (promise["outcome"], f"{promise['finding']} {promise['note'] or ''}")
            for device in json.loads(done.stdout)["devices"] for promise in device["promises"]}


def differences(audits):
    """(promise, number of the audit, outcome, usual outcome, what was found), of [(busy, findings)]."""
    for key in sorted({key for _, findings in audits for key in findings}):
        outcomes = [findings.get(key, ("missing", "")) for _, findings in audits]
        decided = [outcome for outcome, _ in outcomes if outcome != "undecided"]
        usual = collections.Counter(decided or ["undecided"]).most_common(1)[0][0]
        for number, ((busy, _), (outcome, finding)) in enumerate(zip(audits, outcomes)):
            if outcome != usual and not (busy and outcome == "undecided"):
                yield key[1], number, outcome, usual, finding


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--audits", type=int, default=20)
    parser.add_argument("--timeout", type=int, default=1800, help="of an audit, in seconds")
    options, arguments = parser.parse_known_args()
    if options.audits < 2:
        parser.error("at least two audits are compared")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gridlock-audits-"))
    audits = []
    for number in range(options.audits):
        busy = number % 2 == 1
        began = time.monotonic()
        with Loops(os.cpu_count() if busy else 0):
            findings = audit(folder / f"{number}.run", arguments, options.timeout)
        audits.append((busy, findings))
        counts = collections.Counter(outcome for outcome, _ in findings.values())
        print(f"{number}{' beside busy loops' if busy else ''}: {time.monotonic() - began:.0f} s,",
              ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())), flush=True)
    found = list(differences(audits))
    for promise, number, outcome, usual, finding in found:
        print(f"{promise}: {outcome} in audit {number}, usually {usual}: {finding}")
    if found:
        print(f"the run files are in {folder}")
        return 1
    shutil.rmtree(folder)
    print(f"{options.audits} audits came to the same outcomes of {len(audits[0][1])} promises")
    return 0


if __name__ == "__main__":
    sys.exit(main())
