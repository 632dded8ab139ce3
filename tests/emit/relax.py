"""relax.py FILE: a rod in one launch, as many groups as fit; then one more."""
import sys

import gridlock_cl
import numpy
import pyopencl as cl

ITEMS, CELLS, STEPS = 64, 4096, 200


def right():
    rod = numpy.zeros(CELLS, numpy.float32)
    rod[0] = 1
    for _ in range(STEPS):
        rod[1:-1] = numpy.float32(0.5) * (rod[:-2] + rod[2:])
    return rod


def main(path):
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    with open(path, encoding="ascii") as file:
        program = cl.Program(context, file.read()).build([*gridlock_cl.OPTIONS, "-cl-std=CL3.0"])
    rod = numpy.zeros(CELLS, numpy.float32)
    rod[0] = 1
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    even, odd = (cl.Buffer(context, flags, hostbuf=rod) for _ in range(2))
    arguments = numpy.uint32(0), numpy.uint32(STEPS), even, odd, numpy.uint32(CELLS)
    relax = gridlock_cl.CooperativeKernel(program.relax)
    groups = relax.resident(queue, (ITEMS,), *arguments)
    relax(queue, (ITEMS * groups,), (ITEMS,), *arguments)
    cl.enqueue_copy(queue, rod, even)
    print(f"{groups} groups: {'right' if numpy.allclose(rod, right(), atol=1e-6) else 'WRONG'}")
    try:
        relax(queue, (ITEMS * (groups + 1),), (ITEMS,), *arguments)
    except gridlock_cl.TooManyGroups as error:
        print(error)


main(sys.argv[1])
