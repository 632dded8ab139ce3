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
    ("Intel CPU", "intel-2026.22.10/scenarios.run.xz"),
    ("Oclgrind, 4 threads", "oclgrind/scenarios.run.xz"),
    ("rusticl, llvmpipe", "rusticl-llvmpipe/scenarios.run.xz"),
    ("NVIDIA H200", "nvidia-h200/scenarios.run.xz"),
    ("NVIDIA H100", "nvidia-h100/scenarios.run.xz"),
]
HEAD = """# Idioms, device by device

Written by `idioms.py` from the run files in this folder. A cell says up to which number of work-groups all that was tried
passed, and where that ended; "all to" where everything that was tried passed, which is no promise for more groups. `-`: nothing
passed, not even one group; empty: the device lacks what the kernel needs, or no point was run. **Bold**: a surprise. Numbers
differ with the footprint of a kernel: 2376 and 4224 are both "as many as fit". An idiom has a row for each value of an option
that changes the answer on some device, unless it is a number that depends on the device: then the worst counts. What a
scenario's file marks as an anti-pattern is not to be done.

"""


def scenarios(gridlock, path):
    with tempfile.NamedTemporaryFile() as run:
        run.write(lzma.decompress((HERE / path).read_bytes()))
        run.flush()
        done = subprocess.run([gridlock, "report", run.name, "--format", "json"], stdout=subprocess.PIPE, check=False)
    return {scenario["name"]: scenario for scenario in json.loads(done.stdout)["devices"][0]["scenarios"]}


def values(text, between):
    """{option: value}"""
    return dict(item.split("=", 1) for item in text.split(between) if "=" in item)


def values_of(point):
    """The options that the id of a point names: scenario/dialect/lSIZE/NAME=VALUE,.../gGROUPS."""
    parts = point["id"].split("/")
    return {"dialect": parts[1], "local-size": str(point["local_size"])} | values(parts[-2], ",")


def fits(given, wanted):
    """No value of the one contradicts the other."""
    return all(wanted.get(name, value) == value for name, value in given.items())


def answers(scenario, wanted):
    """The report's rows about points with these values: [({option: value}, row)]."""
    rows = scenario["by_options"] or [scenario]
    return [(given, row) for given, row in ((values(row.get("options", ""), " "), row) for row in rows)
            if fits(given, wanted) and any(fits(given | wanted, values_of(point)) for point in scenario["points"])]


def is_comparable(name, scenarios):
    """Of a number that depends on the device, the values are each device's own."""
    found = [{values_of(point).get(name) for point in scenario["points"]} for scenario in scenarios]
    return not all(str(value).isdigit() for value in found[0]) or all(some <= max(found, key=len) for some in found)


def rows_of(scenarios):
    """The fewest rows, each {option: value}, by which the answers of each device are told apart."""
    given = [given for scenario in scenarios for given, _ in answers(scenario, {})]
    names = [name for name in dict.fromkeys(name for row in given for name in row) if is_comparable(name, scenarios)]
    same = {}
    for point in (point for scenario in scenarios for point in scenario["points"]):
        chosen = {name: values_of(point)[name] for name in names}
        told = [{name: row[name] for name in names if name in row}
                for scenario in scenarios for row, _ in answers(scenario, chosen)]
        same.setdefault(str(told), []).append(chosen)
    return [{name: value for name, value in alike[0].items() if all(other[name] == value for other in alike)}
            for alike in same.values()]


def cell(scenario, wanted):
    """What the device did in the worst case; "" if it ran none of it."""
    points = [point for point in scenario["points"] if fits(wanted, values_of(point))] if scenario else []
    if all(point["verdict"] == "unsupported" for point in points):
        return ""
    answer = min((row for _, row in answers(scenario, wanted)),
                 key=lambda row: (row["unsafe_groups"] is None, row["safe_groups"] or 0))
    safe, unsafe = answer["safe_groups"], answer["unsafe_groups"]
    text = "-" if not safe else f"all to {safe}" if answer["all_safe"] else str(safe)
    if unsafe is not None:
        text += f" ({unsafe} {answer['unsafe_verdict']})"
    return f"**{text}**" if any(point["surprise"] for point in points) else text


def is_idiom(scenario):
    return not scenario["name"].startswith(("mutant_", "cause_", "work_group_size")) and scenario["points"]


def main():
    columns = {title: scenarios(sys.argv[1], path) for title, path in RUNS if (HERE / path).exists()}
    names = sorted({name for column in columns.values() for name in column if is_idiom(column[name])})
    print(HEAD + "| idiom | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name in names:
        found = [column[name] for column in columns.values() if name in column and column[name]["points"]]
        for row in rows_of(found):
            told = [answer for scenario in found for _, answer in answers(scenario, row)]
            mark = " (anti-pattern)" if any(answer["anti_pattern"] for answer in told) else ""
            title = " ".join([name, *(f"{option}={value}" for option, value in row.items())])
            print(f"| {title}{mark} | " + " | ".join(cell(column.get(name), row) for column in columns.values()) + " |")


if __name__ == "__main__":
    main()
