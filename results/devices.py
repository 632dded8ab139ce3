#!/usr/bin/env python3
"""Writes devices.md, the atlas: what each device and driver holds, and what changed between versions of one driver.

usage: devices.py GRIDLOCK > devices.md

Every folder here with run files is read: limits*, progress*, audit* and scenarios*. What differs between them by a part of the
name, such as -2-threads, is a device of its own. What is stored in a run file is all that is known of it.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ("limits", "progress", "audit", "scenarios")
HEAD = """# Devices

Written by `devices.py` from the run files in this folder; `tests/drivers` has measured those whose folder is named by a version.

- *Units*: the compute units that the driver reports.
- *Places*: how many work-groups are resident together, from the largest footprint to the smallest (`limits`; in italics those
  of the scenarios' kernels).
- *Channel*: how the host reads a kernel that runs, and what the device's kernels are written in.
- *Model*: the strongest progress model that no litmus test broke, or `?` with those that may hold (`progress`).
- *Publication*: of the points at which groups read what others wrote, how many were stale or wrong, by dialect (`run`). Some
  of these kernels lack what would publish their data, so that not each of them is a fault of the device.
- *Broken*: how many promises of how many that could be decided (`audit`).
- *Surprises*: points that came otherwise than was predicted, of how many (`run`).

A dash: not measured. Two devices in a row: some of it was measured on another processor.

"""


def report(gridlock, path):
    """Of the first device of a run file, which may be of an older version; None if it cannot be read."""
    done = subprocess.run([gridlock, "report", path, "--format", "json"], capture_output=True, check=False)
    try:
        return json.loads(done.stdout)["devices"][0]
    except (ValueError, LookupError):
        print(f"{path}: {done.stderr.decode(errors='replace').strip()}", file=sys.stderr)
        return None


def run_files():
    """{(folder, variant): {kind: path}}; a progress run of several suites is the quick one's."""
    found = {}
    for path in sorted(HERE.glob("*/*.run.xz")):
        kind, _, variant = path.name.removesuffix(".run.xz").partition("-")
        if kind in KINDS:
            variant = "" if (kind, variant) == ("progress", "quick") else variant
            found.setdefault((path.parent.name, variant), {})[kind] = path
    # An audit, or limits, of a folder are of its device; other suites of litmus tests are no device.
    return {key: kinds for key, kinds in found.items() if set(kinds) & {"limits", "scenarios"} or key[1] == ""}


def span(numbers_found):
    found = sorted({number for number in numbers_found if number})
    return "none measured" if not found else str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


def places(runs):
    if runs.get("limits"):
        return span(row["resident"] for row in runs["limits"]["limits"] if row["measured"])
    if runs.get("scenarios"):
        return f"_{span(point['resident'] for scenario in runs['scenarios']['scenarios'] for point in scenario['points'])}_"
    return "-"


def channel(run):
    parts = [run["channel"] if run["channel_memory"] in (None, "device") else f"{run['channel']} ({run['channel_memory']})",
             run["dialect"]]
    if run["loops_cut_at"]:
        parts.append(f"loops end after {run['loops_cut_at']} turns")
    return ", ".join(parts)


def model(run):
    if run["strongest"]:
        return run["strongest"]
    kept = [f"{row['model']} ({row['fairness']})" for row in run["models"] if not row["broken"] and row["guaranteed"]]
    return "? " + (", ".join(kept) if kept else "all broken")


def publication(run):
    """By dialect: points at which something old or wrong was read, of those at which something was read by another group."""
    counts, asked = {}, False
    for scenario in run["scenarios"]:
        for point in scenario["points"] if re.match("publish_|lock_publication", scenario["name"]) else []:
            asked = asked or point["groups"] > 1
            if (point["seen"] or {}).get("checked") and point["groups"] > 1:
                count = counts.setdefault(point["id"].split("/")[1], [0, 0])
                count[0] += point["verdict"] in ("stale", "wrong")
                count[1] += 1
    return ", ".join(f"{dialect} {old} of {every}" for dialect, (old, every) in sorted(counts.items())) or ("no point passed" if asked else "-")


def broken(run):
    return sorted(row["name"] for row in run["promises"] if row["outcome"] == "broken")


def decided(run):
    return sum(row["outcome"] in ("kept", "exceeded", "broken") for row in run["promises"])


def surprises(run):
    points = [point for scenario in run["scenarios"] for point in scenario["points"] if point["verdict"] != "unsupported"]
    left = run["extent"]["not_run"] if run["extent"] else 0
    return f"{sum(point['surprise'] for point in points)} of {len(points)}" + (f"; {left} not run" if left else "")


def row_of(key, runs):
    """What is shown of a device: {column: text}, and beside that what it is compared by."""
    some = next(run for run in runs.values() if run is not None)
    names = " and ".join(dict.fromkeys(run["name"] for run in runs.values() if run is not None))
    row = {"folder": key[0], "variant": key[1].replace("-", " "), "device": names, "platform": some["platform"],
           "driver": some["driver_version"], "units": str(some["compute_units"]), "places": places(runs),
           "channel": channel(some), "model": "-", "publication": "-", "promises": "-", "surprises": "-", "broken": None}
    if runs.get("progress"):
        row["model"] = model(runs["progress"])
    if runs.get("scenarios"):
        row["publication"] = publication(runs["scenarios"])
        row["surprises"] = surprises(runs["scenarios"])
    if runs.get("audit"):
        row["broken"] = broken(runs["audit"])
        row["promises"] = f"{len(row['broken'])} of {decided(runs['audit'])}"
    return row


def read_all(gridlock):
    files = run_files()
    paths = [(key, kind, path) for key, kinds in files.items() for kind, path in kinds.items()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda entry: report(gridlock, entry[2]), paths))
    runs = {key: {} for key in files}
    for (key, kind, _), run in zip(paths, done):
        runs[key][kind] = run
    rows = [row_of(key, kinds) for key, kinds in runs.items() if any(kinds.values())]
    return sorted(rows, key=lambda row: (row["platform"].lower(), numbers(row["driver"]), row["folder"], row["variant"]))


