#!/usr/bin/env python3
"""What `gridlock watch PROGRAM` costs the program: the same program by turns with it and without.

usage: watch.py GRIDLOCK [--driver Portable] [--runs 7] [--launches 20000] [--door driver|layer] [--marks]
                [--json FILE]

The program is watch.c, which this compiles. Figures are medians over the runs, of the processor time of the thread that
makes the calls: of a launch, of clSetKernelArg and of clGetKernelInfo; with them the memory by which the program has
grown over its launches. A ratio is watched to bare. Exit status: 0 all was measured, 77 the driver has no device.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_suffix(".c")
NAMES = {"launch_ns": "a launch", "argument_ns": "clSetKernelArg", "info_ns": "clGetKernelInfo"}


def measure(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"watch.py: {command[0]}: {done.stderr.strip() or 'the driver has no device'}", file=sys.stderr)
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("gridlock")
    parser.add_argument("--driver", default="Portable")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--launches", type=int, default=20000)
    parser.add_argument("--door")
    parser.add_argument("--marks", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    watch = [arguments.gridlock, "watch"] + (["--door", arguments.door] if arguments.door else [])
    watch += ["--marks"] if arguments.marks else []
    found = {"bare": [], "watched": []}
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "watch"
        subprocess.run(["cc", "-O2", "-o", program, SOURCE, "-lOpenCL"], check=True)
        command = [program, arguments.driver, arguments.launches]
        for _ in range(arguments.runs):
            found["bare"].append(measure(command))
            found["watched"].append(measure(watch + command))
    medians = {how: {name: statistics.median(run[name] for run in runs) for name in runs[0]}
               for how, runs in found.items()}
    print(f"{arguments.runs} runs of {arguments.launches} launches by turns; processor time of the calling thread, ns")
    print(f"{'':16} {'bare':>9} {'watched':>9} {'more':>8} {'ratio':>7}")
    for name, title in NAMES.items():
        bare, watched = medians["bare"][name], medians["watched"][name]
        print(f"{title:16} {bare:9.1f} {watched:9.1f} {watched - bare:8.1f} {watched / bare:7.3f}")
    print(f"memory grown over the launches: {medians['bare']['grown_kib']:.0f} KiB bare, "
          f"{medians['watched']['grown_kib']:.0f} KiB watched")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
