#!/usr/bin/env python3
"""Writes idioms.md: which idioms are safe up to which number of groups, device by device, from the run files here.

usage: idioms.py GRIDLOCK > idioms.md
"""
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
RUNS = [
    ("PoCL, 2 threads", "pocl/scenarios-2-threads.run.xz"),
    ("PoCL basic", "pocl/scenarios-basic.run.xz"),
    ("Intel CPU", "intel-cpu/scenarios.run.xz"),
    ("Oclgrind, 4 threads", "oclgrind/scenarios.run.xz"),
    ("rusticl, llvmpipe", "rusticl-llvmpipe/scenarios.run.xz"),
    ("NVIDIA H200", "nvidia-h200/scenarios.run.xz"),
    ("NVIDIA H100", "nvidia-h100/scenarios.run.xz"),
]
HEAD = """# Idioms, device by device

Written by `idioms.py` from the run files in this folder. A cell says up to which number of work-groups all that was tried
passed, and where that ended; "all to" where everything that was tried passed, which is no promise for more groups. `-`: nothing
passed, not even one group; empty: the device lacks what the kernel needs, or no point was run. **Bold**: a surprise. Numbers
differ with the footprint of a kernel: 2376 and 4224 are both "as many as fit".

"""


def scenarios(gridlock, path):
    with tempfile.NamedTemporaryFile() as run:
        run.write(lzma.decompress((HERE / path).read_bytes()))
        run.flush()
        done = subprocess.run([gridlock, "report", run.name, "--format", "json"], stdout=subprocess.PIPE, check=False)
    return {scenario["name"]: scenario for scenario in json.loads(done.stdout)["devices"][0]["scenarios"]}


def cell(scenario):
    """What the device did; "" if it ran none of it."""
    if scenario is None or all(point["verdict"] == "unsupported" for point in scenario["points"]):
        return ""
    safe, unsafe = scenario["safe_groups"], scenario["unsafe_groups"]
    text = "-" if not safe else f"all to {safe}" if scenario["all_safe"] else str(safe)
    if unsafe is not None:
        text += f" ({unsafe} {scenario['unsafe_verdict']})"
    return f"**{text}**" if scenario["surprises"] else text


def is_idiom(scenario):
    return not scenario["name"].startswith(("mutant_", "cause_", "work_group_size")) and scenario["points"]


def main():
    columns = {title: scenarios(sys.argv[1], path) for title, path in RUNS if (HERE / path).exists()}
    names = sorted({name for column in columns.values() for name in column if is_idiom(column[name])})
    print(HEAD + "| idiom | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name in names:
        print(f"| {name} | " + " | ".join(cell(column.get(name)) for column in columns.values()) + " |")


if __name__ == "__main__":
    main()
