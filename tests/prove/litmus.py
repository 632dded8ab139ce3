#!/usr/bin/env python3
"""Holds `gridlock prove` against `gridlock litmus judge`, for litmus programs as kernels.

    litmus.py FOLDER GRIDLOCK [FILE...]    of the files that programs.py has written to FOLDER: all, or these
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

KERNELS = 250  # of one command


def prove(gridlock, file, threads, names):
    """What is proved of each kernel, in the words of `gridlock litmus judge`, and the number of its states."""
    with tempfile.TemporaryDirectory() as folder:
        command = (gridlock, "prove", file, "--groups", threads, "--kernel", ",".join(names), "--arg", "0=buffer:20",
                   "--build-options=-cl-std=CL3.0", "--format", "json", "--quiet", "--exit-zero",
                   "-o", f"{folder}/run")
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for launch in result["devices"][0]["launches"]:
        verdicts = {}
        for promise in launch["models"]:
            if promise["model"] != "unfair":
                ends = int(threads) in promise["ends_with_places"]
                verdicts[promise["model"]] = verdicts.get(promise["model"], "") + "FP"[ends]
        yield launch["kernel"], [f"{model}={ends}" for model, ends in verdicts.items()], launch["known_states"]


def judge(gridlock, programs):
    result = subprocess.run((gridlock, "litmus", "judge"), input="\n".join(programs) + "\n", check=True,
                            capture_output=True, text=True)
    return [line.split("\t")[1:] for line in result.stdout.splitlines()]


def main():
    folder, gridlock, only = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    rows = [line.split("\t") for line in (folder / "index.tsv").read_text(encoding="ascii").splitlines()]
    rows = [row for row in rows if row[3] != "-" and (not only or row[0] in only)]
    verdicts = different = states = 0
    for (file, threads), group in itertools.groupby(sorted(rows, key=lambda row: (row[0], row[2])),
                                                    lambda row: (row[0], row[2])):
        group = list(group)
        expected = dict(zip([row[1] for row in group], judge(gridlock, [row[3] for row in group]), strict=True))
        for first in range(0, len(group), KERNELS):
            names = [row[1] for row in group[first:first + KERNELS]]
            for name, found, count in prove(gridlock, folder / file, threads, names):
                verdicts += 2 * len(found)
                states += count
                wanted = expected.pop(name)
                if found != wanted:
                    different += 1
                    print(file, name, *wanted, "found", *found, sep="\t")
        assert not expected, f"{file}: nothing was proved of {sorted(expected)}"
        print(f"{file}, {threads} groups: {verdicts} verdicts, {states} states, {different} programs differ",
              flush=True)
    sys.exit(different != 0)


if __name__ == "__main__":
    main()
