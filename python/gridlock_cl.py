"""Launches kernels whose work-groups wait for each other, with pyopencl, and refuses where they would hang.

    import gridlock_cl, pyopencl as cl
    program = cl.Program(context, source).build([*gridlock_cl.OPTIONS, "-cl-std=CL3.0"])
    barrier = gridlock_cl.CooperativeKernel(program.relax)
    groups = barrier.resident(queue, (64,), *arguments)
    barrier(queue, (64 * groups,), (64,), *arguments)

The kernel includes gridlock.clh; its first argument is its grid's words, which are made and set here, and `arguments`
are the others. It is gridlock_launch.h in Python, and says the same.

Apache-2.0. From gridlock, which measures who may wait for whom.
"""
import math
import pathlib
import re

import numpy
import pyopencl as cl

FOLDER = pathlib.Path(__file__).parent
OPTIONS = ["-I", str(FOLDER)]  # of a build, so that gridlock.clh is found

_TEXT = (FOLDER / "gridlock.clh").read_text(encoding="ascii").replace("\\\n", "")
_MOST_GROUPS = 0xFFFFFF
_KINDS = {"LOCK": "waited for a lock", "FLAG": "waited for a flag", "QUEUE": "waited for a value of a queue",
          "ONCE": "waited for what another group does", "DIRTY": "found words that were not zero when the launch began"}


def _defined(name, groups=None):
    """A number of gridlock.clh: of a macro, which may need a number of groups, or of an enumeration."""
    macro = re.search(rf"#define GRIDLOCK_{name}(?:\(groups\))? +(.*?)(?: */\*.*)?$", _TEXT, re.M)
    if macro:  # sums, products and comparisons
        text = re.sub(r"GRIDLOCK_(\w+)(?:\(groups\))?", lambda other: str(_defined(other[1], groups)), macro[1])
        return eval(text.replace("/", "//").replace("(size_t)", ""), {"groups": groups})
    for names in re.findall(r"enum \{(.*?)\};", _TEXT, re.S):
        value = -1
        for item in re.sub(r"/\*.*?\*/", "", names, flags=re.S).split(","):
            word, _, given = item.partition("=")
            value = int(given) if given else value + 1
            if word.strip() == f"GRIDLOCK_{name}":
                return value
    raise ImportError(f"gridlock.clh has no GRIDLOCK_{name}")


_MARKS = _defined("MARKS")
_STOP, _FUSE, _COUNTED, _PATIENCE, _PRESENT = (
    _defined(name) for name in ("STOP", "FUSE", "COUNTED", "PATIENCE", "PRESENT"))
_ABSENT, _STARTED, _LATE = (_defined(name) for name in ("ABSENT", "STARTED", "LATE"))
_AT = {kind: _defined(f"AT_{kind}") for kind in ("BARRIER", "TILE", *_KINDS)}


class Error(Exception):
    """What kept a launch from being made, or from coming to its end."""


class TooManyGroups(Error):
    """More than fit on the device at once: nothing was launched."""


class GaveUp(Error):
    """A wait did not end: the kernel has ended, and its results are incomplete."""


def _tell_mark(mark):
    kind, whom = mark >> 24, mark & 0xFFFFFF
    if kind == _AT["LOCK"] and whom:
        return f"waited for a lock that group {whom - 1} held"
    if kind == _AT["FLAG"] and whom:
        return f"waited for group {whom - 1}"
    if kind == _AT["TILE"]:
        return f"waited for the sum of tile {whom}"
    return next((text for name, text in _KINDS.items() if _AT[name] == kind), "")


def _tell_barrier(marks):
    """Who was missing at the barrier, or nothing."""
    kinds = [mark >> 24 for mark in marks]
    at_barrier = kinds.count(_AT["BARRIER"])
    if not at_barrier:
        return []
    absent = sum(mark in (_ABSENT, _LATE) for mark in marks)
    missing = max((group for group, kind in enumerate(kinds) if kind == 0), default=0)
    text = f"{at_barrier} of {len(marks)} groups waited at a barrier"
    if absent:
        text += f"; {absent} had not started, as group {missing}: more groups than fit at once"
    elif _STARTED in marks:
        text += f"; {marks.count(_STARTED)} had started and did not come to it, as group {missing}"
    return [text]


