"""Launches a kernel of a file, and waits for its event: program.py FILE KERNEL GROUPS ITEMS [DRIVER]"""
import sys

import numpy
import pyopencl as cl

path, name, groups, items, *driver = sys.argv[1:]
devices = [device for platform in cl.get_platforms() if (driver or ["Portable"])[0] in platform.name
           for device in platform.get_devices()]
if not devices:
    sys.exit(77)
context = cl.Context(devices[:1])
queue = cl.CommandQueue(context)
with open(path, encoding="ascii") as file:
    program = cl.Program(context, file.read()).build()
memory = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.zeros(64, numpy.int32))
kernel = cl.Kernel(program, name)
event = kernel(queue, (int(groups) * int(items),), (int(items),), memory, numpy.int32(groups))
print("launched", flush=True)
event.wait()
