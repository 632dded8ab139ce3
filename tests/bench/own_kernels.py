#!/usr/bin/env python3
"""Sets the limits of twenty kernels by `gridlock limits --source` beside those of a barrier written into each by hand.

    own_kernels.py GRIDLOCK PEER [--device NAME] [--platform NAME] [--icd LIBRARY] [--polls N] [--tries N] [--kernels N]
                   [--occupancy PEER]

PEER: peers/meet.c, built. The kernels need 0 to 48 KiB of local memory and 16 to 255 values in registers, in groups of
one to three dimensions. Each is measured in both ways, by a kernel that calls it and by text put into it, and bounded
by hand by a total of polls. On NVIDIA, peers/occupancy.c tells what CUDA's formula says of the unchanged kernel. Prints
a table; the exit status is 1 if a limit that should be exact is not that of the peer.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

# Shape, bytes of local memory, values that each work-item keeps.
KERNELS = [
    ((64, 1, 1), 0, 0), ((256, 1, 1), 0, 0), ((1, 1, 1), 0, 16), ((32, 1, 1), 0, 32), ((64, 1, 1), 1024, 0),
    ((16, 16, 1), 4096, 0), ((8, 8, 4), 8192, 16), ((64, 1, 1), 16384, 0), ((128, 1, 1), 24576, 0),
    ((64, 1, 1), 32768, 0),
    ((32, 8, 1), 49152 - 256, 0), ((64, 1, 1), 0, 48), ((64, 1, 1), 0, 64), ((128, 1, 1), 0, 96), ((64, 2, 1), 0, 128),
    ((64, 1, 1), 0, 160), ((32, 2, 2), 512, 192), ((64, 1, 1), 0, 230), ((512, 1, 1), 2048, 24), ((4, 4, 4), 12288, 8),
]


def body(local_bytes, values):
    """Values that no compiler can compute again: each is read from memory, and all are used after all were read."""
    turns = " ".join(f"v{i} = v{i} * v{(i + 1) % values} + {i};" for i in range(values))
    lines = ["const uint item = get_global_id(0) + get_global_id(1) * 7 + get_global_id(2) * 3;"]
    if local_bytes:
        lines += [f"tile[(item * 31) % {local_bytes // 4}] = in[item % 64];", "barrier(CLK_LOCAL_MEM_FENCE);"]
    lines += [f"uint v{i} = in[(item + {i}) % 64];" for i in range(values)]
    terms = ["0u", *(f"v{i}" for i in range(values)),
             *([f"tile[(item + steps) % {local_bytes // 4}]"] if local_bytes else [])]
    lines += [f"for (uint i = 0; i < steps; ++i) {{ {turns} }}", f"out[item % 64] = {' + '.join(terms)};"]
    return "\n".join(lines)


def tile(local_bytes):
    return f"local uint tile[{local_bytes // 4}];\n" if local_bytes else ""


def own(number, local_bytes, values):
    return (f"kernel void k{number}(global const uint *in, global uint *out, uint steps)\n"
            f"{{\n{tile(local_bytes)}{body(local_bytes, values)}\n}}\n")


def by_hand(number, local_bytes, values):
    """The same body, which does not run either, behind a barrier of one counter."""
    return f"""kernel void k{number}(global uint *count, uint groups, uint polls, global uint *met)
{{
    {tile(local_bytes)}
    if ((get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0) {{
        uint left = polls;
        atomic_inc(count);
        while (atomic_add(count, 0) < groups && left > 0)
            --left;
        met[get_group_id(0)] = left > 0;
    }}
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (groups == 0xffffffffu) {{
        global const uint *in = count;
        global uint *out = met;
        const uint steps = polls;
        {body(local_bytes, values)}
    }}
}}
"""


def measure(arguments, source, shape, entry):
    command = [arguments.gridlock, "limits", "--source", source, "-d", arguments.device, "--format", "json", "-q",
               "--local-size", shape, "--entry", entry, "-o", f"{source}.{entry}.run"]
    if arguments.icd:
        command += ["--icd", arguments.icd]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        (row,) = json.loads(result.stdout)["devices"][0]["limits"]
    except (ValueError, IndexError):
        sys.exit(f"{' '.join(command)} failed: {result.stderr}")
    return row


def formula(arguments, source, number, shape):
    """What CUDA's occupancy calculator says of the kernel as it is: its groups, and registers of a work-item."""
    if not arguments.occupancy:
        return ""
    binary = f"{source}.ptx"
    subprocess.run([arguments.peer, "--binary", source, binary, arguments.platform], check=True)
    result = subprocess.run([arguments.occupancy], input=f"{binary} k{number} {shape[0] * shape[1] * shape[2]} 0\n",
                            capture_output=True, text=True, check=True)
    blocks, units, registers, _ = (int(word) for word in result.stdout.split())
    return f" {blocks * units:8} {registers:10}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gridlock")
    parser.add_argument("peer")
    parser.add_argument("--device", default="pocl")
    parser.add_argument("--platform", default="Portable")
    parser.add_argument("--icd")
    parser.add_argument("--polls", default="20000000")
    parser.add_argument("--tries", default="3")
    parser.add_argument("--occupancy", metavar="PEER")
    parser.add_argument("--kernels", type=int, default=len(KERNELS))
    arguments = parser.parse_args()
    different = 0
    print("kernel   group     local  values  by hand    call             insert          ",
          "     CUDA  registers" if arguments.occupancy else "")
    with tempfile.TemporaryDirectory() as folder:
        for number, (shape, local_bytes, values) in enumerate(KERNELS[:arguments.kernels]):
            source, hand = pathlib.Path(folder, f"k{number}.cl"), pathlib.Path(folder, f"hand{number}.cl")
            source.write_text(own(number, local_bytes, values), encoding="utf-8")
            hand.write_text(by_hand(number, local_bytes, values), encoding="utf-8")
            peer = subprocess.run([arguments.peer, hand, f"k{number}", *map(str, shape), arguments.polls,
                                   arguments.tries,
                                   arguments.platform], capture_output=True, text=True, check=True)
            name = "x".join(str(size) for size in shape)
            cells = []
            for entry in ("call", "insert"):
                row = measure(arguments, str(source), name, entry)
                bound, groups = row["kernel"]["bound"], row["barrier"]["passes_at"] or 0
                wrong = bound == "exact" and groups != int(peer.stdout)
                different += wrong
                cells.append(f"{bound} {groups}{' !' if wrong else ''}")
            print(f"k{number:<6} {name:9} {local_bytes:5} {values:7} {int(peer.stdout):8}    {cells[0]:16} "
                  f"{cells[1]:16}"
                  f"{formula(arguments, str(source), number, shape)}".rstrip(), flush=True)
    print(f"{different} limits that should be exact are not those of the barrier by hand")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
