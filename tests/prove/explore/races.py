"""Looks for races in launches whose turns are drawn by lot, by what happens before what in OpenCL's memory model.

Global and local memory have an order each. An access is known by its work-item and that one's time; a work-item's
clocks say up to which times of the others' it is ordered behind them.
"""
import random

from machine import ACQ_REL, ACQUIRE, DEVICE, GROUP, NOBODY, RELEASE, RUNS, SEQ_CST, Fence, OutOfBounds

ACQUIRES, RELEASES = (ACQUIRE, ACQ_REL, SEQ_CST), (RELEASE, ACQ_REL, SEQ_CST)
GLOBAL, LOCAL = 0, 1
FLAGS = {GLOBAL: 2, LOCAL: 1}  # CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE


def join(first, second):
    return [max(pair) for pair in zip(first, second)]


class Launch:
    def __init__(self, machine):
        self.machine = machine
        count = machine.count
        self.clocks = [[[int(i == item) for i in range(count)] for _ in FLAGS] for item in range(count)]
        self.seen = [[[0] * count for _ in FLAGS] for _ in range(count)]  # by relaxed loads: what a fence will acquire
        self.fenced = [None] * count  # what relaxed stores release, and at which scope
        self.released = {}  # of a place: by whom, at which scope, with which clocks, its value was released
        self.history = {}  # of a place: accesses
        self.race = False

    def covers(self, scope, item, other):
        return scope >= DEVICE or scope == GROUP and self.machine.group(item) == self.machine.group(other)

    def look(self, item, access):
        space = GLOBAL if access.place[0] == NOBODY else LOCAL
        clock = self.clocks[item][space]
        history = self.history.setdefault(access.place, [])
        for other, time, before in history:
            inclusive = before.atomic and access.atomic and self.covers(before.scope, item, other) and \
                self.covers(access.scope, item, other)
            conflict = item != other and (before.kind, access.kind) != ("load", "load")
            self.race |= conflict and not inclusive and clock[other] < time
        history.append((item, clock[item], access))

    def synchronise(self, item, access):
        space = GLOBAL if access.place[0] == NOBODY else LOCAL
        sources = self.released.get(access.place, [])
        if access.kind != "store":
            for other, scope, clocks in sources:
                if self.covers(scope, item, other) and self.covers(access.scope, item, other):
                    into = self.clocks if access.order in ACQUIRES else self.seen
                    for which in FLAGS if access.order == SEQ_CST else [space]:
                        into[item][which] = join(into[item][which], clocks[which])
        if access.kind != "load":
            sources = list(sources) if access.kind == "update" else []
            if access.order in RELEASES:
                sources.append((item, access.scope, [list(clock) for clock in self.clocks[item]]))
            elif self.fenced[item]:
                scope, clocks = self.fenced[item]
                sources.append((item, min(scope, access.scope), clocks))
            self.released[access.place] = sources

    def fence(self, item, fence):
        """It orders the memory that its flags name."""
        for which, flag in FLAGS.items():
            if fence.flags & flag and fence.order in ACQUIRES:
                self.clocks[item][which] = join(self.clocks[item][which], self.seen[item][which])
        if fence.order in RELEASES:
            before = self.fenced[item][1] if self.fenced[item] else [[0] * self.machine.count for _ in FLAGS]
            self.fenced[item] = (fence.scope, [list(self.clocks[item][which]) if fence.flags & flag else before[which]
                                               for which, flag in FLAGS.items()])

    def meet(self, group, at):
        """The work-items of a group meet at a barrier, which orders the memory that its flags name.

        With a scope that reaches farther it is a fence of that scope as well, before and behind.
        """
        members = self.machine.members(group)
        flags, *scope = self.machine.kernel.code[at].operands
        fences = [Fence(flags, ACQ_REL, *scope)] if scope and scope[0] >= DEVICE else []
        for item in members:
            for fence in fences:
                self.fence(item, fence)
        for which, flag in FLAGS.items():
            if flags & flag:
                together = [max(times) for times in zip(*(self.clocks[item][which] for item in members))]
                for item in members:
                    self.clocks[item][which] = list(together)
        for item in members:
            for fence in fences:
                self.fence(item, fence)
            self.tick(item)

    def tick(self, item):
        for clock in self.clocks[item]:
            clock[item] += 1

    def run(self, lot, most=400):
        """Until it ends, or for so many steps; work-items take turns by ones, or some at a time."""
        state = self.machine.begin()
        items, memory = list(state.items), dict(state.memory)
        keep, item = lot.choice((0, 0.8)), None
        for _ in range(most):
            able = [i for i, stopped in enumerate(items) if stopped.is_at == RUNS]
            if not able or self.race:
                return
            if item not in able or lot.random() >= keep:
                item = lot.choice(able)
            try:
                access, items[item] = self.machine.access(item, items[item], memory)
            except OutOfBounds:
                return
            self.look(item, access)
            self.synchronise(item, access)
            self.tick(item)
            for fence in self.machine.fences:
                self.fence(item, fence)
            met, items = self.machine.meet(items)
            items = list(items)
            for group, places in met:
                self.meet(group, places[0])


def has_race(machine, launches=300):
    lot = random.Random(1)
    for _ in range(launches):
        launch = Launch(machine)
        launch.run(lot)
        if launch.race:
            return True
    return False
