#!/usr/bin/env python3
"""Sets gridlock's measured limits of an NVIDIA GPU beside CUDA's occupancy calculator.

    occupancy.py LIMITS.json BINARIES PEER

LIMITS.json: from gridlock limits --format json --save-binaries BINARIES; PEER: peers/occupancy.c, built.
Prints a table: footprint, groups measured (passes_at), groups by CUDA, their ratio, registers and
static local memory of the kernel. Exit status 0: printed; it judges nothing.
"""
import json
import subprocess
import sys


def ask(peer, binaries, rows):
    requests = "".join(
        f"{binaries}/limits-l{row['local_size']}-m{row['local_memory_bytes']}-p{row['private_bytes']}.bin limits "
        f"{row['local_size']} {row['local_memory_bytes']}\n" for row in rows)
    answer = subprocess.run([peer], input=requests, capture_output=True, text=True, check=False)
    sys.stderr.write(answer.stderr)
    if answer.returncode != 0:
        sys.exit(f"{peer} failed")
    return [[int(word) for word in line.split()] for line in answer.stdout.splitlines()]


def main():
    limits_file, binaries, peer = sys.argv[1:]
    with open(limits_file, encoding="utf-8") as file:
        device = json.load(file)["devices"][0]
    print(device["name"], "driver", device["driver_version"])
    print("  size  local mem  private  measured      CUDA   ratio  registers  static bytes")
    rows = [row for row in device["limits"] if row["measured"]]
    equal = 0
    for row, (blocks, units, registers, static) in zip(rows, ask(peer, binaries, rows)):
        measured, cuda = row["barrier"]["passes_at"], blocks * units
        equal += measured == cuda
        ratio = f"{measured / cuda:.4f}" if measured and cuda else "-"
        print(f"{row['local_size']:6} {row['local_memory_bytes']:10} {row['private_bytes']:8} {measured or '-':>9} "
              f"{cuda:9} {ratio:>7} {registers:10} {static:13}")
    print(f"equal: {equal} of {len(rows)} footprints")


if __name__ == "__main__":
    main()
