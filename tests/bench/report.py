#!/usr/bin/env python3
"""How long `gridlock report` takes for a run file with many trials, and how much memory, for each format.

Usage: report.py [GRIDLOCK [TRIALS [LINES]]]   (build/gridlock, 1000000, 100)

Each trial is a point with one launch. A hundred scenarios have LINES lines each, of points that
differ in the number of groups alone; half of the points stall as
expected, and one in a thousand is a surprise.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "system"))
import run_builder  # noqa: E402

FORMATS = ("text", "text -v", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus")


def write_trials(path, count, lines):
    builder = run_builder.Builder(path)
    device = builder.device()
    for i in range(count):
        scenario, groups = f"scenario_{i * 100 // count:03d}", i % 100 + 1
        line = i // 100 % lines if lines <= 100 else i % lines
        stalls = groups > 50
        verdict = "starved" if stalls != (i % 1000 == 7) else "pass"
        seen = {"duration_ns": 100000 + i, "device_ns": 90000 + i % 977, "checked": groups * (i % 13)}
        if verdict == "starved":
            seen.update(started=50 + i % 3, waiting=50, done=i % 3, witnesses=0, starved_from=i % 50,
                        never_started=51, circle_at=None)
        builder.trial(device, (verdict,), seen, scenario=scenario, groups=groups, resident=50, position=i,
                      duration_ns=200000 + i, kernel_max_local_size=1024, kernel_preferred_multiple=32,
                      point=f"order={line},fence=release", expected="starved" if stalls else "pass",
                      name=f"{scenario}/cl30/l64/order={line},fence=release/g{groups}#0")
    builder.close()


def measure(program, path, shown):
    name, *options = shown.split()
    begun = time.monotonic()
    with subprocess.Popen([program, "report", path, "--format", name, *options], stdout=subprocess.PIPE) as process:
        size = 0
        while chunk := process.stdout.read(1 << 20):
            size += len(chunk)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    print(f"{shown:<12} {time.monotonic() - begun:6.2f} s {usage.ru_utime + usage.ru_stime:6.2f} s of CPU"
          f" {usage.ru_maxrss / 1024:7.1f} MB {size / 1e6:8.1f} MB written, exit status {process.returncode}")


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build" / "gridlock")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    lines = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    with tempfile.TemporaryDirectory(prefix="gridlock-bench-") as folder:
        path = os.path.join(folder, "run.gridlock")
        write_trials(path, count, lines)
        print(f"{count} trials, run file of {os.path.getsize(path) / 1e6:.0f} MB")
        for shown in FORMATS:
            measure(program, path, shown)


if __name__ == "__main__":
    main()
