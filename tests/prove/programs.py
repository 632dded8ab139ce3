#!/usr/bin/env python3
"""Writes programs as OpenCL C kernels, one work-group a thread and many kernels a file, and an index of them.

    programs.py FOLDER [GRIDLOCK]

Of the published litmus programs (`gridlock litmus choose`), each instruction is an atomic exchange or load and a branch
by what it read. Besides them come 200 programs of three threads, drawn by lot, whose threads use locks, barriers and
tickets, some of them wrongly. Their argument is five words, zeroed: the first two are x and y, or the lock and the
counter of arrivals; then come the next ticket, the one that is served, and data. FOLDER/index.tsv has a line for each:
file, kernel, threads, and what `gridlock litmus judge` reads, or "-". Equal runs write equal files.
"""
import pathlib
import random
import subprocess
import sys

A_FILE = 500
RANDOM = 200

HEAD = """#define LOAD(at) atomic_load_explicit(words + at, memory_order_seq_cst, memory_scope_device)
#define STORE(at, value) atomic_store_explicit(words + at, value, memory_order_seq_cst, memory_scope_device)
#define EXCHANGE(at, value) atomic_exchange_explicit(words + at, value, memory_order_seq_cst, memory_scope_device)
#define ADD(at) atomic_fetch_add_explicit(words + at, 1, memory_order_seq_cst, memory_scope_device)
"""


def kernel(name, threads):
    """Of the lines of each thread."""
    lines = [f"kernel void {name}(global atomic_uint *words)", "{", "    switch (get_group_id(0)) {"]
    for thread, body in enumerate(threads):
        lines += [f"    case {thread}: {{", *("        " + line for line in body), "        return;", "    }"]
    return "\n".join([*lines, "    }", "}", ""])


def litmus_thread(thread, text):
    """Lines for `location,check,exchange,jump;...`: it goes to `jump` if it read `check`."""
    code = [instruction.split(",") for instruction in text.split(";")]
    jumps = {int(jump) for at, (_, _, _, jump) in enumerate(code) if int(jump) not in (at + 1, len(code))}
    lines = []
    for at, (location, check, exchange, jump) in enumerate(code):
        if at in jumps:
            lines.append(f"at_{thread}_{at}:")
        access = f"LOAD({location})" if exchange == "-" else f"EXCHANGE({location}, {exchange})"
        if int(jump) == at + 1:
            lines.append(f"{access};")
        elif int(jump) == len(code):
            lines += [f"if ({access} == {check})", "    return;"]
        else:
            lines += [f"if ({access} == {check})", f"    goto at_{thread}_{jump};"]
    return lines


def litmus_programs(gridlock):
    listing = subprocess.run([gridlock, "litmus", "choose"], check=True, capture_output=True, text=True).stdout
    return [line.split("\t")[0] for line in listing.splitlines()]


class Lot:
    """Draws by lot; the numbers are the same in all versions of Python."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, end):
        return int(self.random() * end)

    def one_in(self, times):
        return self.below(times) == 0


def lock_section(lot, inside):
    look = ["while (LOAD(0) != 0)", "    ;"] if lot.one_in(2) else []
    lines = ["do {", *("    " + line for line in look), "} while (EXCHANGE(0, 1) != 0);"] if look else \
            ["while (EXCHANGE(0, 1) != 0)", "    ;"]
    return lines + inside + ([] if lot.one_in(8) else ["STORE(0, 0);"])


def barrier_section(goal):
    return ["ADD(1);", f"while (LOAD(1) < {goal})", "    ;"]


def ticket_section(lot, inside):
    lines = ["const uint ticket = ADD(2);", "while (LOAD(3) != ticket)", "    ;", *inside]
    if not lot.one_in(8):
        lines.append("ADD(3);")
    return ["{", *("    " + line for line in lines), "}"]


def random_threads(lot):
    """The lines of three threads, each with one or two sections; a barrier may be inside another section."""
    shapes = [["lock", "barrier", "ticket"][lot.below(3)] for _ in range(3)]
    seconds = [lot.one_in(3) for _ in range(3)]
    arrivals = sum((shape == "barrier") + second for shape, second in zip(shapes, seconds))
    threads = []
    for shape, second in zip(shapes, seconds):
        barrier = barrier_section(1 + lot.below(arrivals)) if second else []
        if shape == "barrier":
            lines = barrier_section(1 + lot.below(arrivals)) + barrier
        else:
            nested = lot.one_in(4)
            inside = ["STORE(4, LOAD(4) + 1);", *(barrier if nested else [])]
            section = lock_section(lot, inside) if shape == "lock" else ticket_section(lot, inside)
            lines = section + ([] if nested else barrier)
        threads.append(lines)
    return threads


def main():
    folder = pathlib.Path(sys.argv[1])
    gridlock = sys.argv[2] if len(sys.argv) > 2 else "build/gridlock"
    folder.mkdir(parents=True, exist_ok=True)
    lot = Lot(38)
    litmus = [([litmus_thread(thread, code) for thread, code in enumerate(text.split("|"))], text)
              for text in litmus_programs(gridlock)]
    drawn = [(random_threads(lot), "-") for _ in range(RANDOM)]
    files, index = {}, []
    for kind, programs in (("litmus", litmus), ("random", drawn)):
        for number, (threads, text) in enumerate(programs):
            file, name = f"{kind}_{number // A_FILE:02}.cl", f"{kind}_{number}"
            files.setdefault(file, [HEAD]).append(kernel(name, threads))
            index.append(f"{file}\t{name}\t{len(threads)}\t{text}\n")
    for file, kernels in files.items():
        (folder / file).write_text("\n".join(kernels), encoding="ascii")
    (folder / "index.tsv").write_text("".join(index), encoding="ascii")


if __name__ == "__main__":
    main()