def numbers(version):
    return [int(number) for number in re.findall(r"\d+", version)]


def cell(text):
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


def device_cell(row):
    variant = f", {row['variant']}" if row["variant"] else ""
    return f"[{cell(row['device'])}]({row['folder']}){variant}"


def changed(old, new):
    """Sentences. Of surprises the number alone counts: how many points were tried hangs on the limit."""
    pairs = {column: (old[column], new[column]) for column in ("places", "channel", "model", "publication", "surprises")}
    told = [f"{column}: {before} before, {now} now" for column, (before, now) in pairs.items() if "-" not in (before, now) and
            (before.split()[0] != now.split()[0] if column == "surprises" else before != now)]
    if old["broken"] is not None and new["broken"] is not None:
        for word, names in (("newly broken", set(new["broken"]) - set(old["broken"])),
                            ("no longer broken", set(old["broken"]) - set(new["broken"]))):
            if names:
                told.append(f"{word}: {', '.join(f'`{name}`' for name in sorted(names))}")
    return told or ["nothing"]


def print_changes(rows):
    """Between neighbours that `tests/drivers` has measured: both folders have a version, and the same driver."""
    versioned = [row for row in rows if re.search(r"-\d", row["folder"])]
    versioned.sort(key=lambda row: (row["folder"].partition("-")[0], numbers(row["folder"])))
    for old, new in zip(versioned, versioned[1:]):
        if old["folder"].partition("-")[0] != new["folder"].partition("-")[0]:
            continue
        print(f"\n### {old['folder']} to {new['folder']}\n")
        print("\n".join(f"- {line}" for line in changed(old, new)))
        if (HERE / new["folder"] / "compared.txt").exists():
            print(f"\n[compared.txt]({new['folder']}/compared.txt) has what `gridlock compare` says of them.")


def main():
    rows = read_all(sys.argv[1])
    print(HEAD + "| platform | driver | device | units | places | channel | model | publication | broken | surprises |")
    print("|---" * 10 + "|")
    for row in rows:
        cells = [cell(row["platform"]), cell(row["driver"]), device_cell(row), row["units"], row["places"]]
        cells += [cell(row[column]) for column in ("channel", "model", "publication", "promises", "surprises")]
        print(f"| {' | '.join(cells)} |")
    print("\n## Promises that are broken\n\n`gridlock audit --list` says what each of them promises.\n")
    for row in rows:
        if row["broken"]:
            print(f"- {cell(row['platform'])} {cell(row['driver'])}: {', '.join(f'`{name}`' for name in row['broken'])}")
    print("\n## What changed between versions")
    print_changes(rows)


if __name__ == "__main__":
    main()