def _tell(marks):
    """Words that were not zero first: that others wait may follow from it."""
    others = [(group, mark) for group, mark in enumerate(marks) if mark >> 24 >= 2]
    others.sort(key=lambda other: other[1] >> 24 != _AT["DIRTY"])
    return "; ".join([*_tell_barrier(marks), *(f"group {group} {_tell_mark(mark)}" for group, mark in others)][:4])


def _is_cpu(device):
    return bool(device.type & cl.device_type.CPU)


class CooperativeKernel:
    """
    A kernel that begins with GL_BEGIN. `fuse`: after so many times 64 polls a wait gives up; 0: after some seconds.
    `counted`: so many groups fit, as was counted before; 0: they are counted.
    """

    def __init__(self, kernel, fuse=0, counted=0):
        self.kernel, self.fuse, self.counted, self._counts = kernel, fuse, counted, {}

    def _launch(self, queue, global_size, local_size, head):
        """The grid's words when the kernel has ended."""
        if queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE:
            raise Error("the queue is out of order")
        groups = math.prod(global_size) // math.prod(local_size)
        words = numpy.zeros(_defined("WORDS", groups), numpy.uint32)
        for place, value in head.items():
            words[place] = value
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        buffer = cl.Buffer(queue.context, flags, hostbuf=words)
        self.kernel.set_arg(0, buffer)
        cl.enqueue_nd_range_kernel(queue, self.kernel, global_size, local_size)
        cl.enqueue_copy(queue, words, buffer)
        return words

    def _count(self, queue, local_size):
        """
        Launches in which groups only wait for more to come: those that are seen were there together. First one group:
        a kernel that does not count runs all of itself, and has no memory for more groups than it was written for.
        """
        device = queue.device
        units = device.max_compute_units
        patience = 1 << 14 if _is_cpu(device) else 1 << 6
        asked, most = min(64 * units, 1 << 16), 0

        def seen_of(groups):
            global_size = (local_size[0] * groups, *local_size[1:])
            return int(self._launch(queue, global_size, local_size, {_COUNTED: groups, _PATIENCE: patience})[_PRESENT])

        if seen_of(1) == 0:
            return 0
        while True:
            seen = seen_of(asked)
            more, most = seen > most, max(seen, most)
            if more and seen == asked and asked < 1 << 20:
                asked *= 2
            elif (more or (_is_cpu(device) and most < units)) and patience < 1 << 22:
                patience *= 16
            else:
                return most

    def _set(self, arguments):
        for place, argument in enumerate(arguments):
            self.kernel.set_arg(place + 1, argument)

    def resident(self, queue, local_size, *arguments):
        """So many groups fit on the device at once; counted once for each local size and size of local memory."""
        if self.counted:
            return self.counted
        self._set(arguments)
        key = (queue.device.int_ptr, tuple(local_size),
               tuple(argument.size for argument in arguments if isinstance(argument, cl.LocalMemory)))
        if key not in self._counts:
            self._counts[key] = self._count(queue, tuple(local_size))
        return self._counts[key]

    def __call__(self, queue, global_size, local_size, *arguments):
        """Launches, and waits for the end. Raises TooManyGroups, GaveUp, or an Error; returns how many groups it had."""
        if (len(global_size) != len(local_size) or not 1 <= len(local_size) <= 3 or
                any(size < 1 or of < 1 or of % size for of, size in zip(global_size, local_size)) or
                math.prod(global_size) // math.prod(local_size) > _MOST_GROUPS):
            raise Error("expected 1 to 3 dimensions, a global size that is a multiple of the local size, and at most "
                        f"{_MOST_GROUPS} groups")
        groups = math.prod(global_size) // math.prod(local_size)
        resident = self.resident(queue, local_size, *arguments)
        if resident == 0:
            raise TooManyGroups("no group counted itself: the kernel does not begin with GL_BEGIN of its first argument")
        if groups > resident:
            raise TooManyGroups(f"{groups} groups were to be launched, and {resident} fit on the device at once: launch "
                                "at most so many, and let each do more")
        self._set(arguments)
        fuse = self.fuse or (1 << 28 if _is_cpu(queue.device) else 1 << 18)
        words = self._launch(queue, tuple(global_size), tuple(local_size), {_FUSE: fuse})
        if words[_STOP]:
            raise GaveUp(_tell([int(mark) for mark in words[_MARKS:_MARKS + groups]]))
        return groups
