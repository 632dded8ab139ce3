"""launch.py FILE KERNEL GROUPS FIRST: as launch.c does it, by gridlock_cl."""
import sys

import gridlock_cl
import numpy
import pyopencl as cl

ITEMS, WORDS, GAVE_UP, BAD_SIZES = 16, 1 << 14, 2, 3


def main(path, name, groups, first):
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    with open(path, encoding="ascii") as file:
        program = cl.Program(context, file.read()).build(gridlock_cl.OPTIONS)
    words = numpy.zeros(WORDS, numpy.uint32)
    words[0] = first
    buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=words)
    kernel = gridlock_cl.CooperativeKernel(cl.Kernel(program, name), fuse=1 << 24, counted=groups)
    try:
        kernel(queue, (ITEMS * groups,), (ITEMS,), buffer)
        print("0 ")
    except gridlock_cl.GaveUp as error:
        print(GAVE_UP, error)
    except gridlock_cl.Error as error:
        print(BAD_SIZES, error)


main(*sys.argv[1:3], *map(int, sys.argv[3:]))
