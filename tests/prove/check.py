#!/usr/bin/env python3
"""Checks that each line of expected.tsv is well formed, and that all kernels compile.

    check.py [FOLDER]     also those that programs.py has written to FOLDER
"""
import csv
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
CLANG = (os.environ.get("CLANG", "clang"), *"-x cl -cl-std=CL3.0 -Xclang -finclude-default-header".split(),
         *"-Xclang -cl-ext=+__opencl_c_atomic_order_seq_cst -D__opencl_c_atomic_scope_device=1".split(),
         *"-target x86_64-linux-gnu -O2 -fsyntax-only".split())
CELLS = {
    "options": r"-|(-D\w+ ?)+",
    "groups": r"[1-9]\d*(x[1-9]\d*)*",
    "local-size": r"[1-9]\d*",
    "args": r"-|(\d+=(buffer:\d+=(zero|seq)|local:\d+|\d+) ?)+",
    "needs": r"any|HSA|OBE|HSA\|OBE|HSA_OBE|LOBE|FAIR|none|\?",
    "places": r"[1-9]\d*|-|\?",
    "fairness": r"weak|strong|-|\?",
    "race": r"yes|no|\?",
    "outcomes": r"one|many|-|\?",
    "fault": r"-|divergent-barrier|other-turn|out-of-bounds|endless|\?",
    "why": r".+",
}


def faults_of(row):
    """What is wrong with the form of a line."""
    faults = [f"{name}: {row[name]}" for name, form in CELLS.items() if not re.fullmatch(form, row[name])]
    text = (HERE / row["file"]).read_text(encoding="ascii")
    if not re.search(rf"(\b|__)kernel void {row['kernel']}\(", text):
        faults.append(f"no kernel {row['kernel']}")
    if row["places"].isdigit() and int(row["places"]) > math.prod(map(int, row["groups"].split("x"))):
        faults.append("more places than groups")
    if (row["needs"] == "none") != (row["places"] == "-"):
        faults.append("places of a kernel that does not end")
    return [f"{row['file']} {row['kernel']}: {fault}" for fault in faults]


def compile_faults(path, options):
    return subprocess.run([*CLANG, *options, path], check=False, capture_output=True, text=True).stderr


def main():
    with open(HERE / "expected.tsv", encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    faults = [fault for row in rows for fault in faults_of(row)]
    builds = {(HERE / row["file"], tuple(row["options"].split()) if row["options"] != "-" else ()) for row in rows}
    builds |= {(path, ()) for folder in sys.argv[1:] for path in pathlib.Path(folder).glob("*.cl")}
    faults += [f"not in expected.tsv: {path}" for path in HERE.glob("*/*.cl")
               if path not in {build[0] for build in builds}]
    faults += filter(None, (compile_faults(path, options) for path, options in sorted(builds)))
    print("\n".join(faults) or f"{len(rows)} lines, {len(builds)} builds")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
