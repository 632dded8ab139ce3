#!/usr/bin/env python3
"""Explores small launches of kernels, by another way than `gridlock prove` and without leaving out any order of steps.

    explore.py                     compares what it finds with expected.tsv
    explore.py FOLDER GRIDLOCK     compares it with `gridlock litmus judge`, for the litmus programs of programs.py

It interprets what clang 14 makes of a kernel. What it says of races is a matter of luck where it finds none, and it
does not see that work-items meet at one barrier in different turns of a loop.
"""
import csv
import pathlib
import subprocess
import sys

import ir
import machine
import progress
import races

PROVE = pathlib.Path(__file__).resolve().parent.parent


def fault(launch):
    if launch.out_of_bounds:
        return "out-of-bounds"
    return "divergent-barrier" if launch.divergent else "endless" if launch.endless else "-"


def truth(row):
    options = [] if row["options"] == "-" else row["options"].split()
    kernel = ir.read_kernel(PROVE / row["file"], options, row["kernel"])
    arguments = [argument.split("=", 1)[1] for argument in row["args"].split()]
    launch = machine.Machine(kernel, int(row["groups"]), int(row["local-size"]), arguments)
    graph = machine.Graph(launch)
    needs, places, fairness = progress.needs(graph)
    outcomes = len(graph.outcomes())
    return {"needs": needs, "places": places, "fairness": fairness, "race": "yes" if races.has_race(launch) else "no",
            "outcomes": "-" if outcomes == 0 else "one" if outcomes == 1 else "many", "fault": fault(launch)}


def compare_table():
    with open(PROVE / "expected.tsv", encoding="ascii", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if not row["groups"].isdigit():  # its machine has one dimension
                continue
            try:
                found = truth(row)
            except OverflowError as error:
                print(row["file"], row["kernel"], row["groups"], row["local-size"], error, sep="\t", flush=True)
                continue
            for name, value in found.items():
                if row[name] not in ("?", "other-turn", value):
                    print(row["file"], row["kernel"], row["options"], row["groups"], row["local-size"],
                          f"{name}: {row[name]}, found {value}", sep="\t", flush=True)
                    yield row


def compare_programs(folder, gridlock):
    rows = [line.split("\t") for line in (folder / "index.tsv").read_text(encoding="ascii").splitlines()]
    rows = [row for row in rows if row[3] != "-"]
    judged = subprocess.run([gridlock, "litmus", "judge"], check=True, capture_output=True, text=True,
                            input="\n".join(row[3] for row in rows) + "\n").stdout.splitlines()
    for (file, name, threads, _), expected in zip(rows, judged, strict=True):
        kernel = ir.read_kernel(folder / file, [], name)
        graph = machine.Graph(machine.Machine(kernel, int(threads), 1, ["buffer:20=zero"]))
        judges = {model: progress.Judge(graph, int(threads), model) for model in progress.MODELS}
        verdicts = [model + "=" + "".join("FP"[judge.ends(model, fairness)] for fairness in ("weak", "strong"))
                    for model, judge in judges.items()]
        if verdicts != expected.split("\t")[1:]:
            print(name, expected, *verdicts, sep="\t")
            yield name


def main():
    different = compare_programs(pathlib.Path(sys.argv[1]), sys.argv[2]) if len(sys.argv) > 2 else compare_table()
    sys.exit(any([True for _ in different]))


if __name__ == "__main__":
    main()
