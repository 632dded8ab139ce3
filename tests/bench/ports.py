#!/usr/bin/env python3
"""Time of the programs of examples/ports, as they were and with groups that wait for each other.

usage: ports.py [--runs 5]

Both are built here, and run in turns, on the first device that the OpenCL loader lists. A figure is the median over the
runs of the shortest time in each. Below 1 the new one is faster. On a busy machine groups that wait take the
processors from those that they wait for. Exit status: 0 measured; 1 results differ.
"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PORTS = ROOT / "examples" / "ports"
LINES = ("heat", "scan", "scan 256", "scan 1024", "walk")


def build(folder, name, ported):
    folder.mkdir()
    for path in (PORTS / "host.h", PORTS / f"{name}.c", PORTS / f"{name}.cl", *(ROOT / "src" / "emit").iterdir()):
        shutil.copy(path, folder)
    if ported:
        subprocess.run(["patch", "-s", "-p1", "-i", PORTS / f"{name}.patch"], cwd=folder, check=True)
    subprocess.run(["cc", "-std=c11", "-O2", f"{name}.c", "-o", name, "-lOpenCL"], cwd=folder, check=True)
    return folder / name


def run(program, arguments):
    result, time, _ = subprocess.run([program, *arguments], cwd=program.parent, check=True, capture_output=True,
                                     text=True).stdout.split()
    return result, float(time)


def compare(folder, line, runs):
    name, *arguments = line.split()
    programs = [build(folder / (line + ported), name, ported) for ported in ("", " ported")]
    found = [[run(program, arguments) for program in programs] for _ in range(runs)]
    before, after = (statistics.median(pair[which][1] for pair in found) for which in (0, 1))
    same = len({result for pair in found for result, _ in pair}) == 1
    print(f"{line:10} {before:10.3f} {after:10.3f} {after / before:8.2f}{'' if same else '  THE RESULTS DIFFER'}")
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print("               before      after    ratio\n                   ms         ms")
    with tempfile.TemporaryDirectory() as folder:
        same = [compare(pathlib.Path(folder), line, options.runs) for line in LINES]
    sys.exit(0 if all(same) else 1)


if __name__ == "__main__":
    main()
