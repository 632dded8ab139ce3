#!/usr/bin/env python3
"""What gl_resident of gridlock_launch.h counts, beside `gridlock limits --source`, for the kernels of own_kernels.py.

    resident.py GRIDLOCK PEER EMITTED [--options OPTIONS] [gridlock options...]

PEER is peers/resident.c, built, and EMITTED the folder that `gridlock emit` wrote. Each kernel begins with GL_BEGIN,
and both measure it on the same device: what the peer takes is the first of the loader, so give gridlock a --device that
is the same one. Prints a table, with the milliseconds of a first and of a second count; exit status 1 if they differ
where limits are exact, or where they are bounds which the count does not keep to.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import own_kernels


def write(folder, number, local_bytes, values):
    text = own_kernels.own(number, local_bytes, values)
    text = text.replace("(global const uint", "(global uint *gl_words, global const uint", 1)
    text = text.replace("{\n", "{\nGL_BEGIN(grid, gl_words);\n", 1)
    path = folder / f"k{number}.cl"
    path.write_text('#include "gridlock.clh"\n' + text, encoding="utf-8")
    return path


def limit(arguments, more, path, shape):
    """How many groups limits --source finds, and what kind of limit that is."""
    command = [arguments.gridlock, "limits", "--source", path, "--local-size", shape, "--format", "json", "-q", "-o",
               f"{path}.run", f"--build-options={arguments.options}", *more]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    try:
        row, = [row for row in json.loads(done.stdout)["devices"][0]["limits"] if row["kernel"]["name"] == path.stem]
    except (ValueError, IndexError):
        sys.exit(f"{' '.join(map(str, command))} failed: {done.stderr}")
    return row["barrier"]["passes_at"] or 0, row["kernel"]["bound"]


def agree(count, groups, bound):
    return {"exact": count == groups, "at-least": count >= groups, "at-most": count <= groups, "unlike": True}[bound]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gridlock")
    parser.add_argument("peer")
    parser.add_argument("emitted", type=pathlib.Path)
    parser.add_argument("--options", default="-cl-std=CL3.0")
    parser.add_argument("--kernels", type=int, default=len(own_kernels.KERNELS))
    arguments, more = parser.parse_known_args()
    arguments.options += f" -I {arguments.emitted.resolve()}"
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        kernels = own_kernels.KERNELS[:arguments.kernels]
        paths = [write(pathlib.Path(folder), number, *kernel[1:]) for number, kernel in enumerate(kernels)]
        words = [word for number, (path, kernel) in enumerate(zip(paths, kernels))
                 for word in (path, f"k{number}", *kernel[0])]
        counted = subprocess.run(list(map(str, [arguments.peer, arguments.options, *words])), capture_output=True,
                                 text=True, check=True)
        sys.stderr.write(counted.stderr)
        print("kernel   group     local  values  gl_resident   first ms  second ms  limits")
        for line, path, (shape, local_bytes, values) in zip(counted.stdout.splitlines(), paths, kernels):
            name, count, *times = line.split()
            size = "x".join(map(str, shape))
            groups, bound = limit(arguments, more, path, size)
            wrong = not agree(int(count), groups, bound)
            different += wrong
            print(f"{name:8} {size:9} {local_bytes:5} {values:7} {count:>12} {times[0]:>10} {times[1]:>10}  "
                  f"{bound} {groups}{' !' if wrong else ''}", flush=True)
    print(f"{different} counts are not those of limits --source")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
