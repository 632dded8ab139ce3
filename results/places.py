#!/usr/bin/env python3
"""Writes places.svg: the places of a model device with as many groups as fit at a barrier, and with one more, from its
run file here.

usage: places.py GRIDLOCK > places.svg
"""
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile

from cliff import FAINT, PASS, STALL, STYLE, text

RUN = pathlib.Path(__file__).parent / "places.run.xz"
COLUMNS, CELL = 88, 4
LEFTS, TOP = (20, 388), 92


def measured():
    """The device, and its points: as many groups as fit, and one more."""
    with tempfile.NamedTemporaryFile() as run:
        run.write(lzma.decompress(RUN.read_bytes()))
        run.flush()
        done = subprocess.run([sys.argv[1], "report", run.name, "--format", "json"], stdout=subprocess.PIPE, check=True)
    device, = json.loads(done.stdout)["devices"]
    scenario, = device["scenarios"]
    return device, sorted(scenario["points"], key=lambda point: point["groups"])


def draw_places(left, count, fill):
    """So many cells, in rows."""
    rows, rest = divmod(count, COLUMNS)
    for y, columns, height in ((TOP, COLUMNS, rows), (TOP + rows * CELL, rest, 1)):
        if columns * height > 0:
            yield f'<rect x="{left}" y="{y}" width="{columns * CELL}" height="{height * CELL}" fill="url(#{fill})"/>'


def draw(device, points):
    most, over = points
    bottom = TOP + -(-most["groups"] // COLUMNS) * CELL
    missing = over["groups"] - over["seen"]["started"]
    title = f'The same barrier without a GPU and without a driver, on {device["name"]}'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom + 62}" role="img" {STYLE}>'
    yield f"<title>{title}</title>"
    yield "<defs>"
    for name, fill in (("pass", PASS), ("stall", STALL)):
        yield (f'<pattern id="{name}" x="{LEFTS[0]}" y="{TOP}" width="{CELL}" height="{CELL}" '
               f'patternUnits="userSpaceOnUse"><rect width="{CELL - 1}" height="{CELL - 1}" fill="{fill}"/></pattern>')
    yield "</defs>"
    yield f'<rect x="0.5" y="0.5" width="759" height="{bottom + 61}" rx="8" fill="#ffffff" stroke="#c8ced5"/>'
    yield text(20, 30, title, size=16, more=' font-weight="600"')
    yield text(20, 52, f'gridlock demo -d {device["name"]}, on a CPU; a cell is a place, which one group of '
               f'{most["local_size"]} work-items holds', more=FAINT)
    for left, point, verdict in zip(LEFTS, points, ("pass", "stall")):
        count = point["verdicts"][point["verdict"]]
        yield text(left, 82, f'{point["groups"]} groups: {count} of {point["launches"]} launches {verdict}', size=14)
    yield from draw_places(LEFTS[0], most["seen"]["done"], "pass")
    yield from draw_places(LEFTS[1], over["seen"]["waiting"], "stall")
    yield text(LEFTS[0], bottom + 22, f'{most["seen"]["done"]} groups ended: all met at the barrier', size=12)
    for column in range(missing):
        yield (f'<rect x="{LEFTS[1] + 0.5 + 12 * column}" y="{bottom + 12.5}" width="9" height="9" fill="none" '
               'stroke="#1b1f24"/>')
    never, waiting = over["seen"]["never_started"], over["seen"]["waiting"]
    yield text(LEFTS[1] + 4 + 12 * missing, bottom + 22,
               f"{missing} has no place: group {never}, for which {waiting} wait", size=12)
    if device["channel"] == "proof":
        yield text(LEFTS[1], bottom + 44, "nothing can change any more: proved, not timed", size=12, more=FAINT)
    yield "</svg>"


if __name__ == "__main__":
    print("\n".join(draw(*measured())))
