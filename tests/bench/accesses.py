#!/usr/bin/env python3
"""Accesses of memory a second, and memory a work-item, of a model device beside other devices that need no GPU.

usage: accesses.py BENCH_ACCESSES [--runs 5]

BENCH_ACCESSES is what `cmake --build build --target bench_accesses` makes: it runs the same kernels on each device. The
peers, of which those that are installed take part, are rusticl on llvmpipe, which compiles a group for a processor's
vectors, and Oclgrind, which interprets: neither has another group go on before each access. Devices take turns; a
figure is the median over the runs, each of a process of its own, of the shortest of three launches. Seconds are those
that processors were busy, so other work on the machine hardly matters; a model device uses one thread.

The kernels: `adds` loads and stores a word of its work-item's own, `atomics` adds to it, and `meets` stores and loads
local memory, with a barrier behind each. Memory is of the first launch: what was reserved, and what of it was resident
at most. At the end, how long it takes to prove that a barrier of 4225 groups stands still on 4224 places.
Exit status: 0 measured; 1 the model device failed.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

MODEL = "model:obe:4224"
DEVICES = {  # the device, and the driver that the loader is to see
    MODEL: (MODEL, None),
    "turns=lot": (MODEL + ",turns=lot", None),
    "rusticl": ("loader", "libRusticlOpenCL.so.1"),
    "Oclgrind": ("loader", "/usr/lib/oclgrind/liboclgrind-rt-icd.so"),
}
KERNELS = ("adds", "atomics", "meets")
SHAPES = ((16, 64, 2000), (4224, 64, 20))  # groups, work-items of each, accesses of each


def measure(program, device, kernel, shape):
    """Seconds, bytes reserved, bytes resident, how it ended; None: it failed."""
    name, library = DEVICES[device]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "only.icd").write_text(f"{library}\n", encoding="ascii")
        variables = dict(os.environ, OCL_ICD_VENDORS=folder, RUSTICL_ENABLE="llvmpipe")
        done = subprocess.run([program, name, kernel, *map(str, shape), "3"], env=variables,
                              capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"  {device}, {kernel}: {(done.stderr.strip() or str(done.returncode)).splitlines()[-1]}")
        return None
    nanoseconds, reserved, resident, end = done.stdout.split()
    return int(nanoseconds) / 1e9, int(reserved), int(resident), end


def medians(program, kernel, shape, runs):
    """Of each device, which take turns: seconds, bytes reserved, bytes resident; without those that failed."""
    seen = {device: [] for device in DEVICES}
    for _ in range(runs):
        for device, results in seen.items():
            if None not in results:
                results.append(measure(program, device, kernel, shape))
    return {device: [statistics.median(column) for column in list(zip(*results))[:3]]
            for device, results in seen.items() if None not in results}


def print_row(kernel, shape, found):
    """Rates, and how often as fast the model device is."""
    groups, size, accesses = shape
    cells = ""
    for device in DEVICES:
        seconds = found[device][0] if device in found else None
        cells += f"{groups * size * accesses / seconds / 1e6:14.2f}" if seconds else f"{'-':>14}"
        if device != MODEL:
            cells += f"{seconds / found[MODEL][0]:7.2f}" if seconds else f"{'-':>7}"
    print(f"{kernel:8}{groups * size:8}{cells}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    print(f"millions of accesses a second, and how often as fast {MODEL} is, with its usual turns")
    print(f"{'kernel':8}{'items':>8}" + "".join(f"{device:>14}" + (f"{'ratio':>7}" if device != MODEL else "")
                                               for device in DEVICES))
    for shape in SHAPES:
        for kernel in KERNELS:
            found = medians(arguments.program, kernel, shape, arguments.runs)
            if MODEL not in found:
                return 1
            print_row(kernel, shape, found)
    groups, size, _ = SHAPES[-1]
    print(f"a work-item of {MODEL}, of {groups * size}: {found[MODEL][1] / groups / size:.0f} bytes, "
          f"{found[MODEL][2] / groups / size:.0f} of them resident")
    proofs = [measure(arguments.program, MODEL, "waits", (4225, 64, 0)) for _ in range(arguments.runs)]
    if None in proofs or any(proof[3] != "stood" for proof in proofs):
        return 1
    print(f"4225 groups of 64 work-items at a barrier, on 4224 places: proved to stand still after "
          f"{statistics.median(proof[0] for proof in proofs):.3f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
