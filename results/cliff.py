#!/usr/bin/env python3
"""Writes cliff.svg: with how many groups a global barrier passed and stalled on an H200, from its run file here.

usage: cliff.py GRIDLOCK > cliff.svg
"""
import json
import lzma
import math
import pathlib
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).parent / "nvidia-h200" / "limits.run.xz"
SIZES = (64, 128, 256, 512, 1024)
LEFT, RIGHT, TOP, ROW, BAR = 130, 500, 92, 38, 26
COLUMNS = (620, 740)
PASS, STALL = "#cfe6f5", "#f3b13c"
FAINT = ' fill="#57606a"'
STYLE = "font-family=\"system-ui, 'DejaVu Sans', sans-serif\" fill=\"#1b1f24\""


def measured():
    """The device, and by size of groups what each number of groups came to."""
    with tempfile.NamedTemporaryFile() as run:
        run.write(lzma.decompress(RUN.read_bytes()))
        run.flush()
        done = subprocess.run([sys.argv[1], "report", run.name, "--format", "json"], stdout=subprocess.PIPE, check=True)
    device, = json.loads(done.stdout)["devices"]
    rows = {row["local_size"]: sorted(row["points"], key=lambda point: point["groups"]) for row in device["limits"]
            if row["local_memory_bytes"] == row["private_bytes"] == 0}
    return device, {size: rows[size] for size in SIZES}


def text(x, y, words, anchor="start", size=13, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{more}>{words}</text>'


def line(x1, y1, x2, y2, width=1):
    return f'<line x1="{x1:.1f}" y1="{y1}" x2="{x2:.1f}" y2="{y2}" stroke="#1b1f24" stroke-width="{width}"/>'


def draw_row(y, size, points, x):
    """A bar as far as the barrier passed, and another one from there as far as it stalled."""
    most = max((point for point in points if point["stalls"] == 0), key=lambda point: point["groups"])
    least = min((point for point in points if point["stalls"] > 0), key=lambda point: point["groups"])
    cliff, end = x(most["groups"]), x(points[-1]["groups"])
    middle = y + BAR / 2 + 4.5
    yield text(LEFT - 10, middle, f"{size} work-items", "end")
    yield f'<rect x="{LEFT}" y="{y}" width="{cliff - LEFT:.1f}" height="{BAR}" fill="{PASS}"/>'
    for fill in (STALL, "url(#hatch)"):
        yield f'<rect x="{cliff:.1f}" y="{y}" width="{end - cliff:.1f}" height="{BAR}" fill="{fill}"/>'
    yield line(cliff, y - 4, cliff, y + BAR + 4, 2)
    yield text(COLUMNS[0], middle, f'{most["groups"]}: {most["passes"]} of {most["launches"]}', "end")
    yield text(COLUMNS[1], middle, f'{least["groups"]}: {least["stalls"]} of {least["launches"]}', "end")


def draw(device, rows):
    limits = sorted(max(point["groups"] for point in row if point["stalls"] == 0) for row in rows.values())
    low, high = math.log2(limits[0] / 2), math.log2(max(row[-1]["groups"] for row in rows.values()))
    bottom = TOP + ROW * len(rows)

    def x(groups):
        return LEFT + (RIGHT - LEFT) * (math.log2(groups) - low) / (high - low)

    title = f'A global barrier on an {device["name"]}: one work-group too many, and it hangs'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom + 56}" role="img" {STYLE}>'
    yield f"<title>{title}</title>"
    yield ('<defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
           '<path d="M0 0V8" stroke="#5a3200" stroke-width="1.5" stroke-opacity="0.45"/></pattern></defs>')
    yield f'<rect x="0.5" y="0.5" width="759" height="{bottom + 55}" rx="8" fill="#ffffff" stroke="#c8ced5"/>'
    yield text(20, 30, title, size=16, more=' font-weight="600"')
    yield text(20, 52, f'{device["compute_units"]} compute units, driver {device["driver_version"]}', more=FAINT)
    yield text(LEFT - 10, 84, "size of a group", "end", 12, FAINT)
    for column, said in zip(COLUMNS, ("launches that pass", "that stall")):
        yield text(column, 84, said, "end", 12, FAINT)
    for index, (size, row) in enumerate(rows.items()):
        yield from draw_row(TOP + ROW * index + 6, size, row, x)
    yield line(LEFT, bottom + 6, RIGHT, bottom + 6)
    for groups in limits:
        yield line(x(groups), bottom + 6, x(groups), bottom + 11)
        yield text(x(groups), bottom + 26, groups, "middle", 12)
    said = "work-groups in a launch; blue: all launches pass, hatched: all stall"
    yield text(LEFT, bottom + 44, said, size=12, more=FAINT)
    yield "</svg>"


if __name__ == "__main__":
    print("\n".join(draw(*measured())))
