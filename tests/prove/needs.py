#!/usr/bin/env python3
"""Writes what kernels of scenarios need in small launches, as `gridlock prove` found it: a line for each point.

    needs.py GRIDLOCK RUN... > results/needs.tsv

RUNs are of `gridlock prove SCENARIO... --groups 2,3 --local-size 1,2`, in one or several files. A cell names the least
model of progress under which all launches of the point end, and with how many places: FAIR/3. Before it is what else
was found: `race`, `wrong-result`, or `not-refuted` where not all states were explored; `wrong` alone: a launch ends
under no model, or does what no kernel may, and `-` one that was not explored.
"""
import json
import subprocess
import sys

SIZES = ((2, 1), (3, 1), (2, 2), (3, 2))
COLUMNS = ["scenario", "kernel", "options", *(f"{groups}x{items}" for groups, items in SIZES)]


def needs_of(launch):
    """The least models, how many places they need, and how fair they are."""
    promises = launch.get("promises")
    if not promises:
        return "none", "-", "-"
    first, models = promises[0], {promise["model"] for promise in promises}
    needs = "any" if first["model"] == "unfair" and first["places"] == 1 else "|".join(sorted(models))
    return needs, str(first["places"]), first["fairness"] or "-"


def cell(launch):
    if launch["verdict"] in (None, "none"):
        return "-"
    if launch["verdict"] in ("wrong", "fault"):
        return "wrong"
    needs, places, _ = needs_of(launch)
    found = needs if needs == "any" else f"{needs}/{places}"
    return found if launch["verdict"] == "proved" else f"{launch['verdict']} {found}"


def options_of(point):
    """{option: value} of a point of a run or a proof, without how much it does, which is less in a proof."""
    given = dict(item.split("=", 1) for item in point.split(",") if "=" in item)
    return {name: value for name, value in given.items() if name not in ("rounds", "jitter", "uneven", "items", "seed")}


def rows_of(launches):
    """{(scenario, kernel, options): {size: cells}}"""
    rows = {}
    for launch in launches:
        options = ",".join(f"{name}={value}" for name, value in options_of(launch["point"] or "").items()) or "-"
        size = (launch["groups"], int(str(launch["local_size"]).split("x", maxsplit=1)[0]))
        cells = rows.setdefault((launch["scenario"], launch["kernel"], options), {}).setdefault(size, [])
        if cell(launch) not in cells:
            cells.append(cell(launch))
    return rows


def together(cells):
    """Of a point that was explored whole with fewer rounds, that tells."""
    whole = [text for text in cells if text != "-" and not text.startswith("not-refuted")]
    return " or ".join(sorted(whole or cells)) or "-"


def launches_of(gridlock, run):
    told = subprocess.run([gridlock, "report", run, "--format", "json"], stdout=subprocess.PIPE, check=False).stdout
    return [launch for device in json.loads(told)["devices"] for launch in device["launches"]]


def main():
    gridlock, *runs = sys.argv[1:]
    rows = rows_of([launch for run in runs for launch in launches_of(gridlock, run)])
    print(*COLUMNS, sep="\t")
    for names, cells in sorted(rows.items()):
        print(*names, *(together(cells.get(size, [])) for size in SIZES), sep="\t")


if __name__ == "__main__":
    main()
